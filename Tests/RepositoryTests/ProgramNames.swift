import Foundation

/// The names by which people use the programs, as the sources have them.
struct ProgramNames {
    /// `--port`, of the settings, the commands and the scripts.
    let options: Set<String>
    /// `TOLLGATE_PORT`, of the settings, the programs, the tests and the scripts.
    let variables: Set<String>
    /// `serve`, `token`, `mint`.
    let commands: Set<String>
    /// The commands of `tollgate` that have commands of their own.
    let groups: Set<String>
    /// Every word of the sources, the configuration, the description of the APIs and the files for deployment.
    let words: Set<String>

    /// Searches the checkout.
    init() throws {
        let table = try Repository.text("Sources/tollgate/SettingsTable.swift")
        let keys = table.matches(of: /\bSetting\(\s*(?:optional:\s*)?"(\w+)"/).map { String($0.1) }
        let programs = try ["Sources/tollgate", "Sources/tollgate-bench"].flatMap { try Repository.sources(below: $0) }
        let scripts = try ["Deploy/clients", "Deploy/run", "Deploy/sanitize", "Deploy/test", "Package.swift"]
            .map { Repository.Source(path: $0, text: try Repository.text($0)) }

        var options = Set(keys.map(Self.option) + ["--help"])
        var commands: Set<String> = []
        var groups: Set<String> = []
        for source in programs {
            for match in source.text.matches(of: /@(?:Option|Flag)\b[\s\S]*?\bvar\s+(\w+)/) {
                options.insert(Self.option(String(match.1)))
            }
            for match in source.text.matches(of: /customLong\("([\w-]+)"\)/) { options.insert("--\(match.1)") }
            // A group's subcommands stand behind its name, before the name of the next command.
            for part in source.text.split(separator: "commandName:").dropFirst() {
                guard let name = part.prefixMatch(of: /\s*"([\w-]+)"/).map({ String($0.1) }) else { continue }
                commands.insert(name)
                if source.place[1] == "tollgate", part.contains("subcommands:") { groups.insert(name) }
            }
        }
        for script in scripts {
            for match in script.text.matches(of: /^(--[\w-]+)\)/.anchorsMatchLineEndings()) {
                options.insert(String(match.1))
            }
        }
        self.options = options
        self.commands = commands
        self.groups = groups

        // The tests of the program name variables that are misspelt.
        let users = try programs + scripts + Repository.sources(below: "Tests/TestSupport")
        let named = users.flatMap { $0.text.matches(of: /TOLLGATE_[A-Z_]*[A-Z]/).map { String($0.0) } }
        variables = Set(keys.map(Self.variable) + named)

        let texts = try Repository.sources(below: "Sources") + Repository.sources(below: "Deploy", ending: ".yaml")
        let others = try ["openapi.yaml", "Config/tollgate.yaml", "Config/simulator.yaml"].map(Repository.text)
        words = Set((texts.map(\.text) + others).flatMap(Self.words))
    }

    /// The runs of letters and digits of ASCII in a text.
    private static func words(of text: String) -> [String] {
        text.utf8.split { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): false
            case UInt8(ascii: "a")...UInt8(ascii: "z"): false
            default: true
            }
        }.map { String(Substring($0)) }
    }

    /// `--control-port` of `controlPort`.
    private static func option(_ name: String) -> String { "--" + parts(of: name).joined(separator: "-") }

    /// `TOLLGATE_CONTROL_PORT` of `controlPort`.
    private static func variable(_ name: String) -> String {
        "TOLLGATE_" + parts(of: name).map { $0.uppercased() }.joined(separator: "_")
    }

    /// `tls`, `client` and `ca` of `tlsClientCA`; `store`, `url` and `file` of `storeURLFile`.
    private static func parts(of name: String) -> [String] {
        name.matches(of: /[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/).map { $0.0.lowercased() }
    }
}
