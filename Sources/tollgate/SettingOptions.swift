import ArgumentParser

/// The settings on a command line.
struct SettingOptions: ParsableArguments {
    @Argument(parsing: .allUnrecognized, help: .hidden)
    var words: [String] = []

    /// Refuses what is no setting while the command line is parsed, so that the command's usage is shown.
    func validate() throws { _ = try values() }

    /// Reads `--port 8080`, `--port=8080` and, of a flag, `--allow-plaintext`. Of an option that is repeated the last one
    /// counts.
    ///
    /// - Returns: the values as texts, by the settings' keys.
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
                    throw ValidationError("Missing value for '\(row.option) <\(row.placeholder)>': \(row.wanted)")
                }
                values[row.key] = value
            }
        }
        return values
    }

    /// The settings as a part of a command's help, in lines that a terminal of 80 columns doesn't break.
    static var help: String {
        let rows = SettingsTable.rows.map { row in
            let texts = [row.help, "\(row.wanted); default: \(row.defaultText)"]
            let lines = texts.flatMap(Self.lines).map { "      \($0)" }
            return (["  \(row.option)\(row.isFlag ? "" : " <\(row.placeholder)>")"] + lines).joined(separator: "\n")
        }
        return (lines("SETTINGS, also in the environment (TOLLGATE_HOST for --host) and in tollgate.yaml:") + rows)
            .joined(separator: "\n")
    }

    /// A text in lines of at most 72 characters, broken between words.
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
