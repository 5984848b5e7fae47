internal import ApplePay
internal import JSON
internal import OpenSSL
internal import Values

extension MintDefect {
    /// The changes that give a token this defect.
    var alteration: TokenAlteration {
        switch self {
        case .noLeafMarker:
            .init(signer: { (signer) throws(OpenSSLError) in
                try signer.takeCertificate(.signer(signer.commonName(), marker: nil))
            })
        case .noIntermediateMarker:
            .init(signer: { (signer) throws(OpenSSLError) in try signer.replaceIntermediate(.intermediate(marker: nil))
            })
        case .sandboxSigner:
            .init(signer: { (signer) throws(OpenSSLError) in
                try signer.takeCertificate(.signer(signer.commonName(environment: "SANDBOX")))
            })
        case .otherVersionSigner: .init(signer: { $0.becomeSignerOfOtherVersion() })
        case .selfSignedIntermediate:
            .init(signer: { (signer) throws(OpenSSLError) in try signer.becomeSelfVouching() })
        case .thirdCertificateSigner:
            .init(signer: { (signer) throws(OpenSSLError) in try signer.forgeThirdCertificate() })
        case .leafExpired:
            .init(signer: { (signer) throws(OpenSSLError) in
                let end = signer.signingTime.advanced(byMilliseconds: -1000)
                try signer.takeCertificate(.signer(signer.commonName()).ending(at: end))
            })
        case .strayCertificate:
            .init(signer: { (signer) throws(OpenSSLError) in try signer.carryStray() })
        case .digestAltered: .init(attributes: { $0.messageDigest[0] ^= 1 })
        case .signatureAltered: .init(signature: { $0.signers[0].alterSignature() })
        case .ciphertextAltered: .init(token: { $0.members.alterBase64("data") { $0[0] ^= 1 } })
        case .transactionIdAltered:
            .init(token: { token in
                token.header.alterText("transactionId") { ($0.hasPrefix("0") ? "1" : "0") + $0.dropFirst() }
            })
        case .applicationDataAdded: .init(token: { $0.header["applicationData"] = .string(Self.strayHash) })
        case .applicationDataRemoved:
            .init(
                order: { $0.applicationData = $0.applicationData ?? [] },
                token: { $0.header["applicationData"] = nil })
        case .stale: .init(order: { $0.signingTime = $0.signingTime.advanced(byMilliseconds: -Self.beyondWindow) })
        case .future: .init(order: { $0.signingTime = $0.signingTime.advanced(byMilliseconds: Self.beyondWindow) })
        case .wrongPublicKeyHash: .init(recipient: { $0.publicKeyHash[0] ^= 1 })
        case .offCurveKey: .init(content: { $0.keyMaterial[90] ^= 1 })
        case .wrappedKeyAltered: .init(content: { $0.keyMaterial[$0.keyMaterial.count - 1] ^= 1 })
        case .wrappedKeyTruncated: .init(content: { $0.keyMaterial.removeLast() })
        case .wrappedKeyOf32Bytes: .init(recipient: { $0.wrappedKeyByteCount = 32 })
        case .tagAltered: .init(content: { $0.data[$0.data.count - 1] ^= 1 })
        case .wrongMerchantIdentifier: .init(recipient: { $0.merchantIdentifierHash[0] ^= 1 })
        case .plaintextTruncated: .init(plaintext: { $0.removeLast($0.count / 2) })
        case .detailOfOtherType:
            .init(plaintext: {
                $0.alterMembers { members in
                    members["paymentDataType"] = members["paymentDataType"] == "EMV" ? "3DSecure" : "EMV"
                }
            })
        case .unknownPaymentDataType:
            .init(plaintext: { $0.alterMembers { $0["paymentDataType"] = "4DSecure" } })
        case .pinMalformed: .init(order: { $0.emvPayment?.encryptedPINData = SecretText("PIN") })
        case .amountDiffers: .init(order: { $0.amountMinorUnits += 1 })
        case .currencyDiffers: .init(order: { $0.currencyCode = $0.currencyCode == "978" ? "840" : "978" })
        case .applicationDataDiffers: .init(order: { $0.applicationData = ($0.applicationData ?? []) + [0] })
        case .submerchantMissing: .init(order: { $0.removeFirstSubmerchant() })
        case .submerchantRepeated: .init(order: { $0.submerchants.append($0.submerchants[0]) })
        case .submerchantAmountDiffers: .init(order: { $0.submerchants[0].amountMinorUnits += 1 })
        case .wrappedKey: .init(token: { $0.header["wrappedKey"] = .string(Base64.encoded(Self.wrappedKeyBytes)) })
        case .ephemeralKey:
            .init(token: { $0.header["ephemeralPublicKey"] = .string(Base64.encoded(Self.wrappedKeyBytes)) })
        case .unknownVersion: .init(token: { $0.members["version"] = "EC_v9" })
        case .invalidBase64: .init(token: { $0.members.alterText("data") { "*" + $0.dropFirst() } })
        case .urlAlphabet:
            .init(token: { token in
                // The base64 string has about 3,000 characters, so the two alphabets differ in many of them.
                token.members.alterText("signature") { text in
                    String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
                }
            })
        case .truncatedCMS: .init(encodedSignature: { $0.removeLast() })
        case .trailingBytes: .init(encodedSignature: { $0.append(0) })
        case .secondSigner: .init(signature: { $0.signers.append($0.signers[0]) })
        case .noSignedAttributes: .init(signature: { $0.signers[0].signedAttributes = nil })
        case .unsignedAttributes: .init(signature: { $0.signers[0].unsignedAttributes = Self.strayAttribute })
        case .repeatedAttribute: .init(attributes: { $0.repeatSigningTime() })
        }
    }

    /// One second more than the window, in milliseconds.
    private static let beyondWindow = (TokenOpener.defaultWindowSeconds + 1) * 1000
    /// The size of an RSA-2048 ciphertext.
    private static let wrappedKeyBytes = [UInt8](repeating: 0x5A, count: 256)
    private static let strayHash = Hexadecimal.encoded(SHA256.hash(Array("stray".utf8)))
    private static let strayAttribute = SignerAttributes.attribute(SignatureIdentifier.data, DER.null)
}

extension SignatureDraft.Signer {
    /// Flips the last bit of `s`, so that the signature stays well-formed DER.
    fileprivate mutating func alterSignature() { signature[signature.count - 1] ^= 1 }
}

extension SignerAttributes {
    /// Adds a second signing time, 2 min later.
    fileprivate mutating func repeatSigningTime() {
        let later = DER.utcTime(signingTime.advanced(byMilliseconds: 120_000))
        others.append(Self.attribute(SignatureIdentifier.signingTime, later))
    }
}

extension MintOrder {
    /// Replaces the first submerchant by another. Removing it could leave none, which would be another kind of token.
    fileprivate mutating func removeFirstSubmerchant() {
        submerchants[0].merchantIdentifier += ".other"
    }
}

extension [UInt8] {
    /// Decodes these bytes as a JSON object, changes its members, and encodes them.
    fileprivate mutating func alterMembers(_ alter: (inout JSONObject) -> Void) {
        guard case .object(var members)? = try? JSONValue(parsing: self) else {
            preconditionFailure("payment data is an object")
        }
        alter(&members)
        self = JSONValue.object(members).serialized()
    }
}

extension JSONObject {
    /// Changes the decoded bytes of a base64 member.
    fileprivate mutating func alterBase64(_ name: String, _ alter: (inout [UInt8]) -> Void) {
        alterText(name) { text in
            var bytes = Base64.decoded(text) ?? []
            alter(&bytes)
            return Base64.encoded(bytes)
        }
    }

    /// Changes the string value of a member.
    fileprivate mutating func alterText(_ name: String, _ altered: (String) -> String) {
        guard case .string(let text)? = self[name] else { preconditionFailure("a token has no member \(name)") }
        self[name] = .string(altered(text))
    }
}
