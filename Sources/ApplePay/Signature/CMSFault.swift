/// Why bytes are not the signature of a payment token.
public enum CMSFault: Error, Equatable, Sendable {
    /// More than 16 KiB.
    case tooLarge
    /// Not the BER elements that the structure requires: truncated, overlong, or followed by trailing bytes.
    case encoding(BERFault)
    /// Not CMS signed data.
    case notSignedData
    /// A version other than 1.
    case version
    /// A digest other than SHA-256.
    case digestAlgorithm
    /// Neither ECDSA with SHA-256 nor RSA with SHA-256.
    case signatureAlgorithm
    /// The content type is not `data`.
    case contentType
    /// The signature is not detached: it contains content.
    case contentNotDetached
    /// More than three certificates.
    case tooManyCertificates
    /// The signature contains revocation lists, which Apple doesn't send.
    case revocationLists
    /// More than one signer.
    case severalSigners
    /// No signed attributes, and so no signing time.
    case noSignedAttributes
    /// The signature has unsigned attributes.
    case unsignedAttributes
    /// An attribute's value does not match its definition.
    case attribute
    /// An attribute is repeated.
    case attributeRepeated
    /// Content type, message digest or signing time is missing.
    case attributeMissing
    /// An attribute that must have one value has several.
    case attributeWithSeveralValues
    /// The signing time is not a valid time.
    case signingTime
}
