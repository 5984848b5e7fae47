/// Why bytes are not the signature of a payment token.
public enum CMSFault: Error, Equatable, Sendable {
    /// More than 16 KiB.
    case tooLarge
    /// Not the elements of BER that the structure asks for; truncated, overlong, or bytes after the end.
    case encoding(BERFault)
    /// Not CMS signed data.
    case notSignedData
    /// A version other than 1.
    case version
    /// A digest other than SHA-256.
    case digestAlgorithm
    /// Neither ECDSA with SHA-256 nor RSA with SHA-256.
    case signatureAlgorithm
    /// Content of another type than data.
    case contentType
    /// The signature carries content of its own.
    case contentNotDetached
    /// More than three certificates.
    case tooManyCertificates
    /// Revocation lists, which Apple doesn't send.
    case revocationLists
    /// More than one signer.
    case severalSigners
    /// No signed attributes, and so no signing time.
    case noSignedAttributes
    /// Attributes that the signature doesn't cover.
    case unsignedAttributes
    /// An attribute of another form than its definition.
    case attribute
    /// An attribute that stands twice.
    case attributeRepeated
    /// Content type, message digest or signing time is missing.
    case attributeMissing
    /// An attribute with more than the one value it may have.
    case attributeWithSeveralValues
    /// A signing time that is no time.
    case signingTime
}
