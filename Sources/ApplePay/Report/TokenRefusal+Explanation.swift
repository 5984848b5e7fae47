internal import JSON
internal import OpenSSL
internal import Values

extension TokenRefusal: CustomStringConvertible {
    /// The step, the finding and the remedy, in one line without secrets.
    public var description: String { "\(step.rawValue): \(finding) \(remedy)" }

    /// What was expected and what was found, as one sentence without secrets.
    public var finding: String {
        switch self {
        case .notJSON(let fault): "The token is not JSON: \(fault)."
        case .notAToken: "The text is JSON, but holds no payment token."
        case .empty: "The token is empty."
        case .wrapped(let names):
            "The token is wrapped (\(names.joined(separator: ", "))), and strictPaymentToken is set; send it as "
                + "JSON.stringify(event.payment.token.paymentData)."
        case .encodedInBase64: "The text is base64, of what may be a token."
        case .memberMissing(let path): "The member \(path) is missing or empty."
        case .memberNotA(let type, let path): "The member \(path) is not a JSON \(type)."
        case .memberOfOtherVersion(let path, let version): "The member \(path) does not belong into \(version)."
        case .notBase64(let path, let fault): "The member \(path) is not base64: \(fault)."
        case .notHexadecimal(let path): "The member \(path) is not hexadecimal."
        case .transactionIdLength: "The member header.transactionId does not have 32 bytes, as every token's has."
        case .notSHA256(let path): "The member \(path) does not have the 32 bytes of a SHA-256 hash."
        case .versionUnknown(let version): "The version is \"\(version)\"; EC_v1 and RSA_v1 can be opened."
        case .ephemeralPublicKeyMalformed:
            "The ephemeral key is not the 91-byte DER of an uncompressed key on P-256."
        case .signatureMalformed(let fault): "The signature is not CMS in the form that Apple writes: \(fault)."
        case .certificateMalformed(let position): "Certificate \(position + 1) of the signature can't be read."
        case .signerCertificateMissing: "The signature does not contain the certificate that its signer names."
        case .leafMarkerMissing(let name):
            "The signer's certificate \"\(name)\" lacks Apple's marker 1.2.840.113635.100.6.29."
        case .intermediateMissing: "The signature does not contain the certificate that issued the signer's."
        case .intermediateMarkerMissing(let name):
            "The intermediate \"\(name)\" lacks Apple's marker 1.2.840.113635.100.6.2.14."
        case .signerKeyKind: "The signer's key or algorithm is not of the kind that the token's version asks for."
        case .signerMayNotSign: "The signer's certificate is not for digital signatures."
        case .sandboxNotAccepted(let name): "Apple's sandbox signed the token: \"\(name)\"."
        case .chainInvalid(let fault): fault.finding
        case .chainShape: "The signature's certificates are not exactly leaf, intermediate and, at most, root."
        case .digestDiffers: "The token's content is not what was signed: the digests differ."
        case .signatureInvalid: "The signature is not valid for the signer's key."
        case .stale(let signingTime, let transaction, let window):
            "Signed at \(signingTime.wholeSeconds), \(seconds(from: signingTime, to: transaction)) s before the transaction "
                + "at \(transaction.wholeSeconds); \(window) s are allowed."
        case .fromTheFuture(let signingTime, let transaction, let window):
            "Signed at \(signingTime.wholeSeconds), \(seconds(from: transaction, to: signingTime)) s after the transaction "
                + "at \(transaction.wholeSeconds); \(window) s are allowed."
        case .publicKeyUnknown(let hash, let own, let version):
            "The token is for the key with publicKeyHash \(hash); the merchant's for \(version.rawValue): "
                + own.prefix(Self.namedKeysMax).joined(separator: ", ")
                + (own.count > Self.namedKeysMax ? " and \(own.count - Self.namedKeysMax) more." : ".")
        case .noKeyOfVersion(.ellipticCurve): "The token is EC_v1, and all keys of the merchant are RSA."
        case .noKeyOfVersion(.rsa): "The token is RSA_v1, and all keys of the merchant are on P-256."
        case .keyOfOtherVersion: "The merchant's key is not of the kind that the token's version needs."
        case .ephemeralPublicKeyOffCurve: "The ephemeral key is not a point on P-256."
        case .keyNotUnwrapped: "The wrapped key does not unwrap to an AES-128 key."
        case .keyAgreementFailed(let error): "The key agreement failed: \(error)."
        case .notAuthentic:
            "The data does not decrypt: its authentication tag differs, for EC_v1 mostly because the token is for another "
                + "merchant identifier."
        case .plaintextNotJSON: "The decrypted payment data is not JSON."
        case .paymentDataMemberMissing(let name): "The decrypted payment data lacks \(name)."
        case .paymentDataMemberMalformed(let name): "The decrypted \(name) is not of the documented form."
        case .paymentDataTypeUnknown(let type): "The paymentDataType is \"\(type)\"; 3DSecure and EMV are documented."
        case .currencyDiffers(let token, let order):
            "The token is \(token.words), the order \(order.words)."
        case .amountDiffers(let token, let order, let currency):
            "The token is for \(AmountText(token, currency)), the order for \(AmountText(order, currency))."
        case .applicationDataDiffers: "The token's applicationData is not the hash of what the merchant gave."
        case .applicationDataMissing: "The merchant gave application data, and the token has none."
        case .applicationDataUnexpected: "The token has application data, and the order is without any."
        case .authenticationResponseMissing(let name): "The token has no authenticationResponses entry of \"\(name)\"."
        case .authenticationResponseRepeated(let name):
            "The token has several authenticationResponses entries of \"\(name)\"."
        case .alreadyCredited: "The token paid for another transaction, or may have."
        case .presentedForAnotherOrder: "The token was presented for another order before."
        }
    }
}

extension TokenRefusal {
    /// The maximum number of a merchant's keys that are listed.
    private static let namedKeysMax = 4

    /// The seconds between two instants, rounded up, so that the stated time is never within the window.
    private func seconds(from earlier: Instant, to later: Instant) -> Int64 {
        (later.millisecondsSinceEpoch - earlier.millisecondsSinceEpoch + 999) / 1000
    }
}

extension TransactionDetails.Total {
    /// The amount with its currency, or only the currency, as text.
    fileprivate var words: String {
        amountMinorUnits.map { "for \(AmountText($0, currencyCode))" } ?? "in \(AmountText.code(of: currencyCode))"
    }
}
