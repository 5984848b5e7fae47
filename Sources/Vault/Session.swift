public import JSON
public import Values

/// A payment session: fields for later requests, kept for about a quarter of an hour.
public struct Session: Sendable {
    /// The values of `session.updateStatus`.
    public enum UpdateStatus: String, CaseIterable, Sendable {
        /// No fields were stored yet.
        case noUpdate = "NO_UPDATE"
        /// The last update was stored.
        case success = "SUCCESS"
    }

    /// The merchant that owns the session.
    public let merchant: MerchantID
    /// `session.id`, 31 characters. It also serves as a password for a limited number of requests.
    public let id: String
    /// `session.version`: ten lower-case hexadecimal digits. The last two are a counter, modulo 256: 1 for a new
    /// session, and one more for each update.
    public let version: String
    /// Whether any fields were stored.
    public let updateStatus: UpdateStatus
    /// `session.authenticationLimit`: the maximum number of requests that the identifier can authenticate.
    public let authenticationLimit: Int64
    /// The number of requests that the identifier has authenticated.
    public let authenticationCount: Int64
    /// The stored fields.
    public let fields: StoredFields
    /// The number of times that the session was written; 1 for a new session.
    let revision: Int64
}

extension Session {
    /// The paths that are removed once an operation has used the session.
    static let forgottenAfterUse: Set<String> = [
        // The authentication token from another 3-D Secure provider, for one payment: until API version 56, and from 57
        // on.
        "3DSecure.authenticationToken", "authentication.3ds.authenticationToken",
        "sourceOfFunds.provided.card.securityCode",
        "sourceOfFunds.provided.card.devicePayment.onlinePaymentCryptogram",
        "sourceOfFunds.provided.card.devicePayment.eciIndicator",
        "sourceOfFunds.provided.card.devicePayment.3DSecure",
        "sourceOfFunds.provided.card.devicePayment.paymentToken",
    ]

    var owner: SealedOwner { SealedOwner(.session, merchant: merchant, id: id) }

    /// The session after an update. The update's fields overwrite stored ones. Stored card details of another account are
    /// dropped (``StoredFields/keepsOneAccount(_:)``); no other field can be removed.
    func updated(with change: StoredFields, versionBytes: [UInt8]) -> Session {
        let count = UInt8(version.suffix(2), radix: 16) ?? 0
        return Session(
            merchant: merchant, id: id, version: Self.version(versionBytes, count: count &+ 1),
            updateStatus: .success, authenticationLimit: authenticationLimit,
            authenticationCount: authenticationCount,
            fields: StoredFields(change.root, over: fields.root, keeping: StoredFields.keepsOneAccount(change.root)),
            revision: revision + 1)
    }

    /// The session after an operation used it, without the fields that must not outlive an authorization.
    func used() -> Session {
        Session(
            merchant: merchant, id: id, version: version, updateStatus: updateStatus,
            authenticationLimit: authenticationLimit, authenticationCount: authenticationCount,
            fields: fields.removing(Self.forgottenAfterUse), revision: revision + 1)
    }

    /// The session after its identifier has authenticated one more request; nil if the limit is reached.
    func authenticating() -> Session? {
        guard authenticationCount < authenticationLimit else { return nil }
        return Session(
            merchant: merchant, id: id, version: version, updateStatus: updateStatus,
            authenticationLimit: authenticationLimit, authenticationCount: authenticationCount + 1, fields: fields,
            revision: revision + 1)
    }

    /// A version from four random bytes and a counter.
    static func version(_ bytes: [UInt8], count: UInt8) -> String { Hexadecimal.encoded(bytes + [count]) }
}

extension Session {
    /// The record as plaintext for sealing.
    var record: SecretBytes {
        var members = JSONObject()
        members.set("count", authenticationCount)
        members.set("limit", authenticationLimit)
        members.set("status", updateStatus.rawValue)
        members.set("version", version)
        return fields.record(members)
    }

    /// Reads the plaintext of a record.
    init(record: SecretBytes, merchant: MerchantID, id: String, revision: Int64) throws(RecordFault) {
        let (fields, reader) = try StoredFields.read(record)
        self.init(
            merchant: merchant, id: id, version: try reader.string("version"),
            updateStatus: try reader.element("status"), authenticationLimit: try reader.count("limit"),
            authenticationCount: try reader.count("count"), fields: fields, revision: revision)
    }
}

extension StoredFields {
    /// Prevents a merge from mixing the members of two card accounts. Details of one card may come from several
    /// sources. But an encrypted token contains all card details, so the lower layer's are dropped; and a card number
    /// makes the lower layer's device data useless, as it was generated for another account.
    ///
    /// - Parameter upper: the layer whose values win.
    /// - Returns: a function that decides whether a member is kept.
    public static func keepsOneAccount(_ upper: JSONNode) -> (Layer, String) -> Bool {
        let card = upper["sourceOfFunds"]?["provided"]?["card"]
        func has(_ node: JSONNode?) -> Bool { node.map { !$0.isNull } ?? false }
        let hasToken = has(card?["devicePayment"]?["paymentToken"])
        let hasNumber = has(card?["number"])
        let path = "sourceOfFunds.provided.card."
        return { layer, member in
            guard layer == .lower, member.hasPrefix(path) else { return true }
            if hasToken { return false }
            return !hasNumber || !member.hasPrefix(path + "devicePayment")
        }
    }
}
