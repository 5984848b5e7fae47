import Access
import ArgumentParser

/// `tollgate config`: shows the configuration of a gateway.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show the configuration of a gateway.", subcommands: [ConfigShow.self])
}

/// `tollgate config show`: prints the settings in force, and the source of each value.
struct ConfigShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print what would be in force for `tollgate serve` with the same options, and where it comes from.",
        usage: "tollgate config show [--config <folder>] [<setting> ...]",
        discussion: """
            Each setting is on a line with its value and its source; then come the files. A password in a URL isn't shown.
            """)

    @Option(help: ArgumentHelp("The configuration folder (default: the one that is found).", valueName: "folder"))
    var config: String?

    @OptionGroup var options: SettingOptions

    func run() throws {
        var configuration = try ConfigurationDirectory(config)
        let sources = try SettingSources(options: try options.values(), settingsPath: configuration.settingsPath)
        // A value that `serve` would refuse is refused here, too.
        let settings = try ServeSettings(options: try options.values(), settingsPath: configuration.settingsPath)
        configuration.dataMerchantsFolder = "\(settings.dataPath)/\(DataDirectory.merchantsName)"
        let rows = try SettingsTable.rows.map { row in
            let found = try sources.text(of: row)
            return (row.key, found.map { Self.shown($0.text) } ?? row.defaultText, found?.source ?? "default")
        }
        let files = [
            ("tollgate.yaml", configuration.settingsPath ?? "none"),
            ("simulator.yaml", "\(try configuration.file("simulator.yaml"))"),
            ("trust/AppleRootCA-G3.pem", "\(try configuration.file("trust/AppleRootCA-G3.pem"))"),
            ("openapi.yaml", configuration.openAPI.map { "\($0)" } ?? "none"),
        ]
        let merchants = try configuration.merchantPaths().map { ("merchant", $0) }
        let widths = (rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0)
        for (key, value, source) in rows {
            StandardOutput.writeLine("\(Self.padded(key, widths.0))  \(Self.padded(value, widths.1))  \(source)")
        }
        StandardOutput.writeLine("")
        for (name, place) in files + merchants {
            StandardOutput.writeLine("\(Self.padded(name, widths.0))  \(EscapedLine(place))")
        }
    }

    /// A value in one line. The parts of a URL that may contain a password are shown as `***`: before the last `@`, after `?`,
    /// and everything if an `@` comes after a `?`.
    private static func shown(_ text: String) -> String {
        guard let start = text.firstRange(of: "//")?.upperBound else { return "\(EscapedLine(text))" }
        let place = text[start...].prefix { $0 != "?" }
        let query = text[place.endIndex...]
        guard !query.contains("@") else { return "\(EscapedLine(text[..<start] + "***"))" }
        let shownPlace = place.lastIndex(of: "@").map { "***" + place[$0...] } ?? String(place)
        return "\(EscapedLine(text[..<start] + shownPlace + (query.isEmpty ? "" : "?***")))"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
