import Glibc

/// The sources of settings, in order: the command line, the environment, `tollgate.yaml`, the default. An invalid value
/// is refused, whatever its source.
struct SettingSources {
    /// By key.
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
        let sources: [(name: String, text: String?)] = [
            (setting.option, options[setting.key]),
            (setting.variable, getenv(setting.variable).map { String(cString: $0) }),
            ("\(filePath): \(setting.key)", try file?.string(setting.key)),
        ]
        for case (let name, .some(let text)) in sources {
            guard let value = setting.form.read(text) else {
                throw Failure("\(name): \(setting.wanted) is wanted, not \(text)")
            }
            return value
        }
        return setting.defaultValue
    }
}
