internal import JSON
public import Values

/// A token that stands for a card which the merchant keeps with the gateway ("gateway tokenization").
public struct CardToken: Sendable {
    /// How the card was verified before it was stored.
    public enum VerificationStrategy: String, CaseIterable, Sendable {
        /// Its details have the form of a card's.
        case basic = "BASIC"
        /// Not at all, beyond that form.
        case none = "NONE"
    }

    /// Whose token it is.
    public let merchant: MerchantID
    /// The token: 16 digits that begin with 9 and have a valid check digit, like a card number that no issuer gives.
    public let id: String
    /// The card's fields, at the paths of a request. Neither a security code nor anything of a device is among them.
    public let fields: StoredFields
    /// How the card was verified.
    public let verificationStrategy: VerificationStrategy
    /// `usage.lastUpdated`: when the card was stored.
    public let lastUpdated: Instant
    /// `usage.lastUsed`: when the token was last used, or stored.
    public let lastUsed: Instant
    /// How often the token was written, 1 when it is new.
    let revision: Int64

    var owner: SealedOwner { SealedOwner(.cardToken, merchant: merchant, id: id) }

    /// The token after a use.
    func used(at instant: Instant) -> CardToken {
        CardToken(
            merchant: merchant, id: id, fields: fields, verificationStrategy: verificationStrategy,
            lastUpdated: lastUpdated, lastUsed: max(instant, lastUsed), revision: revision + 1)
    }

    /// The text that is sealed.
    var record: SecretBytes {
        var members = JSONObject()
        members.set("updated", lastUpdated.millisecondsSinceEpoch)
        members.set("used", lastUsed.millisecondsSinceEpoch)
        members.set("verification", verificationStrategy.rawValue)
        return fields.record(members)
    }
}

extension CardToken {
    /// Reads a text that was opened.
    init(record: SecretBytes, merchant: MerchantID, id: String, revision: Int64) throws(RecordFault) {
        let (fields, reader) = try StoredFields.read(record)
        self.init(
            merchant: merchant, id: id, fields: fields, verificationStrategy: try reader.element("verification"),
            lastUpdated: try reader.instant("updated"), lastUsed: try reader.instant("used"), revision: revision)
    }
}
