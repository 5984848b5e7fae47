public import JSON
public import Values

/// A payment session: fields of requests to come, kept for a quarter of an hour or so.
public struct Session: Sendable {
    /// What it holds of `session.updateStatus`.
    public enum UpdateStatus: String, CaseIterable, Sendable {
        /// Nothing was stored yet.
        case noUpdate = "NO_UPDATE"
        /// The last update was stored.
        case success = "SUCCESS"
    }

    /// Whose session it is.
    public let merchant: MerchantID
    /// `session.id`, 31 characters. It is a password too, for a limited number of requests.
    public let id: String
    /// `session.version`: ten lower-case hexadecimal digits, of which the last two count: 1 when the session is new, and one
    /// more with each update, modulo 256.
    public let version: String
    /// Whether anything was stored.
    public let updateStatus: UpdateStatus
    /// `session.authenticationLimit`: how many requests the identifier can authenticate.
    public let authenticationLimit: Int64
    /// How many it has authenticated.
    public let authenticationCount: Int64
    /// What was stored.
    public let fields: StoredFields
    /// How often the session was written, 1 when it is new.
    let revision: Int64
}

extension Session {
    /// The paths that are forgotten once an operation has used the session.
    static let forgottenAfterUse: Set<String> = [
        // What an issuer made for one payment, if another provider authenticated its payer; until version 56, and from 57 on.
        "3DSecure.authenticationToken", "authentication.3ds.authenticationToken",
        "sourceOfFunds.provided.card.securityCode",
        "sourceOfFunds.provided.card.devicePayment.onlinePaymentCryptogram",
        "sourceOfFunds.provided.card.devicePayment.eciIndicator",
        "sourceOfFunds.provided.card.devicePayment.3DSecure",
        "sourceOfFunds.provided.card.devicePayment.paymentToken",
    ]

    var owner: SealedOwner { SealedOwner(.session, merchant: merchant, id: id) }

    /// The session after an update that overwrites what both have; what is there can't be removed.
    func updated(with change: StoredFields, versionBytes: [UInt8]) -> Session {
        let count = UInt8(version.suffix(2), radix: 16) ?? 0
        return Session(
            merchant: merchant, id: id, version: Self.version(versionBytes, count: count &+ 1),
            updateStatus: .success, authenticationLimit: authenticationLimit,
            authenticationCount: authenticationCount,
            fields: StoredFields(change.root, over: fields.root, keeping: StoredFields.keepsOneAccount(change.root)),
            revision: revision + 1)
    }

    /// The session after an operation has used it: without what may not outlive an authorization.
    func used() -> Session {
        Session(
            merchant: merchant, id: id, version: version, updateStatus: updateStatus,
            authenticationLimit: authenticationLimit, authenticationCount: authenticationCount,
            fields: fields.removing(Self.forgottenAfterUse), revision: revision + 1)
    }

    /// The session after its identifier has authenticated one more request; nil if it may not.
    func authenticating() -> Session? {
        guard authenticationCount < authenticationLimit else { return nil }
        return Session(
            merchant: merchant, id: id, version: version, updateStatus: updateStatus,
            authenticationLimit: authenticationLimit, authenticationCount: authenticationCount + 1, fields: fields,
            revision: revision + 1)
    }

    /// A version of four bytes and a count.
    static func version(_ bytes: [UInt8], count: UInt8) -> String { Hexadecimal.encoded(bytes + [count]) }
}

extension Session {
    /// The text that is sealed.
    var record: SecretBytes {
        var members = JSONObject()
        members.set("count", authenticationCount)
        members.set("limit", authenticationLimit)
        members.set("status", updateStatus.rawValue)
        members.set("version", version)
        return fields.record(members)
    }

    /// Reads a text that was opened.
    init(record: SecretBytes, merchant: MerchantID, id: String, revision: Int64) throws(RecordFault) {
        let (fields, reader) = try StoredFields.read(record)
        self.init(
            merchant: merchant, id: id, version: try reader.string("version"),
            updateStatus: try reader.element("status"), authenticationLimit: try reader.count("limit"),
            authenticationCount: try reader.count("count"), fields: fields, revision: revision)
    }
}

extension StoredFields {
    /// Keeps the members of two accounts apart. Details of one card may come from several sources, but an encrypted token
    /// holds all of its card, and a card number makes what a device generated for another one worthless.
    ///
    /// - Parameter upper: the layer that wins.
    /// - Returns: whether a member is taken.
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
