/// The steps in which a payment token is judged, in the order of a report.
public enum TokenStep: String, CaseIterable, Sendable {
    /// JSON, members, base64 and hexadecimal, version, and the CMS structure of the signature.
    case parse
    /// The signer's certificate and the intermediate, with Apple's marker extensions.
    case certificates
    /// The chain to an accepted root, judged at the signing time.
    case chain
    /// The digest and the signature over ephemeral key, data, transaction id and application data.
    case signature
    /// The signing time against the instant of the transaction.
    case signingTime
    /// The merchant's key that Apple encrypted to.
    case publicKeyHash
    /// Key agreement and derivation.
    case symmetricKey
    /// Authenticated decryption.
    case decrypt
    /// The members of the decrypted payment data.
    case paymentData
    /// Currency, amount and application data against the order.
    case transactionDetails
    /// Whether the transaction id was credited before; only a gateway remembers.
    case replay
}
