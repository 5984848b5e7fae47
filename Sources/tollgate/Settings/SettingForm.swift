import Access
import HTTP
import Payments
import Values

/// The valid values of a setting, and how to parse them.
struct SettingForm<Value: Sendable>: Sendable {
    /// The placeholder for a value in a command's help, such as `port`.
    let placeholder: String
    /// The valid values, as text that fits "expected …": `a port from 0 to 65535`.
    let expected: String
    /// Whether the option alone, without a value, means `true`.
    var isFlag = false
    /// Parses a string; nil if it is invalid.
    let read: @Sendable (String) -> Value?

    /// The same values for a setting that may be absent.
    var optional: SettingForm<Value?> {
        let read = read
        return SettingForm<Value?>(placeholder: placeholder, expected: expected, isFlag: isFlag) { text in
            read(text).map { .some($0) }
        }
    }
}

extension SettingForm where Value == String {
    static let address = text("address", "an address or a name of this machine")
    static let folder = text("folder", "a folder")
    static let file = text("file", "a file")
    static let secretFile = text("file", "a file that only its owner may use")
    static let storeURL = text("url", "a URL")

    private static func text(_ placeholder: String, _ expected: String) -> SettingForm {
        SettingForm(placeholder: placeholder, expected: expected) { $0.isEmpty ? nil : $0 }
    }
}

extension SettingForm where Value == UInt16 {
    static let port = SettingForm(placeholder: "port", expected: "a port from 0 to 65535") { UInt16($0) }
}

extension SettingForm where Value == UInt16? {
    /// A port, or the word that turns it off where another source, such as a container's image, sets one.
    static let portOrNone = SettingForm(placeholder: "port", expected: "a port from 0 to 65535, or none") { text in
        text == "none" ? .some(nil) : UInt16(text).map { .some($0) }
    }
}

extension SettingForm where Value == Bool {
    static let truth = SettingForm(placeholder: "truth", expected: "true or false") { truthValue($0) }
    static let flag = SettingForm(placeholder: "truth", expected: "true or false", isFlag: true) { truthValue($0) }

    private static func truthValue(_ text: String) -> Bool? { text == "true" ? true : text == "false" ? false : nil }
}

extension SettingForm where Value: FixedWidthInteger {
    /// A whole number of `unit` within a range.
    static func number(of unit: String, _ range: ClosedRange<Value>) -> SettingForm {
        SettingForm(
            placeholder: unit, expected: "a number of \(unit) from \(range.lowerBound) to \(range.upperBound)"
        ) { text in Value(text).flatMap { range.contains($0) ? $0 : nil } }
    }
}

extension SettingForm where Value == Instant {
    static let instant = SettingForm(
        placeholder: "time", expected: "an instant in UTC such as 2021-09-01T19:03:10Z"
    ) { Instant(rfc3339: $0) }
}

extension SettingForm where Value == TLSSettings.ClientCertificates {
    static let clientCertificates = SettingForm(
        placeholder: "policy", expected: "none, optional or required"
    ) { TLSSettings.ClientCertificates(rawValue: $0) }
}

extension SettingForm where Value == OperationsSettings.AccessLogPlace {
    static let accessLog = SettingForm(
        placeholder: "file", expected: "a file, - for standard output, or off"
    ) { $0.isEmpty ? nil : OperationsSettings.AccessLogPlace($0) }
}

extension SettingForm where Value == OperationsSettings.AccessLogFormat {
    static let accessLogFormat = SettingForm(
        placeholder: "format", expected: "json, text or auto"
    ) { OperationsSettings.AccessLogFormat(rawValue: $0) }
}

extension SettingForm where Value == [WebOrigin] {
    static let origins = SettingForm(
        placeholder: "origins", expected: "origins separated by commas, without a path"
    ) { text in
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let origins = parts.compactMap { WebOrigin(String($0.drop { $0 == " " })) }
        return origins.count == parts.count ? origins : nil
    }
}

extension SettingForm where Value == HTTPURL {
    static let webhook = SettingForm(placeholder: "url", expected: "an http or https URL") { HTTPURL($0) }
}
