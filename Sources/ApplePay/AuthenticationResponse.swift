public import Values

/// A submerchant's part of a payment for several merchants.
///
/// - Source: Apple, "Payment token format reference", table "Authentication response".
public struct AuthenticationResponse: Sendable {
    /// The submerchant's identifier, as the coordinating merchant named it.
    public let merchantIdentifier: String
    /// The payment network's cryptogram for the submerchant, exactly as received.
    public let authenticationData: SecretText
    /// The amount authorized for the submerchant, in minor units of the payment's currency.
    public let transactionAmountMinorUnits: Int64
}

/// The card details that a merchant token shows to its holder.
///
/// - Source: Apple, `MerchantTokenMetadata`.
public struct MerchantTokenMetadata: Sendable {
    /// The last digits of the card that the merchant token represents, if they are given.
    public let fpanSuffix: String?
    /// The expiry date of that card, as the network writes it, if it is given.
    public let expirationDate: String?
    /// Images of the card; empty if there are none.
    public let cardArt: [CardArt]

    /// An image of the card.
    public struct CardArt: Sendable {
        /// The image's name.
        public let name: String?
        /// The image's type.
        public let type: String?
        /// The image's address. It is never fetched here.
        public let url: String?
    }
}
