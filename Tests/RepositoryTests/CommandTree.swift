/// The commands of a program with their options, as its sources declare them.
struct CommandTree {
    /// `token mint` and `serve`, each with its options, such as `--amount`.
    let commands: [String: Set<String>]
    /// `token`: the commands that have commands of their own.
    let groups: Set<String>

    /// Reads the declarations of a program, from the command that has the program's name.
    ///
    /// - Parameter settings: the options of `SettingOptions`, which come from the table of settings.
    init(of program: String, _ sources: [Repository.Source], settings: Set<String>) {
        var types = Dictionary(uniqueKeysWithValues: sources.flatMap { Declaration.all(in: $0.text) })
        types["SettingOptions"]?.options = settings
        let root = types.values.first { $0.commandName == program }

        /// The options of a type and of the types that it takes options from.
        func options(of type: Declaration) -> Set<String> {
            type.optionGroups.compactMap { types[$0] }.reduce(type.options) { $0.union(options(of: $1)) }
        }
        var commands: [String: Set<String>] = [:]
        var groups: Set<String> = []
        func add(_ type: Declaration, behind words: [String]) {
            for child in type.subcommands.compactMap({ types[$0] }) {
                guard let name = child.commandName else { continue }
                let path = (words + [name]).joined(separator: " ")
                if child.subcommands.isEmpty {
                    commands[path] = options(of: child).union(["--help"])
                } else {
                    groups.insert(path)
                    add(child, behind: words + [name])
                }
            }
        }
        if let root { add(root, behind: []) }
        self.commands = commands
        self.groups = groups
    }

    /// The options of the command that words begin with; nil if there is no such command.
    ///
    /// A group alone is a command that has no options but the one for help.
    func options(ofCall words: [String]) -> Set<String>? {
        guard let first = words.first else { return nil }
        guard groups.contains(first) else { return commands[first] }
        guard words.count > 1 else { return ["--help"] }
        return commands["\(first) \(words[1])"]
    }
}

/// A type that ArgumentParser reads a command line into.
private struct Declaration {
    let commandName: String?
    /// The names of their types.
    let subcommands: [String]
    /// The names of the types behind `@OptionGroup`.
    let optionGroups: [String]
    /// `--data-folder`, of the properties behind `@Option` and `@Flag`.
    var options: Set<String>

    /// The types of a file by their names. What belongs to one ends where the next one begins.
    static func all(in text: String) -> [(String, Declaration)] {
        let heads = text.matches(of: /\bstruct (\w+): (?:Async)?Parsable(?:Command|Arguments) \{/)
        return heads.indices.map { index in
            let end = index + 1 < heads.count ? heads[index + 1].range.lowerBound : text.endIndex
            return (String(heads[index].1), Declaration(text[heads[index].range.upperBound..<end]))
        }
    }

    private init(_ body: Substring) {
        commandName = body.firstMatch(of: /\bcommandName:\s*"([\w-]+)"/).map { String($0.1) }
        let list = body.firstMatch(of: /\bsubcommands:\s*\[([^\]]*)\]/)?.1 ?? ""
        subcommands = list.matches(of: /(\w+)\.self/).map { String($0.1) }
        optionGroups = body.matches(of: /@OptionGroup\s+var\s+\w+:\s*(\w+)/).map { String($0.1) }
        options = Set(
            body.matches(of: /@(?:Option|Flag)\b([\s\S]*?)\bvar\s+(\w+)/).map { match in
                let name = match.1.firstMatch(of: /customLong\("([\w-]+)"\)/).map { String($0.1) }
                return name.map { "--\($0)" } ?? ProgramNames.option(String(match.2))
            })
    }
}
