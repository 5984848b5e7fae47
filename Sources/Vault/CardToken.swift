internal import JSON
public import Values

/// A token for a card that the merchant stores with the gateway ("gateway tokenization").
public struct CardToken: Sendable {
    /// How the card was verified before it was stored.
    public enum VerificationStrategy: String, CaseIterable, Sendable {
        /// The card's details were checked for their form only, such as the number's check digit.
        case basic = "BASIC"
        /// The card was not verified, except for the form of its details.
        case none = "NONE"
    }

    /// The merchant that owns the token.
    public let merchant: MerchantID
    /// The token: 16 digits that begin with 9 and have a valid check digit. They look like a card number, but no issuer
    /// uses the 9.
    public let id: String
    /// The card's fields, at the paths of a request. They never include a security code or data that a device
    /// generated.
    public let fields: StoredFields
    /// How the card was verified.
    public let verificationStrategy: VerificationStrategy
    /// `usage.lastUpdated`: when the card was stored.
    public let lastUpdated: Instant
    /// `usage.lastUsed`: when the token was last used, or stored.
    public let lastUsed: Instant
    /// The number of times that the token was written; 1 for a new token.
    let revision: Int64

    var owner: SealedOwner { SealedOwner(.cardToken, merchant: merchant, id: id) }

    /// The token after an operation used it.
    func used(at instant: Instant) -> CardToken {
        CardToken(
            merchant: merchant, id: id, fields: fields, verificationStrategy: verificationStrategy,
            lastUpdated: lastUpdated, lastUsed: max(instant, lastUsed), revision: revision + 1)
    }

    /// The record as plaintext for sealing.
    var record: SecretBytes {
        var members = JSONObject()
        members.set("updated", lastUpdated.millisecondsSinceEpoch)
        members.set("used", lastUsed.millisecondsSinceEpoch)
        members.set("verification", verificationStrategy.rawValue)
        return fields.record(members)
    }
}

extension CardToken {
    /// Reads the plaintext of a token's record.
    init(record: SecretBytes, merchant: MerchantID, id: String, revision: Int64) throws(RecordFault) {
        let (fields, reader) = try StoredFields.read(record)
        self.init(
            merchant: merchant, id: id, fields: fields, verificationStrategy: try reader.element("verification"),
            lastUpdated: try reader.instant("updated"), lastUsed: try reader.instant("used"), revision: revision)
    }
}
