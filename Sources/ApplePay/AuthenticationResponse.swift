public import Values

/// A submerchant's part of a payment for several merchants.
///
/// - Source: Apple, "Payment token format reference", table "Authentication response".
public struct AuthenticationResponse: Sendable {
    /// The submerchant, as the coordinating merchant named it.
    public let merchantIdentifier: String
    /// The cryptogram that the payment network made for the submerchant, exactly as found.
    public let authenticationData: SecretText
    /// The amount authorized for the submerchant, in minor units of the payment's currency.
    public let transactionAmountMinorUnits: Int64
}

/// What a merchant token shows to its holder.
///
/// - Source: Apple, `MerchantTokenMetadata`.
public struct MerchantTokenMetadata: Sendable {
    /// The last digits of the card that the token stands for, if they are given.
    public let fpanSuffix: String?
    /// The expiry date of that card, as the network writes it, if it is given.
    public let expirationDate: String?
    /// Pictures of the card; empty if there are none.
    public let cardArt: [CardArt]

    /// A picture of the card.
    public struct CardArt: Sendable {
        /// The picture's name.
        public let name: String?
        /// What is shown.
        public let type: String?
        /// Where it lies; nothing here looks it up.
        public let url: String?
    }
}
