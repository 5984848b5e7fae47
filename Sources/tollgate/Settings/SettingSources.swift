import Glibc

/// The sources of settings, in order: the command line, the environment, `tollgate.yaml`, the default. An invalid value
/// is refused, whatever its source.
struct SettingSources {
    /// The values on the command line, by the settings' keys.
    private let options: [String: String]
    private let file: YAMLMapping?
    private let filePath: String

    /// - Parameters:
    ///   - options: the values of the command line, by key.
    ///   - settingsPath: the path of `tollgate.yaml`, if there is one.
    init(options: [String: String], settingsPath: String?) throws {
        self.options = options
        filePath = settingsPath ?? ""
        file = try settingsPath.map { try YAMLMapping(file: $0, keys: SettingsTable.rows.map(\.key)) }
    }

    /// A setting's value.
    func value<Value>(_ setting: Setting<Value>) throws -> Value {
        guard let (text, source) = try text(of: setting) else { return setting.defaultValue }
        guard let value = setting.form.read(text) else {
            throw Failure("\(source): expected \(setting.expected), not \(text)")
        }
        return value
    }

    /// The unparsed value of a setting and its source; nil if the default applies.
    func text(of setting: some SettingRow) throws -> (text: String, source: String)? {
        if let text = options[setting.key] { return (text, setting.option) }
        if let text = getenv(setting.variable) { return (String(cString: text), setting.variable) }
        return try file?.string(setting.key).map { ($0, "\(filePath): \(setting.key)") }
    }
}
