internal import ApplePay
internal import JSON
internal import OpenSSL

extension MintDefect {
    /// How a token comes to have this defect.
    var alteration: TokenAlteration {
        switch self {
        case .noLeafMarker:
            .init(signer: { (signer) throws(OpenSSLError) in
                try signer.takeCertificate(.signer(TokenSigner.commonName, marker: nil))
            })
        case .noIntermediateMarker:
            .init(signer: { (signer) throws(OpenSSLError) in try signer.replaceIntermediate(.intermediate(marker: nil))
            })
        case .sandboxSigner:
            .init(signer: { (signer) throws(OpenSSLError) in
                try signer.takeCertificate(.signer("ecc-smp-broker-sign_UC4-SANDBOX"))
            })
        case .selfSignedIntermediate:
            .init(signer: { (signer) throws(OpenSSLError) in try signer.becomeSelfVouching() })
        case .thirdCertificateSigner:
            .init(signer: { (signer) throws(OpenSSLError) in try signer.forgeThirdCertificate() })
        case .leafExpired:
            .init(signer: { (signer) throws(OpenSSLError) in
                let end = signer.signingTime.advanced(byMilliseconds: -1000)
                try signer.takeCertificate(.signer(TokenSigner.commonName).ending(at: end))
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
        case .offCurveKey: .init(content: { $0.ephemeralPublicKey[90] ^= 1 })
        case .tagAltered: .init(content: { $0.data[$0.data.count - 1] ^= 1 })
        case .wrongMerchantIdentifier: .init(recipient: { $0.merchantIdentifierHash[0] ^= 1 })
        case .plaintextTruncated: .init(plaintext: { $0.removeLast($0.count / 2) })
        case .amountDiffers: .init(order: { $0.amountMinorUnits += 1 })
        case .currencyDiffers: .init(order: { $0.currencyCode = $0.currencyCode == "978" ? "840" : "978" })
        case .applicationDataDiffers: .init(order: { $0.applicationData = ($0.applicationData ?? []) + [0] })
        case .wrappedKey: .init(token: { $0.header["wrappedKey"] = .string(Base64.encoded(Self.wrappedKeyBytes)) })
        case .unknownVersion: .init(token: { $0.members["version"] = "EC_v9" })
        case .invalidBase64: .init(token: { $0.members.alterText("data") { "*" + $0.dropFirst() } })
        case .truncatedCMS: .init(encodedSignature: { $0.removeLast() })
        case .trailingBytes: .init(encodedSignature: { $0.append(0) })
        case .secondSigner: .init(signature: { $0.signers.append($0.signers[0]) })
        case .noSignedAttributes: .init(signature: { $0.signers[0].signedAttributes = nil })
        case .unsignedAttributes: .init(signature: { $0.signers[0].unsignedAttributes = Self.strayAttribute })
        case .repeatedAttribute: .init(attributes: { $0.repeatSigningTime() })
        }
    }

    /// A second more than the window, in milliseconds.
    private static let beyondWindow = (TokenOpener.defaultWindowSeconds + 1) * 1000
    /// The size of an RSA-2048 ciphertext.
    private static let wrappedKeyBytes = [UInt8](repeating: 0x5A, count: 256)
    private static let strayHash = Hexadecimal.encoded(SHA256.hash(Array("stray".utf8)))
    private static let strayAttribute = SignerAttributes.attribute(SignatureIdentifier.data, DER.null)
}

extension SignatureDraft.Signer {
    /// Changes the last bit of `s`, which leaves the DER of the signature well formed.
    fileprivate mutating func alterSignature() { signature[signature.count - 1] ^= 1 }
}

extension SignerAttributes {
    /// Puts the signing time in a second time, 2 min later.
    fileprivate mutating func repeatSigningTime() {
        let later = DER.utcTime(signingTime.advanced(byMilliseconds: 120_000))
        others.append(Self.attribute(SignatureIdentifier.signingTime, later))
    }
}

extension JSONObject {
    /// Changes the bytes that a member stands for in base 64.
    fileprivate mutating func alterBase64(_ name: String, _ alter: (inout [UInt8]) -> Void) {
        alterText(name) { text in
            var bytes = Base64.decoded(text) ?? []
            alter(&bytes)
            return Base64.encoded(bytes)
        }
    }

    /// Changes the text of a member.
    fileprivate mutating func alterText(_ name: String, _ altered: (String) -> String) {
        guard case .string(let text)? = self[name] else { preconditionFailure("a token has no member \(name)") }
        self[name] = .string(altered(text))
    }
}
