public import JSON
public import OpenSSL
public import Values

/// Why a payment token is refused: one case for each cause. Each cause belongs to one step.
public enum TokenRefusal: Error, Equatable, Sendable {
    // parse
    /// The text is not strict JSON.
    case notJSON(JSONFault)
    /// The text is JSON, but neither it nor any layer in it is an object with a token's members.
    case notAToken
    /// The text is empty, or an object without members. The simulator sends this instead of a token.
    case empty
    /// The token has layers around it, which the merchant doesn't accept: names of members, and `string` for a JSON
    /// string.
    case wrapped([String])
    /// The text is JSON that is still encoded in base64.
    case encodedInBase64
    /// A member is absent, null or empty.
    case memberMissing(String)
    /// A member does not have the expected type: the member's name and the type.
    case memberNotA(String, String)
    /// A member belongs to the other version of the format.
    case memberOfOtherVersion(String, version: String)
    /// A member is not base64 in the form that ``Base64`` reads.
    case notBase64(String, Base64.Fault)
    /// A member is not hexadecimal.
    case notHexadecimal(String)
    /// A member that should be a SHA-256 hash does not have 32 bytes.
    case notSHA256(String)
    /// The transaction id does not have 32 bytes.
    case transactionIdLength
    /// The version is not in Apple's format reference, or this program doesn't support it.
    case versionUnknown(Printable)
    /// The ephemeral key is not an uncompressed P-256 key in DER.
    case ephemeralPublicKeyMalformed
    /// The signature is not CMS in the form that Apple writes.
    case signatureMalformed(CMSFault)

    // certificates
    /// A certificate of the signature can't be read.
    case certificateMalformed(position: Int)
    /// None of the certificates matches the issuer and serial number that the signature names.
    case signerCertificateMissing
    /// The signer's certificate lacks extension 1.2.840.113635.100.6.29.
    case leafMarkerMissing(commonName: Printable)
    /// No other certificate issued the signer's.
    case intermediateMissing
    /// The intermediate lacks extension 1.2.840.113635.100.6.2.14.
    case intermediateMarkerMissing(commonName: Printable)
    /// The signer's key or algorithm does not fit the token's version.
    case signerKeyKind
    /// The signer's key usage does not permit signatures.
    case signerMayNotSign
    /// Apple's sandbox signed the token, and the merchant doesn't accept sandbox tokens.
    case sandboxNotAccepted(commonName: Printable)

    // chain
    /// There is no valid chain to an accepted root at the signing time.
    case chainInvalid(ChainFault)
    /// The chain is valid, but is not exactly leaf, marked intermediate and root; or the signature has an extra
    /// certificate.
    case chainShape

    // signature
    /// The signed digest does not match the token's content.
    case digestDiffers
    /// The signature does not verify with the signer's key.
    case signatureInvalid

    // signingTime
    /// The token was signed too long before the transaction.
    case stale(signingTime: Instant, transaction: Instant, windowSeconds: Int64)
    /// The token was signed too long after the transaction.
    case fromTheFuture(signingTime: Instant, transaction: Instant, windowSeconds: Int64)

    // publicKeyHash
    /// No key of the merchant for the token's version has this hash. `own` lists the merchant's hashes. All hashes are
    /// base64.
    case publicKeyUnknown(hash: String, own: [String], TokenVersion)
    /// All keys of the merchant are for the other version.
    case noKeyOfVersion(TokenVersion)

    // symmetricKey
    /// The merchant's key is for the other version: EC_v1 needs P-256, RSA_v1 needs RSA.
    case keyOfOtherVersion
    /// The ephemeral key is not a point on P-256.
    case ephemeralPublicKeyOffCurve
    /// The wrapped key does not unwrap to the 16 bytes of an AES-128 key.
    case keyNotUnwrapped
    /// OpenSSL's key agreement failed.
    case keyAgreementFailed(OpenSSLError)

    // decrypt
    /// The authentication tag does not match.
    case notAuthentic

    // paymentData
    /// The decrypted text is not strict JSON. The JSON fault is not included, as the text is card data.
    case plaintextNotJSON
    /// A member is absent or null.
    case paymentDataMemberMissing(String)
    /// A member does not have the form that Apple's format reference gives.
    case paymentDataMemberMalformed(String)
    /// The `paymentDataType` is not supported.
    case paymentDataTypeUnknown(Printable)

    // transactionDetails
    /// The token's currency differs from the order's.
    case currencyDiffers(token: TransactionDetails.Total, order: TransactionDetails.Total)
    /// The token's amount differs from the order's. Both are in minor units of the same currency.
    case amountDiffers(tokenMinorUnits: Int64, orderMinorUnits: Int64, currencyCode: String)
    /// The hash in the token is not that of the merchant's application data.
    case applicationDataDiffers
    /// The merchant gave application data, and the token has none.
    case applicationDataMissing
    /// The merchant gave no application data, and the token has some.
    case applicationDataUnexpected
    /// The token has no authentication response for the requesting submerchant.
    case authenticationResponseMissing(merchantIdentifier: Printable)
    /// The token has several authentication responses for the requesting submerchant.
    case authenticationResponseRepeated(merchantIdentifier: Printable)

    // replay
    /// The token was used for another transaction, or may have been.
    case alreadyCredited
    /// The token was presented for another order before.
    case presentedForAnotherOrder
}

extension TokenRefusal {
    /// The step that this refusal belongs to.
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
