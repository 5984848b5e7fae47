internal import JSON
internal import OpenSSL

extension TokenRefusal: CustomStringConvertible {
    /// The step, what was found, and what to do, in one line and without secrets.
    public var description: String { "\(step.rawValue): \(finding) \(remedy)" }

    /// What was expected and found, as one sentence without secrets.
    public var finding: String {
        switch self {
        case .notJSON(let fault): "The token is not JSON: \(fault)."
        case .notAToken: "The text is JSON, but holds no payment token."
        case .empty: "The token has no members."
        case .memberMissing(let path): "The member \(path) is missing or empty."
        case .memberNotA(let type, let path): "The member \(path) is not a JSON \(type)."
        case .memberOfOtherVersion(let path, let version): "The member \(path) does not belong into \(version)."
        case .notBase64(let path): "The member \(path) is not base64."
        case .notHexadecimal(let path): "The member \(path) is not hexadecimal."
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
        case .signerKeyKind: "The signer's key is not of the kind that the token's version asks for."
        case .signerMayNotSign: "The signer's certificate is not for digital signatures."
        case .sandboxNotAccepted(let name): "Apple's sandbox signed the token: \"\(name)\"."
        case .chainInvalid(let refusal):
            "No valid chain to an accepted root at the signing time: \(refusal) (certificate \(refusal.depth))."
        case .chainShape: "The signature's certificates are not exactly leaf, intermediate and, at most, root."
        case .digestDiffers: "The token's content is not what was signed: the digests differ."
        case .signatureInvalid: "The signature is not valid for the signer's key."
        case .stale(let age, let window): "Signed \(age) s before the transaction; \(window) s are allowed."
        case .fromTheFuture(let lead, let window): "Signed \(lead) s after the transaction; \(window) s are allowed."
        case .publicKeyUnknown(let hash): "No key of the merchant has the publicKeyHash \(hash)."
        case .keyOfOtherVersion: "The merchant's key is not of the kind that the token's version needs."
        case .ephemeralPublicKeyOffCurve: "The ephemeral key is not a point on P-256."
        case .keyNotUnwrapped: "The wrapped key does not unwrap to an AES-128 key."
        case .keyAgreementFailed(let error): "The key agreement failed: \(error)."
        case .notAuthentic: "The authentication tag does not match: another key, or altered bytes."
        case .plaintextNotJSON: "The decrypted payment data is not JSON."
        case .paymentDataMemberMissing(let name): "The decrypted payment data lacks \(name)."
        case .paymentDataMemberMalformed(let name): "The decrypted \(name) is not of the documented form."
        case .paymentDataTypeUnknown(let type): "The paymentDataType is \"\(type)\"; 3DSecure and EMV are documented."
        case .currencyDiffers(let token, let order):
            "The token is for currency \(Printable(token)), the order for \(order)."
        case .amountDiffers(let token, let order):
            "The token is for \(token) minor units, the order for \(order)."
        case .applicationDataDiffers: "The token's applicationData is not the hash of what the merchant gave."
        case .applicationDataMissing: "The merchant gave application data, and the token has none."
        case .replayed: "The token's transaction id was used before."
        }
    }

    /// The likely cause and what to do about it, as one sentence.
    public var remedy: String {
        switch self {
        case .notJSON, .notAToken:
            "Send the JSON text of PKPaymentToken.paymentData unchanged, as a string."
        case .empty:
            "The iOS simulator gives no real token: use a device, or mint one with `tollgate token mint`."
        case .memberMissing, .memberNotA, .memberOfOtherVersion, .notBase64, .notHexadecimal, .notSHA256,
            .ephemeralPublicKeyMalformed:
            "Something on the way rewrote the token: pass on the bytes that Apple gave."
        case .versionUnknown: "Check what rewrote the version: Apple names EC_v1 and RSA_v1."
        case .signatureMalformed: "The signature was cut or rewritten: pass on the bytes that Apple gave."
        case .certificateMalformed, .signerCertificateMissing, .intermediateMissing, .signerKeyKind, .signerMayNotSign:
            "Apple does not write such a signature: treat the token as forged or damaged."
        case .leafMarkerMissing, .intermediateMarkerMissing:
            "Certificates without Apple's markers don't sign payment tokens: treat the token as forged."
        case .sandboxNotAccepted:
            "Set `acceptAppleSandbox: true` for the merchant if test cards are wanted, or pay with a real card."
        case .chainInvalid(let refusal) where refusal.isValidityPeriod:
            "A certificate was not valid when the token was signed: check the signing time."
        case .chainInvalid, .chainShape:
            "Check which `trust` the merchant accepts: Apple's root, the local sandbox, or both."
        case .digestDiffers:
            "A member was altered after signing, or applicationData was lost: pass on the token unchanged."
        case .signatureInvalid: "Treat the token as forged or damaged."
        case .stale: "Send tokens at once; for a recorded one start the gateway's clock at its signing time (--clock)."
        case .fromTheFuture: "Check the clock of this machine."
        case .publicKeyUnknown:
            "Configure the key whose Payment Processing Certificate Apple had when the token was made."
        case .keyOfOtherVersion: "Apple does not write such a token: treat it as forged or damaged."
        case .ephemeralPublicKeyOffCurve, .keyNotUnwrapped, .keyAgreementFailed: "Treat the token as forged or damaged."
        case .notAuthentic:
            "Check the merchant identifier, and that the key is the Payment Processing one, not Merchant Identity's."
        case .plaintextNotJSON, .paymentDataMemberMissing, .paymentDataMemberMalformed, .paymentDataTypeUnknown:
            "Report it: the token was encrypted for this merchant, but holds something undocumented."
        case .currencyDiffers, .amountDiffers:
            "Authorize the very amount and currency that the payment sheet showed."
        case .applicationDataDiffers, .applicationDataMissing:
            "Give the bytes that the payment request had as applicationData."
        case .replayed: "Get a new token from the payer; repeat a request only under its own ids."
        }
    }
}
