import ApplePay
import Payments

/// The `applePay` section of a merchant's file.
struct ApplePaySettings {
    /// A root whose signatures are accepted.
    enum Trust: String {
        /// Apple Root CA - G3.
        case apple
        /// The local authority, which simulates Apple.
        case local
    }

    let merchantIdentifier: String?
    /// The identifier by which the coordinating merchant of a multi-merchant payment names this one, if configured.
    let submerchant: String?
    /// The entries of `keys`, at least one.
    let keys: [YAMLMapping]
    let trust: [Trust]
    let acceptsAppleSandbox: Bool
    let windowSeconds: Int64
    /// Whether a token inside any wrapper is refused (`strictPaymentToken`).
    let refusesWrapped: Bool
    let matching: TokenMatching
    /// The files that `keys` names.
    let namedFiles: [String]

    /// Reads the settings; nil if the file has no `applePay`.
    init?(_ file: YAMLMapping, relativeTo folder: String) throws {
        guard
            let applePay = try file.nested(
                "applePay",
                keys: [
                    "acceptAppleSandbox", "applicationData", "keys", "match", "merchantIdentifier",
                    "strictPaymentToken",
                    "submerchant", "trust", "windowSeconds",
                ])
        else { return nil }
        merchantIdentifier = try applePay.string("merchantIdentifier")
        guard merchantIdentifier?.isEmpty != true else { throw applePay.failure("merchantIdentifier", "empty") }
        submerchant = try applePay.string("submerchant")
        guard submerchant?.isEmpty != true else { throw applePay.failure("submerchant", "empty") }
        trust = try (applePay.strings("trust") ?? [Trust.apple.rawValue]).enumerated().map { index, name in
            guard let trust = Trust(rawValue: name) else {
                throw applePay.failure("trust[\(index)]", "expected apple or local, not \(name)")
            }
            return trust
        }
        guard !trust.isEmpty else { throw applePay.failure("trust", "name apple, local, or both") }
        acceptsAppleSandbox = try applePay.bool("acceptAppleSandbox") ?? false
        windowSeconds =
            try applePay.integer("windowSeconds", in: 0...86_400).map(Int64.init) ?? TokenOpener.defaultWindowSeconds
        refusesWrapped = try applePay.bool("strictPaymentToken") ?? false
        matching = TokenMatching(
            total: try Self.total(applePay), applicationData: try Self.applicationData(applePay),
            payee: submerchant.map(Payee.submerchantOfSeveral) ?? merchantIdentifier.map(Payee.coordinator) ?? .whole)
        keys = try applePay.mappings("keys", keys: MerchantKey.settings)
        guard !keys.isEmpty else { throw applePay.failure("keys", "name at least one") }
        namedFiles = try keys.flatMap { entry in
            try MerchantKey.fileSettings.compactMap { try entry.string($0) }
                .map { MerchantSettings.absolute($0, relativeTo: folder) }
        }
    }

    private static func total(_ applePay: YAMLMapping) throws -> TokenMatching.Total {
        guard let name = try applePay.string("match") else { return .exact }
        guard let total = TokenMatching.Total(rawValue: name) else {
            let known = TokenMatching.Total.allCases.map(\.rawValue).joined(separator: ", ")
            throw applePay.failure("match", "\(name) is none of: \(known)")
        }
        return total
    }

    private static func applicationData(_ applePay: YAMLMapping) throws -> TokenMatching.ApplicationData {
        guard let text = try applePay.string("applicationData") else { return .any }
        switch text {
        case "any": return .any
        case "none": return .none
        case "order.id": return .orderID
        case "order.reference": return .orderReference
        default:
            let name = text.dropFirst("header:".count)
            guard text.hasPrefix("header:"), !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter) else {
                throw applePay.failure(
                    "applicationData", "\(text) is none of: any, none, order.id, order.reference, header:<Name>")
            }
            return .header(name: String(name))
        }
    }
}

extension TokenMatching.ApplicationData {
    /// The value as in the file.
    var setting: String {
        switch self {
        case .any: "any"
        case .none: "none"
        case .orderID: "order.id"
        case .orderReference: "order.reference"
        case .header(let name): "header:\(name)"
        }
    }
}

extension UInt8 {
    /// Whether the byte may occur in a header field name (RFC 9110 §5.6.2).
    fileprivate var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
