/// The steps of checking a payment token, in the order of a report.
public enum TokenStep: String, CaseIterable, Sendable {
    /// JSON, members, base64 and hexadecimal, version, and the CMS structure of the signature.
    case parse
    /// The signer's certificate and the intermediate, with Apple's marker extensions.
    case certificates
    /// The chain to an accepted root, as of the signing time.
    case chain
    /// The digest and the signature over ephemeral key, data, transaction id and application data.
    case signature
    /// The signing time compared with the instant of the transaction.
    case signingTime
    /// The selection of the merchant's key that the token is encrypted to.
    case publicKeyHash
    /// Recovery of the symmetric key: key agreement and derivation for EC_v1, unwrapping for RSA_v1.
    case symmetricKey
    /// Authenticated decryption.
    case decrypt
    /// The members of the decrypted payment data.
    case paymentData
    /// Currency, amount and application data compared with the order.
    case transactionDetails
    /// Whether the transaction id was credited before, which only a gateway knows.
    case replay
}
