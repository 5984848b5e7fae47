internal import ApplePay
internal import JSON
public import OpenSSL

/// Makes payment tokens as Apple does, signed by a local authority.
public struct TokenMint: Sendable {
    private let authority: LocalAuthority

    /// A mint of this authority.
    public init(_ authority: LocalAuthority) { self.authority = authority }

    /// Whom a token is encrypted to: the public half of a payment processing key.
    public struct Recipient: Sendable {
        /// The key's uncompressed point on P-256, 65 bytes.
        let point: [UInt8]
        /// SHA-256 of the key's `SubjectPublicKeyInfo`, 32 bytes.
        let publicKeyHash: [UInt8]
        /// SHA-256 of the merchant identifier, 32 bytes.
        let merchantIdentifierHash: [UInt8]

        /// The recipient with this key on P-256 and merchant identifier hash of 32 bytes.
        public init(publicKey: PublicKey, merchantIdentifierHash: [UInt8]) throws(OpenSSLError) {
            precondition(merchantIdentifierHash.count == 32, "SHA-256 yields 32 bytes")
            guard publicKey.isP256 else { throw .wrongKeyType }
            point = try publicKey.encodedPoint()
            publicKeyHash = SHA256.hash(try publicKey.subjectPublicKeyInfo())
            self.merchantIdentifierHash = merchantIdentifierHash
        }
    }

    /// Mints one `EC_v1` token.
    ///
    /// - Returns: the JSON text of `PKPaymentToken.paymentData`, about 4,000 bytes.
    public func mint(_ order: MintOrder, for recipient: Recipient) throws(OpenSSLError) -> [UInt8] {
        let ephemeralKey = try PrivateKey.generate(.p256)
        let ephemeralPublicKey = try ephemeralKey.publicKey.subjectPublicKeyInfo()
        let symmetricKey = KeyDerivation.key(
            sharedSecret: try ephemeralKey.sharedSecret(withPoint: recipient.point),
            merchantIdentifierHash: recipient.merchantIdentifierHash)
        let data = try order.plaintext().withUnsafeBytes { (plaintext) throws(OpenSSLError) in
            try AESGCM.seal(plaintext, key: symmetricKey, iv: [UInt8](repeating: 0, count: 16))
        }
        let applicationDataHash = order.applicationData.map { SHA256.hash($0) }
        let signature = try SignatureWriter(authority).signature(
            over: ephemeralPublicKey + data + order.transactionId + (applicationDataHash ?? []), at: order.signingTime)

        var header: [(name: String, value: JSONValue)] = [
            ("ephemeralPublicKey", .string(Base64.encoded(ephemeralPublicKey))),
            ("publicKeyHash", .string(Base64.encoded(recipient.publicKeyHash))),
            ("transactionId", .string(Hexadecimal.encoded(order.transactionId))),
        ]
        if let applicationDataHash {
            header.append(("applicationData", .string(Hexadecimal.encoded(applicationDataHash))))
        }
        let token: JSONValue = [
            "data": .string(Base64.encoded(data)),
            "header": .object(JSONObject(header)),
            "signature": .string(Base64.encoded(signature)),
            "version": "EC_v1",
        ]
        return token.serialized()
    }
}

extension MintOrder {
    /// The payment data to be encrypted, as JSON.
    fileprivate func plaintext() -> SecretBytes {
        var detail: [(name: String, value: JSONValue)] = [
            ("onlinePaymentCryptogram", .string(onlinePaymentCryptogram.revealed()))
        ]
        if let eciIndicator { detail.append(("eciIndicator", .string(eciIndicator))) }
        var members: [(name: String, value: JSONValue)] = [
            ("applicationPrimaryAccountNumber", .string(accountNumber.revealed())),
            ("applicationExpirationDate", .string(expirationDate.yymmdd)),
            ("currencyCode", .string(currencyCode)),
            ("transactionAmount", .number(JSONNumber(amountMinorUnits))),
            ("deviceManufacturerIdentifier", .string(deviceManufacturerIdentifier)),
            ("paymentDataType", "3DSecure"),
            ("paymentData", .object(JSONObject(detail))),
        ]
        if let cardholderName { members.append(("cardholderName", .string(cardholderName))) }
        return SecretBytes(JSONValue.object(JSONObject(members)).serialized())
    }

    /// What real tokens of the payment network have, by the number's first digit.
    private var deviceManufacturerIdentifier: String {
        accountNumber.issuerIdentificationNumber.hasPrefix("4") ? "040010030273" : "050110030273"
    }
}

/// Random bytes for what a device would make up.
enum SandboxRandom {
    static func bytes(_ count: Int) -> [UInt8] { RandomBytes.generate(count) }
}
