internal import OpenSSL
internal import Values

extension TokenRefusal {
    /// The likely cause and its remedy, in one or two sentences.
    public var remedy: String {
        switch self {
        case .notJSON, .notAToken, .empty, .wrapped, .encodedInBase64, .memberMissing, .memberNotA,
            .memberOfOtherVersion,
            .notBase64, .notHexadecimal, .notSHA256, .transactionIdLength, .versionUnknown,
            .ephemeralPublicKeyMalformed,
            .signatureMalformed:
            remedyOfForm
        case .certificateMalformed, .signerCertificateMissing, .leafMarkerMissing, .intermediateMissing,
            .intermediateMarkerMissing, .signerKeyKind, .signerMayNotSign, .sandboxNotAccepted, .chainInvalid,
            .chainShape, .digestDiffers, .signatureInvalid, .stale, .fromTheFuture:
            remedyOfSignature
        case .publicKeyUnknown, .noKeyOfVersion, .keyOfOtherVersion, .ephemeralPublicKeyOffCurve, .keyNotUnwrapped,
            .keyAgreementFailed, .notAuthentic, .plaintextNotJSON, .paymentDataMemberMissing,
            .paymentDataMemberMalformed, .paymentDataTypeUnknown:
            remedyOfDecryption
        case .currencyDiffers, .amountDiffers, .applicationDataDiffers, .applicationDataMissing,
            .applicationDataUnexpected, .authenticationResponseMissing, .authenticationResponseRepeated,
            .alreadyCredited,
            .presentedForAnotherOrder:
            remedyOfUse
        }
    }

    private var remedyOfForm: String {
        switch self {
        case .empty:
            "The iOS Simulator gives no real token: use a device, or mint one with `tollgate token mint`."
        case .wrapped:
            "Send JSON.stringify(event.payment.token.paymentData), the object that Apple calls paymentData alone."
        case .encodedInBase64: "Decode it once: the token is the JSON text inside."
        case .notBase64(_, .urlAlphabet): "Something on the way changed the alphabet: pass on + and / as they were."
        case .notBase64(_, .space), .notBase64(_, .percentEncoding):
            "It went through a form or a URL: encode it there before sending, and decode it once."
        case .notBase64(_, .padding), .notBase64(_, .cut), .notBase64(_, .foreignByte):
            "Something on the way cut or rewrote it: pass on the text that Apple gave, its end included."
        case .notHexadecimal("header.applicationData"), .notSHA256("header.applicationData"):
            "Apple writes a SHA-256 in hexadecimal there: pass it on as it was, not in base64 and not the bytes themselves."
        case .memberOfOtherVersion: "One token holds one key: don't fill in or merge members."
        case .versionUnknown: "Check what rewrote the version: Apple names EC_v1 and RSA_v1, in these letters."
        case .signatureMalformed(let fault): fault.remedy
        default: "Something on the way rewrote it: send the JSON text of PKPaymentToken.paymentData unchanged."
        }
    }

    private var remedyOfSignature: String {
        switch self {
        case .leafMarkerMissing, .intermediateMarkerMissing:
            "Certificates without Apple's markers don't sign payment tokens: treat the token as forged."
        case .sandboxNotAccepted:
            "Set `acceptAppleSandbox: true` for the merchant to accept test cards, or pay with a real card."
        case .chainInvalid(let fault): fault.remedy
        case .chainShape: "Apple sends leaf and intermediate: treat a token with other certificates as forged."
        case .digestDiffers:
            "A member was altered after signing, often header.applicationData, lost or re-encoded: pass on the token "
                + "unchanged."
        case .stale:
            "Send tokens at once, not from a queue, and compare the clocks; for a recorded one use `token inspect --at "
                + "signing`, or start the gateway's clock at its signing time (--clock)."
        case .fromTheFuture: "Compare this machine's clock with another one."
        case .signatureInvalid: "Treat the token as forged or damaged."
        default: "Apple does not write such a signature: treat the token as forged or damaged."
        }
    }

    private var remedyOfDecryption: String {
        switch self {
        case .publicKeyUnknown:
            "Configure the key of the Payment Processing Certificate (not Merchant Identity's) that was active when the "
                + "token was made; after a renewal tokens for the old one come for an hour, so keep both keys. `tollgate "
                + "certificate show FILE` prints a key's or a certificate's publicKeyHash."
        case .noKeyOfVersion(let version):
            "The version follows the request's merchantCapabilities and the region: configure "
                + (version == .rsa ? "an RSA key of 2048 bits" : "a key on P-256") + " with its certificate as well."
        case .keyOfOtherVersion: "Apple does not write such a token: treat it as forged or damaged."
        case .keyNotUnwrapped:
            "It was not wrapped by RSA-OAEP with SHA-256 for this key: treat the token as forged or damaged."
        case .ephemeralPublicKeyOffCurve, .keyAgreementFailed: "Treat the token as forged or damaged."
        case .notAuthentic:
            "The signature and the key's hash fit, so for EC_v1 check the merchant identifier, letter by letter, or name "
                + "the Payment Processing Certificate, which holds its hash."
        default: "Report it: the token was encrypted for this merchant, but holds something undocumented."
        }
    }

    private var remedyOfUse: String {
        switch self {
        case .amountDiffers(let token, let order, _) where isHundredfold(token, order) || isHundredfold(order, token):
            "One is a hundred times the other: give units and not minor units, as the payment sheet showed them."
        case .currencyDiffers, .amountDiffers:
            "Authorize the very amount and currency that the payment sheet showed."
        case .applicationDataDiffers:
            "Give the bytes that the payment request had, before any base64, or their SHA-256; or the token is another "
                + "order's."
        case .applicationDataMissing:
            "The app did not set applicationData, or the token was made for another request."
        case .applicationDataUnexpected:
            "The token was made for a request with applicationData: give it, or find out which order it belongs to."
        case .authenticationResponseMissing:
            "Give the identifier that the coordinating merchant had in its request, letter by letter."
        case .authenticationResponseRepeated: "Apple documents no rule for this: ask the coordinating merchant."
        default: "Get a new token from the payer; repeat a request only under its own ids."
        }
    }
}

private func isHundredfold(_ greater: Int64, _ lesser: Int64) -> Bool {
    let (product, isOverflow) = lesser.multipliedReportingOverflow(by: 100)
    return !isOverflow && lesser != 0 && product == greater
}
