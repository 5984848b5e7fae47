/// The manual page of the program, in man(7)'s macros, made of what the argument parser knows of the commands.
struct ManualPage: CustomStringConvertible {
    let description: String

    /// The page of a program.
    ///
    /// - Parameter version: of the program.
    init(_ program: CommandDescription, version: String) {
        var lines = [
            ".TH \(program.name.uppercased()) 1 \"\" \"\(program.name) \(version)\"", ".SH NAME",
            "\(program.name) \\- \(Self.escaped(program.abstract))", ".SH SYNOPSIS",
            ".B \(program.name)", "\\fIcommand\\fR [\\fIoption\\fR ...]", ".SH COMMANDS",
        ]
        for command in program.subcommands { lines += Self.lines(command, behind: [program.name]) }
        description = lines.map { $0 + "\n" }.joined()
    }

    private static func lines(_ command: CommandDescription, behind words: [String]) -> [String] {
        let words = words + [command.name]
        var lines = [".SS \(escaped(words.joined(separator: " ")))", text(command.abstract)]
        if !command.discussion.isEmpty { lines += [".PP"] + discussion(command.discussion) }
        for argument in command.arguments where argument.names != ["--version"] || argument.placeholder != nil {
            lines += [".TP", heading(argument), text(argument.sentence)]
        }
        return lines + command.subcommands.flatMap { Self.lines($0, behind: words) }
    }

    /// A discussion: what is indented, such as the list of settings, keeps its lines.
    private static func discussion(_ discussion: String) -> [String] {
        var (lines, isVerbatim): ([String], Bool) = ([], false)
        for line in discussion.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix(" ") != isVerbatim {
                isVerbatim.toggle()
                lines.append(isVerbatim ? ".nf" : ".fi")
            }
            lines.append(line.isEmpty ? ".PP" : text(String(line)))
        }
        return lines + (isVerbatim ? [".fi"] : [])
    }

    private static func heading(_ argument: CommandDescription.Argument) -> String {
        let names = argument.names.map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", ")
        let value = argument.placeholder.map { "\\fI\(escaped($0))\\fR" }
        return [names, value ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// A line of text that is no request of roff.
    private static func text(_ line: String) -> String {
        let escaped = escaped(line)
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }

    /// Backslashes and hyphens as roff wants them.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    }
}

extension CommandDescription.Argument {
    fileprivate var sentence: String { defaultValue.map { "\(abstract) (default: \($0))" } ?? abstract }
}
