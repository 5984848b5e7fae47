/// Why bytes are not the signature of a payment token.
public enum CMSFault: Error, Equatable, Sendable {
    /// The signature has more than 16 KiB.
    case tooLarge
    /// The bytes are not the BER elements that the structure requires: truncated, overlong, or followed by trailing
    /// bytes.
    case encoding(BERFault)
    /// The content is not CMS signed data.
    case notSignedData
    /// The version is not 1.
    case version
    /// The digest algorithm is not SHA-256.
    case digestAlgorithm
    /// The signature algorithm is neither ECDSA with SHA-256 nor RSA with SHA-256.
    case signatureAlgorithm
    /// The content type is not `data`.
    case contentType
    /// The signature is not detached: it contains content.
    case contentNotDetached
    /// The signature contains more than three certificates.
    case tooManyCertificates
    /// The signature contains revocation lists, which Apple doesn't send.
    case revocationLists
    /// There is more than one signer.
    case severalSigners
    /// There are no signed attributes, and so no signing time.
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
