import ArgumentParser

/// The settings given on the command line.
struct SettingOptions: ParsableArguments {
    @Argument(parsing: .allUnrecognized, help: .hidden, completion: .list(SettingsTable.rows.map(\.option)))
    var words: [String] = []

    /// Refuses unknown settings while the command line is parsed, so that the command's usage is shown.
    func validate() throws { _ = try values() }

    /// Parses `--port 8080`, `--port=8080` and, for a flag, `--allow-plaintext`. If an option is repeated, the last one
    /// counts.
    ///
    /// - Returns: the values as strings, by the settings' keys.
    func values() throws -> [String: String] {
        var values: [String: String] = [:]
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("-") else { throw ValidationError("Unexpected argument '\(word)'") }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let row = SettingsTable.row(ofOption: parts[0]) else {
                throw ValidationError("Unknown option '\(parts[0])'")
            }
            if parts.count > 1 {
                values[row.key] = parts[1]
            } else if row.isFlag {
                values[row.key] = "true"
            } else {
                guard let value = rest.popFirst() else {
                    throw ValidationError("Missing value for '\(row.option) <\(row.placeholder)>': \(row.expected)")
                }
                values[row.key] = value
            }
        }
        return values
    }

    /// The settings as part of a command's help, in lines that fit in 80 columns.
    static var help: String {
        let rows = SettingsTable.rows.map { row in
            let texts = [row.help, "\(row.expected); default: \(row.defaultText)"]
            let lines = texts.flatMap(Self.lines).map { "      \($0)" }
            return (["  \(row.option)\(row.isFlag ? "" : " <\(row.placeholder)>")"] + lines).joined(separator: "\n")
        }
        return (lines("SETTINGS, also in the environment (TOLLGATE_HOST for --host) and in tollgate.yaml:") + rows)
            .joined(separator: "\n")
    }

    /// Wraps a string between words, into lines of at most 72 characters.
    private static func lines(_ text: String) -> [String] {
        text.split(separator: " ").reduce(into: [""]) { lines, word in
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if line.count + 1 + word.count <= 72 {
                lines[lines.count - 1] = "\(line) \(word)"
            } else {
                lines.append(String(word))
            }
        }
    }
}
