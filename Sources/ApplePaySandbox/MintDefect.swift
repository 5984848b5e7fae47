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
    /// The signer is the one of the other version's tokens.
    case otherVersionSigner = "other-version-signer"
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
    /// One bit of the wrapped key was changed before signing.
    case wrappedKeyAltered = "wrapped-key-altered"
    /// The last byte of the wrapped key is missing, and signed like that.
    case wrappedKeyTruncated = "wrapped-key-truncated"
    /// What is wrapped is a key of 32 bytes, as AES-256 has them.
    case wrappedKeyOf32Bytes = "wrapped-key-of-32-bytes"
    /// One bit of the authentication tag was changed before signing.
    case tagAltered = "tag-altered"
    /// Encrypted for another merchant identifier.
    case wrongMerchantIdentifier = "wrong-merchant-identifier"
    /// The encrypted payment data is cut in the middle.
    case plaintextTruncated = "plaintext-truncated"
    /// The payment data's detail is not of the type that `paymentDataType` names.
    case detailOfOtherType = "detail-of-other-type"
    /// A `paymentDataType` that Apple's format reference doesn't know.
    case unknownPaymentDataType = "unknown-payment-data-type"
    /// `encryptedPINData` is not hexadecimal.
    case pinMalformed = "pin-malformed"
    /// The token is for a minor unit more than the order.
    case amountDiffers = "amount-differs"
    /// The token is for another currency than the order.
    case currencyDiffers = "currency-differs"
    /// The token is for other application data than the order.
    case applicationDataDiffers = "application-data-differs"
    /// The entry of the first submerchant is missing.
    case submerchantMissing = "submerchant-missing"
    /// The entry of the first submerchant stands twice.
    case submerchantRepeated = "submerchant-repeated"
    /// The entry of the first submerchant is for a minor unit more than the order.
    case submerchantAmountDiffers = "submerchant-amount-differs"
    /// An `EC_v1` token with the `wrappedKey` of `RSA_v1`.
    case wrappedKey = "wrapped-key"
    /// An `RSA_v1` token with the `ephemeralPublicKey` of `EC_v1`.
    case ephemeralKey = "ephemeral-key"
    /// A version that Apple's format reference doesn't know.
    case unknownVersion = "unknown-version"
    /// A byte stands in `data` that base 64 doesn't have.
    case invalidBase64 = "invalid-base64"
    /// `signature` is in the alphabet for URLs.
    case urlAlphabet = "url-alphabet"
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
    /// What a token must be so that it can have a defect.
    public enum Requirement: Equatable, Sendable, CustomStringConvertible {
        /// A token of this version.
        case version(TokenVersion)
        /// A token of type `EMV` with an encrypted PIN.
        case encryptedPIN
        /// A token for several submerchants.
        case submerchants

        /// Whether a token of this version that is minted to `order` is such a token.
        public func isMet(by order: MintOrder, _ version: TokenVersion) -> Bool {
            switch self {
            case .version(let required): required == version
            case .encryptedPIN: order.emvPayment?.encryptedPINData != nil
            case .submerchants: !order.submerchants.isEmpty
            }
        }

        /// What is required, as one says it of a token.
        public var description: String {
            switch self {
            case .version(let version): version.rawValue
            case .encryptedPIN: "EMV with an encrypted PIN"
            case .submerchants: "for submerchants"
            }
        }
    }

    /// What a token must be so that it can have this defect; nothing if any can.
    public var requirement: Requirement? {
        switch self {
        case .offCurveKey, .wrongMerchantIdentifier, .wrappedKey: .version(.ellipticCurve)
        case .wrappedKeyAltered, .wrappedKeyTruncated, .wrappedKeyOf32Bytes, .ephemeralKey: .version(.rsa)
        case .pinMalformed: .encryptedPIN
        case .submerchantMissing, .submerchantRepeated, .submerchantAmountDiffers: .submerchants
        default: nil
        }
    }

    /// The one step that must refuse a token with this defect.
    public var refusingStep: TokenStep {
        switch self {
        case .wrappedKey, .ephemeralKey, .unknownVersion, .invalidBase64, .urlAlphabet, .truncatedCMS,
            .trailingBytes, .secondSigner, .noSignedAttributes, .unsignedAttributes, .repeatedAttribute:
            .parse
        case .noLeafMarker, .noIntermediateMarker, .sandboxSigner, .otherVersionSigner: .certificates
        case .selfSignedIntermediate, .thirdCertificateSigner, .leafExpired, .strayCertificate: .chain
        case .digestAltered, .signatureAltered, .ciphertextAltered, .transactionIdAltered, .applicationDataAdded,
            .applicationDataRemoved:
            .signature
        case .stale, .future: .signingTime
        case .wrongPublicKeyHash: .publicKeyHash
        case .offCurveKey, .wrappedKeyAltered, .wrappedKeyTruncated, .wrappedKeyOf32Bytes: .symmetricKey
        case .tagAltered, .wrongMerchantIdentifier: .decrypt
        case .plaintextTruncated, .detailOfOtherType, .unknownPaymentDataType, .pinMalformed: .paymentData
        case .amountDiffers, .currencyDiffers, .applicationDataDiffers, .submerchantMissing, .submerchantRepeated,
            .submerchantAmountDiffers:
            .transactionDetails
        }
    }
}
