import Access
import HTTP
import Payments
import Values

/// The valid values of a setting, and how to parse them.
struct SettingForm<Value: Sendable>: Sendable {
    /// The placeholder for a value in a command's help, such as `port`.
    let placeholder: String
    /// A description of the valid values that fits "… is wanted": `a port from 0 to 65535`.
    let wanted: String
    /// Whether the option alone, without a value, means `true`.
    var isFlag = false
    /// Parses a string; nil if it is invalid.
    let read: @Sendable (String) -> Value?

    /// The same values for a setting that may be absent.
    var optional: SettingForm<Value?> {
        let read = read
        return SettingForm<Value?>(placeholder: placeholder, wanted: wanted, isFlag: isFlag) { text in
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

    private static func text(_ placeholder: String, _ wanted: String) -> SettingForm {
        SettingForm(placeholder: placeholder, wanted: wanted) { $0.isEmpty ? nil : $0 }
    }
}

extension SettingForm where Value == UInt16 {
    static let port = SettingForm(placeholder: "port", wanted: "a port from 0 to 65535") { UInt16($0) }
}

extension SettingForm where Value == Bool {
    static let truth = SettingForm(placeholder: "truth", wanted: "true or false") { truthValue($0) }
    static let flag = SettingForm(placeholder: "truth", wanted: "true or false", isFlag: true) { truthValue($0) }

    private static func truthValue(_ text: String) -> Bool? { text == "true" ? true : text == "false" ? false : nil }
}

extension SettingForm where Value: FixedWidthInteger {
    /// A whole number of `unit` within a range.
    static func number(of unit: String, _ range: ClosedRange<Value>) -> SettingForm {
        SettingForm(
            placeholder: unit, wanted: "a number of \(unit) from \(range.lowerBound) to \(range.upperBound)"
        ) { text in Value(text).flatMap { range.contains($0) ? $0 : nil } }
    }
}

extension SettingForm where Value == Instant {
    static let instant = SettingForm(
        placeholder: "time", wanted: "an instant in UTC such as 2021-09-01T19:03:10Z"
    ) { Instant(rfc3339: $0) }
}

extension SettingForm where Value == TLSSettings.ClientCertificates {
    static let clientCertificates = SettingForm(
        placeholder: "policy", wanted: "none, optional or required"
    ) { TLSSettings.ClientCertificates(rawValue: $0) }
}

extension SettingForm where Value == OperationsSettings.AccessLogPlace {
    static let accessLog = SettingForm(
        placeholder: "file", wanted: "a file, - for standard output, or off"
    ) { $0.isEmpty ? nil : OperationsSettings.AccessLogPlace($0) }
}

extension SettingForm where Value == [WebOrigin] {
    static let origins = SettingForm(
        placeholder: "origins", wanted: "origins separated by commas, without a path"
    ) { text in
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let origins = parts.compactMap { WebOrigin(String($0.drop { $0 == " " })) }
        return origins.count == parts.count ? origins : nil
    }
}

extension SettingForm where Value == HTTPURL {
    static let webhook = SettingForm(placeholder: "url", wanted: "an http or https URL") { HTTPURL($0) }
}
