public import ApplePay

/// What can be wrong with a token, one thing at a time, and which step must notice.
///
/// Each token is lawful but for its defect: whatever the defect doesn't concern is made, encrypted and signed as usual.
public enum MintDefect: String, CaseIterable, Sendable {
    /// The signer's certificate lacks extension 1.2.840.113635.100.6.29.
    case noLeafMarker = "no-leaf-marker"
    /// The intermediate lacks extension 1.2.840.113635.100.6.2.14.
    case noIntermediateMarker = "no-intermediate-marker"
    /// The signer's certificate bears the name of Apple's sandbox.
    case sandboxSigner = "sandbox-signer"
    /// Leaf and intermediate bear the right names and markers, and the intermediate vouches for itself.
    case selfSignedIntermediate = "self-signed-intermediate"
    /// The signer is a third certificate beside the genuine two, made out in the intermediate's name.
    case thirdCertificateSigner = "third-certificate-signer"
    /// The signer's certificate ended a second before it signed.
    case leafExpired = "leaf-expired"
    /// A third certificate that belongs to no chain lies beside the genuine two.
    case strayCertificate = "stray-certificate"
    /// The signed digest is that of other content.
    case digestAltered = "digest-altered"
    /// One bit of the signature is another.
    case signatureAltered = "signature-altered"
    /// One bit of the ciphertext was changed after signing.
    case ciphertextAltered = "ciphertext-altered"
    /// The transaction id was changed after signing.
    case transactionIdAltered = "transaction-id-altered"
    /// Application data was put in, or replaced, after signing.
    case applicationDataAdded = "application-data-added"
    /// Application data was taken out after signing.
    case applicationDataRemoved = "application-data-removed"
    /// Signed 301 s before the order's instant.
    case stale
    /// Signed 301 s after the order's instant.
    case future
    /// The key's hash is that of no key.
    case wrongPublicKeyHash = "wrong-public-key-hash"
    /// The ephemeral key is no point on P-256, and signed like that.
    case offCurveKey = "off-curve-key"
    /// One bit of the authentication tag was changed before signing.
    case tagAltered = "tag-altered"
    /// Encrypted for another merchant identifier.
    case wrongMerchantIdentifier = "wrong-merchant-identifier"
    /// The encrypted payment data is cut in the middle.
    case plaintextTruncated = "plaintext-truncated"
    /// The token is for a minor unit more than the order.
    case amountDiffers = "amount-differs"
    /// The token is for another currency than the order.
    case currencyDiffers = "currency-differs"
    /// The token is for other application data than the order.
    case applicationDataDiffers = "application-data-differs"
    /// An `EC_v1` token with the `wrappedKey` of `RSA_v1`.
    case wrappedKey = "wrapped-key"
    /// A version that Apple's format reference doesn't know.
    case unknownVersion = "unknown-version"
    /// A byte stands in `data` that base 64 doesn't have.
    case invalidBase64 = "invalid-base64"
    /// The last byte of the signature's structure is missing.
    case truncatedCMS = "truncated-cms"
    /// A byte follows the signature's structure.
    case trailingBytes = "trailing-bytes"
    /// The signature has the same signer twice.
    case secondSigner = "second-signer"
    /// The signature has no signed attributes, and so no signing time.
    case noSignedAttributes = "no-signed-attributes"
    /// The signature has attributes that it doesn't cover.
    case unsignedAttributes = "unsigned-attributes"
    /// The signing time stands twice among the signed attributes, once 2 min later.
    case repeatedAttribute = "repeated-attribute"
}

extension MintDefect {
    /// The one step that must refuse a token with this defect.
    public var refusingStep: TokenStep {
        switch self {
        case .wrappedKey, .unknownVersion, .invalidBase64, .truncatedCMS, .trailingBytes, .secondSigner,
            .noSignedAttributes, .unsignedAttributes, .repeatedAttribute:
            .parse
        case .noLeafMarker, .noIntermediateMarker, .sandboxSigner: .certificates
        case .selfSignedIntermediate, .thirdCertificateSigner, .leafExpired, .strayCertificate: .chain
        case .digestAltered, .signatureAltered, .ciphertextAltered, .transactionIdAltered, .applicationDataAdded,
            .applicationDataRemoved:
            .signature
        case .stale, .future: .signingTime
        case .wrongPublicKeyHash: .publicKeyHash
        case .offCurveKey: .symmetricKey
        case .tagAltered, .wrongMerchantIdentifier: .decrypt
        case .plaintextTruncated: .paymentData
        case .amountDiffers, .currencyDiffers, .applicationDataDiffers: .transactionDetails
        }
    }

    /// What is wrong, in one line.
    public var summary: String {
        switch self {
        case .noLeafMarker: "the signer's certificate lacks Apple's marker extension"
        case .noIntermediateMarker: "the intermediate lacks Apple's marker extension"
        case .sandboxSigner: "the signer's certificate bears the name of Apple's sandbox"
        case .selfSignedIntermediate: "leaf and intermediate of an attacker, the intermediate signed by itself"
        case .thirdCertificateSigner: "signed by a third certificate beside the genuine two"
        case .leafExpired: "the signer's certificate ended a second before it signed"
        case .strayCertificate: "a third certificate, of no chain, beside the genuine two"
        case .digestAltered: "the signed digest is that of other content"
        case .signatureAltered: "one bit of the signature is another"
        case .ciphertextAltered: "one bit of the ciphertext was changed after signing"
        case .transactionIdAltered: "one bit of the transaction id was changed after signing"
        case .applicationDataAdded: "applicationData was put in, or replaced, after signing"
        case .applicationDataRemoved: "applicationData was taken out after signing"
        case .stale: "signed 301 s before the instant that was asked for"
        case .future: "signed 301 s after the instant that was asked for"
        case .wrongPublicKeyHash: "the publicKeyHash is that of no key"
        case .offCurveKey: "the ephemeral key is no point on P-256, and properly signed"
        case .tagAltered: "one bit of the authentication tag was changed before signing"
        case .wrongMerchantIdentifier: "encrypted for another merchant identifier"
        case .plaintextTruncated: "the payment data was cut before it was encrypted"
        case .amountDiffers: "for one minor unit more than was asked for"
        case .currencyDiffers: "for another currency than was asked for"
        case .applicationDataDiffers: "for other application data than was asked for"
        case .wrappedKey: "an EC_v1 token with the wrappedKey of RSA_v1"
        case .unknownVersion: "the version is EC_v9"
        case .invalidBase64: "a byte in data that base64 doesn't have"
        case .truncatedCMS: "the last byte of the signature is missing"
        case .trailingBytes: "a byte follows the signature"
        case .secondSigner: "the signature has its signer twice"
        case .noSignedAttributes: "the signature has no signed attributes"
        case .unsignedAttributes: "the signature has attributes that it doesn't cover"
        case .repeatedAttribute: "the signing time stands twice, with two values"
        }
    }
}
