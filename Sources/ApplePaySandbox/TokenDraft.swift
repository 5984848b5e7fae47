internal import ApplePay
internal import JSON
internal import OpenSSL
internal import Values

/// The content that a token's signature covers.
struct SignedContent {
    /// The input for recovering the symmetric key. For `EC_v1` it is the `SubjectPublicKeyInfo` of the device's
    /// ephemeral key, 91 bytes. For `RSA_v1` it is the wrapped key, 256 bytes.
    var keyMaterial: [UInt8]
    /// The encrypted payment data with its 16-byte authentication tag.
    var data: [UInt8]
    /// The device's transaction identifier.
    var transactionId: [UInt8]
    /// SHA-256 of the payment request's application data; nil if it had none.
    var applicationDataHash: [UInt8]?

    /// Encrypts `plaintext` for `recipient` under a new key.
    init(
        sealing plaintext: [UInt8], of order: MintOrder, to recipient: TokenMint.Recipient
    ) throws(OpenSSLError) {
        let symmetricKey: SecretBytes
        switch recipient.version {
        case .ellipticCurve:
            let ephemeralKey = try PrivateKey.generate(.p256)
            keyMaterial = try ephemeralKey.publicKey.subjectPublicKeyInfo()
            symmetricKey = KeyDerivation.key(
                sharedSecret: try ephemeralKey.sharedSecret(with: recipient.publicKey),
                merchantIdentifierHash: recipient.merchantIdentifierHash)
        case .rsa:
            symmetricKey = RandomBytes.secret(recipient.wrappedKeyByteCount)
            keyMaterial = try recipient.publicKey.wrapOAEP(symmetricKey)
        }
        data = try plaintext.withUnsafeBufferPointer { (buffer) throws(OpenSSLError) in
            try AESGCM.seal(UnsafeRawBufferPointer(buffer), key: symmetricKey, iv: [UInt8](repeating: 0, count: 16))
        }
        transactionId = order.transactionId
        applicationDataHash = order.applicationData.map { SHA256.hash($0) }
    }

    /// The concatenated parts, over which the signature is computed.
    var bytes: [UInt8] { keyMaterial + data + transactionId + (applicationDataHash ?? []) }
}

/// A signed token as its JSON members.
struct TokenDraft {
    /// `data`, `signature` and `version`.
    var members: JSONObject
    /// `header`.
    var header: JSONObject

    init(_ content: SignedContent, for recipient: TokenMint.Recipient, signature: [UInt8]) {
        members = [
            "data": .string(Base64.encoded(content.data)),
            "signature": .string(Base64.encoded(signature)),
            "version": .string(recipient.version.rawValue),
        ]
        header = [
            recipient.keyMaterialName: .string(Base64.encoded(content.keyMaterial)),
            "publicKeyHash": .string(Base64.encoded(recipient.publicKeyHash)),
            "transactionId": .string(Hexadecimal.encoded(content.transactionId)),
        ]
        if let hash = content.applicationDataHash { header["applicationData"] = .string(Hexadecimal.encoded(hash)) }
    }

    /// The JSON text of `PKPaymentToken.paymentData`.
    var json: [UInt8] {
        var members = members
        members["header"] = .object(header)
        return JSONValue.object(members).serialized()
    }
}
