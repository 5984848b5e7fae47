import ArgumentParser

/// The text for a mistyped call: what is wrong, what was probably meant, and the usage of the command that was called.
struct UsageError: CustomStringConvertible {
    let description: String

    /// For an error that the parser found. It suggests a command or an option of the parser's own list.
    ///
    /// - Parameters:
    ///   - text: the parser's message with the usage.
    ///   - arguments: the command line without the program.
    init(_ text: String, _ arguments: [String], of program: CommandDescription) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let (command, _, rest) = program.called(by: arguments)
        let first = lines[0]
        if let match = first.wholeMatch(of: /(Error: Unknown option '([^']*)')(\. Did you mean .*)?/) {
            lines[0] = match.1 + Self.question(String(match.2), among: command.options)
        } else if let word = rest.first, !word.hasPrefix("-"), !command.subcommands.isEmpty {
            lines[0] += Self.question(word, among: command.subcommands.map(\.name))
        }
        description = lines.joined(separator: "\n")
    }

    /// For an error that a command found while it ran.
    ///
    /// - Parameter words: those that call the command, with the program's name.
    init(_ error: ValidationError, of command: any ParsableCommand.Type, _ words: [String]) {
        description = """
            Error: \(error.message)
            Usage: \(Tollgate.usageString(for: command))
              See '\(words.joined(separator: " ")) --help' for more information.
            """
    }

    private static func question(_ word: String, among known: [String]) -> String {
        Suggestion.closest(to: word, among: known).map { ". Did you mean '\($0)'?" } ?? ""
    }
}

extension Tollgate {
    /// Reads the command line and runs its command. Ends the process on an error, with the parser's exit code for it.
    static func runCommand() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        var command: any ParsableCommand
        do { command = try await asyncParseAsRoot(arguments) } catch {
            guard exitCode(for: error) == .validationFailure, let program = CommandDescription.program else {
                exit(withError: error)
            }
            StandardError.writeLine("\(UsageError(fullMessage(for: error), arguments, of: program))")
            exit(withError: ExitCode.validationFailure)
        }
        do {
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let error as ValidationError {
            let words = CommandDescription.program?.called(by: arguments).words ?? [_commandName]
            StandardError.writeLine("\(UsageError(error, of: type(of: command), words))")
            exit(withError: ExitCode.validationFailure)
        } catch { exit(withError: error) }
    }
}
