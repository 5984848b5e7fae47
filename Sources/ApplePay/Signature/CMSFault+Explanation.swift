internal import Values

extension CMSFault: CustomStringConvertible {
    /// The finding, as a phrase that follows a colon.
    public var description: String {
        switch self {
        case .tooLarge: "it has more than 16 KiB"
        case .encoding(let fault): fault.description
        case .notSignedData: "it is not signed data"
        case .version: "its version is not 1"
        case .digestAlgorithm: "its digest is not SHA-256"
        case .signatureAlgorithm: "it is signed neither with ECDSA and SHA-256 nor with RSA and SHA-256"
        case .contentType: "it is over another type than data"
        case .contentNotDetached: "it carries content of its own"
        case .tooManyCertificates: "it carries more than three certificates"
        case .revocationLists: "it carries revocation lists"
        case .severalSigners: "it has more than one signer"
        case .noSignedAttributes: "it has no signed attributes, and so no signing time"
        case .unsignedAttributes: "it has attributes that the signature does not cover"
        case .attribute: "a signed attribute is not of its defined form"
        case .attributeRepeated: "a signed attribute stands twice"
        case .attributeMissing: "content type, message digest or signing time is missing"
        case .attributeWithSeveralValues: "a signed attribute has more than one value"
        case .signingTime: "the signing time is no time"
        }
    }

    /// The likely cause and its remedy.
    var remedy: String {
        switch self {
        case .encoding(.truncated):
            "Its end is missing: look for a column or a buffer that is too short, and pass on the bytes that Apple gave."
        case .encoding(.trailingBytes):
            "Bytes were appended to it: pass on the bytes that Apple gave."
        case .encoding:
            "It was rewritten: pass on the bytes that Apple gave, or at most definite lengths for the indefinite ones."
        case .tooLarge, .notSignedData:
            "Something else is in its place: pass on the bytes that Apple gave."
        case .version, .digestAlgorithm, .signatureAlgorithm, .contentType, .contentNotDetached, .tooManyCertificates,
            .revocationLists, .severalSigners, .noSignedAttributes, .unsignedAttributes, .attribute,
            .attributeRepeated, .attributeMissing, .attributeWithSeveralValues, .signingTime:
            "Apple does not write such a signature: treat the token as forged."
        }
    }
}

extension BERFault: CustomStringConvertible {
    /// The finding, as a phrase that follows a colon.
    public var description: String {
        switch self {
        case .truncated: "it ends inside an element"
        case .trailingBytes: "bytes follow where none may"
        case .highTagNumber: "a tag number is above 30"
        case .length: "a length is written in a form that may not be"
        case .tooDeep: "its elements lie too deep in one another"
        case .unexpectedTag(let expected, let found):
            "an element has the tag \(Hexadecimal.encoded([found])) instead of \(Hexadecimal.encoded([expected]))"
        }
    }
}
