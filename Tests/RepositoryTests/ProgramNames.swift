import Foundation

/// The names by which people use the programs, as the sources have them.
struct ProgramNames {
    /// `tollgate` and `tollgate-bench`, by their names.
    let programs: [String: CommandTree]
    /// `--port`, of the commands and the scripts.
    let options: Set<String>
    /// `TOLLGATE_PORT`, of the settings, the programs, the tests and the scripts.
    let variables: Set<String>
    /// Every word of the sources without their comments, of the configuration, the description of the APIs and the files for
    /// deployment.
    let words: Set<String>

    /// Searches the checkout.
    init() throws {
        let table = try Repository.text("Sources/tollgate/Settings/SettingsTable.swift")
        let keys = table.matches(of: /\bSetting\(\s*(?:optional:\s*)?"(\w+)"/).map { String($0.1) }
        let names = ["tollgate", "tollgate-bench"]
        let sources = try names.map { try Repository.sources(below: "Sources/\($0)") }
        let scripts = try [
            "Deploy/browser", "Deploy/clients", "Deploy/run", "Deploy/sanitize", "Deploy/test", "Package.swift",
        ]
        .map { Repository.Source(path: $0, text: try Repository.text($0)) }

        let settings = Set(keys.map(Self.option))
        programs = Dictionary(
            uniqueKeysWithValues: zip(names, sources).map { name, sources in
                (name, CommandTree(of: name, sources, settings: settings))
            })
        let ofScripts = scripts.flatMap { script in
            script.text.matches(of: /^(--[\w-]+)\)/.anchorsMatchLineEndings()).map { String($0.1) }
        }
        options = programs.values.reduce(Set(ofScripts)) { $1.commands.values.reduce($0) { $0.union($1) } }

        // The tests of the program name variables that are misspelt.
        let users = try sources.flatMap(\.self) + scripts + Repository.sources(below: "Tests/TestSupport")
        let named = users.flatMap { $0.text.matches(of: /TOLLGATE_[A-Z_]*[A-Z]/).map { String($0.0) } }
        variables = Set(keys.map(Self.variable) + named)

        let assets = try Repository.sources(below: "Sources/Assets", ending: ".js")
        let code = try (Repository.sources(below: "Sources") + assets).flatMap { source in
            source.lines.map { $0.text }.filter { line in !line.drop { $0 == " " }.hasPrefix("//") }
        }
        let deployment = try Repository.sources(below: "Deploy", ending: ".yaml").map { $0.text[...] }
        let others = try ["openapi.yaml", "Config/tollgate.yaml", "Config/simulator.yaml"]
            .map { try Repository.text($0)[...] }
        words = Set((code + deployment + others).flatMap(Self.words))
    }

    /// The runs of letters and digits of ASCII in a text.
    private static func words(of text: Substring) -> [String] {
        text.utf8.split { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): false
            case UInt8(ascii: "a")...UInt8(ascii: "z"): false
            default: true
            }
        }.map { String(Substring($0)) }
    }

    /// `--control-port` of `controlPort`.
    static func option(_ name: String) -> String { "--" + parts(of: name).joined(separator: "-") }

    /// `TOLLGATE_CONTROL_PORT` of `controlPort`.
    private static func variable(_ name: String) -> String {
        "TOLLGATE_" + parts(of: name).map { $0.uppercased() }.joined(separator: "_")
    }

    /// `tls`, `client` and `ca` of `tlsClientCA`; `store`, `url` and `file` of `storeURLFile`.
    private static func parts(of name: String) -> [String] {
        name.matches(of: /[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/).map { $0.0.lowercased() }
    }
}
