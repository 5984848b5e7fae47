import ArgumentParser

/// The options that a command declares, as settings by their keys: a property's name is its setting's key, so an option that is
/// declared can't be left out.
enum DeclaredOptions {
    /// What was given of them; those that are no settings are named by the caller.
    static func settings(of command: some ParsableArguments, except others: Set<String> = []) -> [String: String] {
        var settings: [String: String] = [:]
        for child in Mirror(reflecting: command).children {
            // The property wrapper of `port` is `_port`.
            guard let label = child.label?.dropFirst(), !others.contains(String(label)) else { continue }
            switch child.value {
            case let option as Option<String?>: settings[String(label)] = option.wrappedValue
            case let flag as Flag<Bool>: if flag.wrappedValue { settings[String(label)] = "true" }
            default: break
            }
        }
        return settings
    }
}
