internal import ApplePay
internal import JSON
internal import Payments
internal import Values

/// The configured merchants, without secrets: neither passwords nor private keys.
struct MerchantList {
    /// The number of days before its expiry from which a certificate should be renewed.
    private static let renewalDays: Int64 = 30

    private let gateway: ControlledGateway
    private let baseURL: String

    /// - Parameter baseURL: the merchants' API as the client can reach it.
    init(_ gateway: ControlledGateway, baseURL: String) {
        self.gateway = gateway
        self.baseURL = baseURL
    }

    /// The merchants, in the order of their ids.
    var json: JSONValue {
        let now = gateway.clock.now()
        let merchants = gateway.merchants.all.list.sorted { $0.id.text < $1.id.text }
        return ["baseUrl": .string(baseURL), "merchants": .array(merchants.map { json($0, at: now) })]
    }

    private func json(_ merchant: Merchant, at now: Instant) -> JSONValue {
        [
            "applePay": .array((merchant.applePay?.keys ?? []).map { Self.json($0, at: now) }),
            "isSandbox": .bool(merchant.id == gateway.sandbox?.merchant), "merchant": .string(merchant.id.text),
            "privileges": .array(merchant.privileges.map(\.rawValue).sorted().map { .string($0) }),
            "radial": .bool(gateway.isRadialStore(merchant)),
        ]
    }

    private static func json(_ key: PaymentProcessingKey, at now: Instant) -> JSONValue {
        var members: JSONObject = [
            "publicKeyHash": .string(Base64.encoded(key.publicKeyHash)),
            "version": .string(key.tokenVersion.rawValue),
        ]
        members["merchantIdentifier"] = key.merchantIdentifier.map { .string($0) }
        members["certificate"] = key.certificateNotAfter.map {
            ["daysLeft": .number(JSONNumber($0.wholeDays(after: now))), "notAfter": .string($0.wholeSeconds)]
        }
        members["remedy"] = remedy(key, at: now).map { .string($0) }
        return .object(members)
    }

    /// What to do next about a key; nil if there is nothing to do.
    private static func remedy(_ key: PaymentProcessingKey, at now: Instant) -> String? {
        let renewal = "`tollgate certificate request` begins its renewal."
        guard let notAfter = key.certificateNotAfter else {
            if key.tokenVersion == .ellipticCurve, key.merchantIdentifierHash == nil {
                return "No token can be opened: name the key's certificate, or applePay.merchantIdentifier."
            }
            return "No certificate is named, so nothing warns of its expiry: name it in the merchant's file."
        }
        switch notAfter.wholeDays(after: now) {
        case ..<0: return "The certificate has expired: \(renewal)"
        case 0: return "The certificate expires within a day: \(renewal)"
        case 1: return "The certificate expires in 1 day: \(renewal)"
        case let days where days <= renewalDays: return "The certificate expires in \(days) days: \(renewal)"
        default: return nil
        }
    }
}
