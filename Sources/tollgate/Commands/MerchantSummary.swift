import Access
import JSON
internal import Payments
import Values

/// A merchant's settings for display, as text and as JSON. They contain neither secrets nor digests of secrets.
struct MerchantSummary: CustomStringConvertible {
    let json: JSONValue

    init(_ settings: MerchantSettings) {
        var members: JSONObject = [
            "enabled": .bool(settings.isEnabled),
            "file": .string(settings.path),
            "merchant": .string(settings.id.text),
            "passwords": .array(settings.passwords.map { .string($0.source.words) }),
            "privileges": .array(settings.privileges.map(\.rawValue).sorted().map(JSONValue.string)),
        ]
        if !settings.certificateFingerprints.isEmpty {
            members["certificates"] = .array(
                settings.certificateFingerprints.map { .string(Hexadecimal.encoded($0)) })
        }
        members["currencies"] = settings.currencies.map { .array($0.map { .string($0.code) }) }
        members["applePay"] = settings.applePay.map { .object($0.summary) }
        members["radial"] = settings.radial.map { radial in
            var shown: JSONObject = [
                "apiKeys": .array(radial.apiKeys.map { .string($0.source.words) }),
                "storeID": .string(radial.storeID.text),
            ]
            shown["webhook"] = radial.webhook.map { .string("\($0.address)") }
            return .object(shown)
        }
        json = .object(members)
    }

    /// One line per member; nested members are indented below their parent.
    var description: String {
        guard case .object(let members) = json else { return "" }
        return Self.lines(members, indent: "").joined(separator: "\n")
    }

    /// The merchant's line in a list: its id, whether it is enabled, and what it accepts.
    var line: String {
        let currencies = json["currencies"].map { Self.text($0) } ?? "every currency"
        let applePay = json["applePay"] == nil ? "" : ", Apple Pay"
        let state = json["enabled"] == .bool(true) ? "enabled " : "disabled"
        return "\(json["merchant"].map(Self.text) ?? "")  \(state)  \(currencies)\(applePay)"
    }

    private static func lines(_ members: JSONObject, indent: String) -> [String] {
        let width = members.map(\.name.count).max() ?? 0
        return members.flatMap { name, value -> [String] in
            guard case .object(let nested) = value else {
                return [indent + name.padded(to: width) + "  " + text(value)]
            }
            return [indent + name] + lines(nested, indent: indent + "  ")
        }
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): EscapedLine(text).description
        case .array(let elements): elements.isEmpty ? "none" : elements.map(text).joined(separator: ", ")
        default: String(decoding: value.serialized(), as: UTF8.self)
        }
    }
}

extension MerchantSettings.PasswordSource {
    /// The source or form of the password, as text.
    fileprivate var words: String {
        switch self {
        case .kept(_, let form): form
        case .file(let path): "file \(path)"
        case .environment(let variable): "environment \(variable)"
        }
    }
}

extension ApplePaySettings {
    fileprivate var summary: JSONObject {
        var members: JSONObject = [
            "acceptAppleSandbox": .bool(acceptsAppleSandbox),
            "applicationData": .string(matching.applicationData.setting),
            "keys": .array(namedFiles.map(JSONValue.string)),
            "match": .string(matching.total.rawValue),
            "trust": .array(trust.map { .string($0.rawValue) }),
            "windowSeconds": .number(JSONNumber(windowSeconds)),
        ]
        members["merchantIdentifier"] = merchantIdentifier.map(JSONValue.string)
        members["submerchant"] = submerchant.map(JSONValue.string)
        return members
    }
}
