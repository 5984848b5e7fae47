public import JSON
public import OpenSSL
public import Values

/// Why a payment token is refused: one case for each cause, each belonging to one step.
public enum TokenRefusal: Error, Equatable, Sendable {
    // parse
    /// The text is not strict JSON.
    case notJSON(JSONFault)
    /// JSON, but not an object with a token's members, however wrapped.
    case notAToken
    /// No text, or an object without members: what the simulator gives instead of a token.
    case empty
    /// Something stands around the token, and the merchant takes none so: names of members, and `string`.
    case wrapped([String])
    /// Base 64 of JSON, which nobody decoded.
    case encodedInBase64
    /// A member is absent, null or empty.
    case memberMissing(String)
    /// A member has another type than this one.
    case memberNotA(String, String)
    /// A member that belongs to the other version of the format.
    case memberOfOtherVersion(String, version: String)
    /// A member is not base 64 in the form that ``Base64`` reads.
    case notBase64(String, Base64.Fault)
    /// A member is not hexadecimal.
    case notHexadecimal(String)
    /// A member that should be a SHA-256 hash, or as long as one, does not have 32 bytes.
    case notSHA256(String)
    /// The transaction id does not have 32 bytes.
    case transactionIdLength
    /// A version that Apple's format reference doesn't know, or that this program doesn't open.
    case versionUnknown(Printable)
    /// The ephemeral key is not the DER of an uncompressed P-256 key.
    case ephemeralPublicKeyMalformed
    /// The signature is not CMS as Apple writes it.
    case signatureMalformed(CMSFault)

    // certificates
    /// A certificate of the signature can't be read.
    case certificateMalformed(position: Int)
    /// None of the certificates is the one that the signer names.
    case signerCertificateMissing
    /// The signer's certificate lacks extension 1.2.840.113635.100.6.29.
    case leafMarkerMissing(commonName: Printable)
    /// No other certificate issued the signer's.
    case intermediateMissing
    /// The intermediate lacks extension 1.2.840.113635.100.6.2.14.
    case intermediateMarkerMissing(commonName: Printable)
    /// The signer's key or algorithm is not of the kind that the token's version asks for.
    case signerKeyKind
    /// The signer's certificate is not for signatures.
    case signerMayNotSign
    /// Apple's sandbox signed, and the merchant doesn't accept its tokens.
    case sandboxNotAccepted(commonName: Printable)

    // chain
    /// No valid chain to an accepted root at the signing time.
    case chainInvalid(ChainFault)
    /// A valid chain, but not of exactly leaf, marked intermediate and root, or a certificate beside them.
    case chainShape

    // signature
    /// The signed digest is not that of this token's content.
    case digestDiffers
    /// The signature is not the signer's.
    case signatureInvalid

    // signingTime
    /// Signed longer before the transaction than the window allows.
    case stale(signingTime: Instant, transaction: Instant, windowSeconds: Int64)
    /// Signed longer after the transaction than the window allows.
    case fromTheFuture(signingTime: Instant, transaction: Instant, windowSeconds: Int64)

    // publicKeyHash
    /// None of the merchant's keys of the token's version has this hash; theirs are the others. All are base64.
    case publicKeyUnknown(hash: String, own: [String], TokenVersion)
    /// All keys of the merchant are for the other version.
    case noKeyOfVersion(TokenVersion)

    // symmetricKey
    /// The merchant's key is of the kind that the other version needs: P-256 for EC_v1, RSA for RSA_v1.
    case keyOfOtherVersion
    /// The ephemeral key is not a point on P-256.
    case ephemeralPublicKeyOffCurve
    /// The wrapped key does not unwrap to the 16 bytes of an AES-128 key.
    case keyNotUnwrapped
    /// OpenSSL could not agree on a secret.
    case keyAgreementFailed(OpenSSLError)

    // decrypt
    /// The authentication tag does not match.
    case notAuthentic

    // paymentData
    /// The decrypted text is not strict JSON. Its fault is not told: the text is card data.
    case plaintextNotJSON
    /// A member is absent or null.
    case paymentDataMemberMissing(String)
    /// A member is not of the form that Apple's format reference gives.
    case paymentDataMemberMalformed(String)
    /// A `paymentDataType` that this program doesn't take.
    case paymentDataTypeUnknown(Printable)

    // transactionDetails
    /// The token is for another currency than the order.
    case currencyDiffers(token: TransactionDetails.Total, order: TransactionDetails.Total)
    /// The token is for another amount than the order, both in minor units of the same currency.
    case amountDiffers(tokenMinorUnits: Int64, orderMinorUnits: Int64, currencyCode: String)
    /// The token's application data is not the hash that the merchant gave.
    case applicationDataDiffers
    /// The merchant gave application data, and the token has none.
    case applicationDataMissing
    /// The merchant gave no application data, and the token has some.
    case applicationDataUnexpected
    /// The token has no authentication response of the submerchant who asks.
    case authenticationResponseMissing(merchantIdentifier: Printable)
    /// The token has several authentication responses of the submerchant who asks.
    case authenticationResponseRepeated(merchantIdentifier: Printable)

    // replay
    /// The token paid for another transaction, or may have.
    case alreadyCredited
    /// The token was presented for another order before.
    case presentedForAnotherOrder
}

extension TokenRefusal {
    /// The step that refuses.
    public var step: TokenStep {
        switch self {
        case .notJSON, .notAToken, .empty, .wrapped, .encodedInBase64, .memberMissing, .memberNotA,
            .memberOfOtherVersion,
            .notBase64,
            .notHexadecimal, .notSHA256, .transactionIdLength, .versionUnknown, .ephemeralPublicKeyMalformed,
            .signatureMalformed:
            .parse
        case .certificateMalformed, .signerCertificateMissing, .leafMarkerMissing, .intermediateMissing,
            .intermediateMarkerMissing, .signerKeyKind, .signerMayNotSign, .sandboxNotAccepted:
            .certificates
        case .chainInvalid, .chainShape: .chain
        case .digestDiffers, .signatureInvalid: .signature
        case .stale, .fromTheFuture: .signingTime
        case .publicKeyUnknown, .noKeyOfVersion: .publicKeyHash
        case .keyOfOtherVersion, .ephemeralPublicKeyOffCurve, .keyNotUnwrapped, .keyAgreementFailed: .symmetricKey
        case .notAuthentic: .decrypt
        case .plaintextNotJSON, .paymentDataMemberMissing, .paymentDataMemberMalformed, .paymentDataTypeUnknown:
            .paymentData
        case .currencyDiffers, .amountDiffers, .applicationDataDiffers, .applicationDataMissing,
            .applicationDataUnexpected, .authenticationResponseMissing, .authenticationResponseRepeated:
            .transactionDetails
        case .alreadyCredited, .presentedForAnotherOrder: .replay
        }
    }
}
