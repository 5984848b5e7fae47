public import ApplePay

/// The possible defects of a token, one at a time, each with the step that must detect it.
///
/// A token is valid except for its defect: all other parts are made, encrypted and signed as usual.
public enum MintDefect: String, CaseIterable, Sendable {
    /// The signer's certificate lacks extension 1.2.840.113635.100.6.29.
    case noLeafMarker = "no-leaf-marker"
    /// The intermediate lacks extension 1.2.840.113635.100.6.2.14.
    case noIntermediateMarker = "no-intermediate-marker"
    /// The signer's certificate has the common name of Apple's sandbox.
    case sandboxSigner = "sandbox-signer"
    /// The signer is that of the other token version.
    case otherVersionSigner = "other-version-signer"
    /// Leaf and intermediate have the right names and markers, but the intermediate is self-signed.
    case selfSignedIntermediate = "self-signed-intermediate"
    /// A third certificate is added to the genuine two and signs. It names the intermediate as its issuer.
    case thirdCertificateSigner = "third-certificate-signer"
    /// The signer's certificate expired one second before the signing time.
    case leafExpired = "leaf-expired"
    /// A third certificate, outside of the chain, is added to the genuine two.
    case strayCertificate = "stray-certificate"
    /// The signed digest is that of other content.
    case digestAltered = "digest-altered"
    /// One bit of the signature is flipped.
    case signatureAltered = "signature-altered"
    /// One bit of the ciphertext is flipped after signing.
    case ciphertextAltered = "ciphertext-altered"
    /// The transaction id was changed after signing.
    case transactionIdAltered = "transaction-id-altered"
    /// Application data was added or replaced after signing.
    case applicationDataAdded = "application-data-added"
    /// Application data was removed after signing.
    case applicationDataRemoved = "application-data-removed"
    /// The token was signed 301 s before the order's instant.
    case stale
    /// The token was signed 301 s after the order's instant.
    case future
    /// The public key hash matches no key.
    case wrongPublicKeyHash = "wrong-public-key-hash"
    /// The ephemeral key is not a point on P-256; the signature covers this key.
    case offCurveKey = "off-curve-key"
    /// One bit of the wrapped key is flipped before signing.
    case wrappedKeyAltered = "wrapped-key-altered"
    /// The last byte of the wrapped key is missing, and the rest is signed.
    case wrappedKeyTruncated = "wrapped-key-truncated"
    /// The wrapped key has 32 bytes, as for AES-256.
    case wrappedKeyOf32Bytes = "wrapped-key-of-32-bytes"
    /// One bit of the authentication tag is flipped before signing.
    case tagAltered = "tag-altered"
    /// The token is encrypted for another merchant identifier.
    case wrongMerchantIdentifier = "wrong-merchant-identifier"
    /// The encrypted payment data is truncated in the middle.
    case plaintextTruncated = "plaintext-truncated"
    /// The payment data does not have the type that `paymentDataType` names.
    case detailOfOtherType = "detail-of-other-type"
    /// The `paymentDataType` is not in Apple's format reference.
    case unknownPaymentDataType = "unknown-payment-data-type"
    /// `encryptedPINData` is not hexadecimal.
    case pinMalformed = "pin-malformed"
    /// The token's amount is one minor unit more than the order's.
    case amountDiffers = "amount-differs"
    /// The token's currency is not the order's.
    case currencyDiffers = "currency-differs"
    /// The token's application data is not the order's.
    case applicationDataDiffers = "application-data-differs"
    /// The entry of the first submerchant is missing.
    case submerchantMissing = "submerchant-missing"
    /// The entry of the first submerchant is repeated.
    case submerchantRepeated = "submerchant-repeated"
    /// The first submerchant's amount is one minor unit more than the order's.
    case submerchantAmountDiffers = "submerchant-amount-differs"
    /// An `EC_v1` token contains the `wrappedKey` of `RSA_v1`.
    case wrappedKey = "wrapped-key"
    /// An `RSA_v1` token contains the `ephemeralPublicKey` of `EC_v1`.
    case ephemeralKey = "ephemeral-key"
    /// The version is not in Apple's format reference.
    case unknownVersion = "unknown-version"
    /// `data` contains a character that is not in the base64 alphabet.
    case invalidBase64 = "invalid-base64"
    /// `signature` uses the URL-safe base64 alphabet.
    case urlAlphabet = "url-alphabet"
    /// The last byte of the CMS signature is missing.
    case truncatedCMS = "truncated-cms"
    /// An extra byte follows the CMS signature.
    case trailingBytes = "trailing-bytes"
    /// The signature contains the same signer twice.
    case secondSigner = "second-signer"
    /// The signature has no signed attributes, and so no signing time.
    case noSignedAttributes = "no-signed-attributes"
    /// The signature has unsigned attributes.
    case unsignedAttributes = "unsigned-attributes"
    /// The signed attributes contain the signing time twice, once 2 min later.
    case repeatedAttribute = "repeated-attribute"
}

extension MintDefect {
    /// The property that a token must have for a defect.
    public enum Requirement: Equatable, Sendable, CustomStringConvertible {
        /// The token has this version.
        case version(TokenVersion)
        /// The token has type `EMV` and an encrypted PIN.
        case encryptedPIN
        /// The token is for several submerchants.
        case submerchants

        /// Whether a token that is minted for `order` in this version meets the requirement.
        public func isMet(by order: MintOrder, _ version: TokenVersion) -> Bool {
            switch self {
            case .version(let required): required == version
            case .encryptedPIN: order.emvPayment?.encryptedPINData != nil
            case .submerchants: !order.submerchants.isEmpty
            }
        }

        /// The requirement, as a phrase that follows "a token that is".
        public var description: String {
            switch self {
            case .version(let version): version.rawValue
            case .encryptedPIN: "EMV with an encrypted PIN"
            case .submerchants: "for submerchants"
            }
        }
    }

    /// The property that a token must have for this defect; nil if the defect applies to any token.
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
