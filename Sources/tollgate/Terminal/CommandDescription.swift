import ArgumentParser
import JSON

/// A command as the argument parser itself describes it (`--experimental-dump-help`, version 0 of that JSON).
struct CommandDescription {
    /// One argument of a command.
    struct Argument {
        /// `--port`, `-h`; empty for a positional argument.
        let names: [String]
        /// The placeholder for its value; nil for a flag.
        let placeholder: String?
        /// Its help.
        let abstract: String
        /// The default that the parser knows.
        let defaultValue: String?
    }

    /// The name by which it is called: `mint`.
    let name: String
    let abstract: String
    let discussion: String
    /// Without what help hides.
    let arguments: [Argument]
    /// Whether the settings of `tollgate serve` are options of it, too.
    let takesSettings: Bool
    let subcommands: [CommandDescription]

    /// The whole program; nil if the parser's JSON has another form.
    static var program: CommandDescription? {
        guard let tool = try? JSONValue(parsing: Tollgate._dumpHelp()) else { return nil }
        return tool["command"].flatMap { CommandDescription($0) }
    }

    private init?(_ command: JSONValue) {
        guard let name = command["commandName"]?.text else { return nil }
        self.name = name
        abstract = command["abstract"]?.text ?? ""
        discussion = command["discussion"]?.text ?? ""
        let all = command["arguments"]?.elements ?? []
        arguments = all.filter { $0["shouldDisplay"] == true }.map { Argument($0) }
        takesSettings = all.contains { $0["parsingStrategy"] == "allUnrecognized" }
        subcommands = (command["subcommands"]?.elements ?? []).compactMap { CommandDescription($0) }
    }

    /// Every option, such as `--port`.
    var options: [String] {
        arguments.flatMap(\.names) + (takesSettings ? SettingsTable.rows.map(\.option) : [])
    }

    /// The command that arguments call, as far as their words name one.
    ///
    /// - Returns: the command, its words with the program's name, and the arguments behind them.
    func called(by arguments: [String]) -> (command: CommandDescription, words: [String], rest: ArraySlice<String>) {
        var (command, words, rest) = (self, [name], arguments[...])
        while let word = rest.first, let next = command.subcommands.first(where: { $0.name == word }) {
            (command, rest) = (next, rest.dropFirst())
            words.append(word)
        }
        return (command, words, rest)
    }
}

extension CommandDescription.Argument {
    fileprivate init(_ argument: JSONValue) {
        names = (argument["names"]?.elements ?? []).compactMap { name in
            name["name"]?.text.map { (name["kind"] == "long" ? "--" : "-") + $0 }
        }
        placeholder = argument["kind"] == "flag" ? nil : argument["valueName"]?.text
        abstract = argument["abstract"]?.text ?? ""
        defaultValue = argument["defaultValue"]?.text
    }
}

extension JSONValue {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
}
