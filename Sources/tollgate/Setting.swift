/// One setting of `tollgate serve`, as a command, the environment and `tollgate.yaml` name it.
struct Setting<Value: Sendable>: SettingRow {
    let key: String
    let form: SettingForm<Value>
    /// Without any source.
    let defaultValue: Value
    let defaultText: String
    let help: String

    /// A setting with a default that its value describes.
    init(_ key: String, _ form: SettingForm<Value>, default defaultValue: Value, _ help: String) {
        self.init(key, form, default: defaultValue, "\(defaultValue)", help)
    }

    /// A setting with a default in words.
    init(_ key: String, _ form: SettingForm<Value>, default defaultValue: Value, _ defaultText: String, _ help: String)
    {
        self.key = key
        self.form = form
        self.defaultValue = defaultValue
        self.defaultText = defaultText
        self.help = help
    }

    /// A setting without a default of its own.
    ///
    /// - Parameter defaultText: what holds where nobody sets it.
    init<Wrapped>(optional key: String, _ form: SettingForm<Wrapped>, default defaultText: String, _ help: String)
    where Value == Wrapped? {
        self.init(key, form.optional, default: nil, defaultText, help)
    }

    var wanted: String { form.wanted }
    var placeholder: String { form.placeholder }
    var isFlag: Bool { form.isFlag }
}

/// What the command line, the environment, the documentation and the check for unknown keys need of a setting.
protocol SettingRow: Sendable {
    /// In `tollgate.yaml`, such as `controlPort`.
    var key: String { get }
    /// The values, in words that fit "… is wanted".
    var wanted: String { get }
    /// What stands for a value in a command's help.
    var placeholder: String { get }
    /// Whether the option alone means `true`.
    var isFlag: Bool { get }
    /// The default, in words.
    var defaultText: String { get }
    /// One sentence.
    var help: String { get }
}

extension SettingRow {
    /// On a command line: `--control-port`.
    var option: String { "--" + words.joined(separator: "-") }

    /// In the environment: `TOLLGATE_CONTROL_PORT`.
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
