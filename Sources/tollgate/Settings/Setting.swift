/// One setting of `tollgate serve`, for the command line, the environment and `tollgate.yaml`.
struct Setting<Value: Sendable>: SettingRow {
    let key: String
    let form: SettingForm<Value>
    /// The value if no source sets it.
    let defaultValue: Value
    let defaultText: String
    let help: String

    /// A setting whose default is shown as the value's description.
    init(_ key: String, _ form: SettingForm<Value>, default defaultValue: Value, _ help: String) {
        self.init(key, form, default: defaultValue, "\(defaultValue)", help)
    }

    /// A setting whose default is shown as a separate description.
    init(_ key: String, _ form: SettingForm<Value>, default defaultValue: Value, _ defaultText: String, _ help: String)
    {
        self.key = key
        self.form = form
        self.defaultValue = defaultValue
        self.defaultText = defaultText
        self.help = help
    }

    /// A setting without a default value.
    ///
    /// - Parameter defaultText: describes the behaviour if no source sets the setting.
    init<Wrapped>(optional key: String, _ form: SettingForm<Wrapped>, default defaultText: String, _ help: String)
    where Value == Wrapped? {
        self.init(key, form.optional, default: nil, defaultText, help)
    }

    var expected: String { form.expected }
    var placeholder: String { form.placeholder }
    var isFlag: Bool { form.isFlag }
}

/// The properties of a setting that the command line, the environment, the documentation and the check for unknown keys
/// need.
protocol SettingRow: Sendable {
    /// The key in `tollgate.yaml`, such as `controlPort`.
    var key: String { get }
    /// The valid values, as text that fits "expected …".
    var expected: String { get }
    /// The placeholder for a value in a command's help.
    var placeholder: String { get }
    /// Whether the option alone means `true`.
    var isFlag: Bool { get }
    /// The default, as text.
    var defaultText: String { get }
    /// The help, one sentence.
    var help: String { get }
}

extension SettingRow {
    /// The command-line option, such as `--control-port`.
    var option: String { "--" + words.joined(separator: "-") }

    /// The environment variable, such as `TOLLGATE_CONTROL_PORT`.
    var variable: String { "TOLLGATE_" + words.map { $0.uppercased() }.joined(separator: "_") }

    /// The words of the key: `controlPort` is `control` and `port`, `storeURLFile` is `store`, `url` and `file`.
    private var words: [String] {
        var words = [""]
        var isInCapitals = false
        for (index, character) in zip(key.indices, key) {
            let next = key.index(after: index)
            let endsCapitals = next < key.endIndex && key[next].isLowercase
            if character.isUppercase, !isInCapitals || endsCapitals { words.append("") }
            isInCapitals = character.isUppercase
            words[words.count - 1] += character.lowercased()
        }
        return words
    }
}
