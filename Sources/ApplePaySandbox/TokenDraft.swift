internal import ApplePay
internal import JSON
internal import OpenSSL

/// What a token's signature is over.
struct SignedContent {
    /// `SubjectPublicKeyInfo` of the device's ephemeral key, 91 bytes.
    var ephemeralPublicKey: [UInt8]
    /// The encrypted payment data with its tag of 16 bytes.
    var data: [UInt8]
    /// The device's identifier of the transaction.
    var transactionId: [UInt8]
    /// SHA-256 of the payment request's application data, if it had any.
    var applicationDataHash: [UInt8]?

    /// Encrypts `plaintext` to `recipient` under a new ephemeral key.
    init(
        sealing plaintext: [UInt8], of order: MintOrder, to recipient: TokenMint.Recipient
    ) throws(OpenSSLError) {
        let ephemeralKey = try PrivateKey.generate(.p256)
        ephemeralPublicKey = try ephemeralKey.publicKey.subjectPublicKeyInfo()
        let symmetricKey = KeyDerivation.key(
            sharedSecret: try ephemeralKey.sharedSecret(withPoint: recipient.point),
            merchantIdentifierHash: recipient.merchantIdentifierHash)
        data = try plaintext.withUnsafeBufferPointer { (buffer) throws(OpenSSLError) in
            try AESGCM.seal(UnsafeRawBufferPointer(buffer), key: symmetricKey, iv: [UInt8](repeating: 0, count: 16))
        }
        transactionId = order.transactionId
        applicationDataHash = order.applicationData.map { SHA256.hash($0) }
    }

    /// The parts one after the other, as they are signed.
    var bytes: [UInt8] { ephemeralPublicKey + data + transactionId + (applicationDataHash ?? []) }
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
            "version": "EC_v1",
        ]
        header = [
            "ephemeralPublicKey": .string(Base64.encoded(content.ephemeralPublicKey)),
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

extension MintOrder {
    /// The payment data to be encrypted, as JSON.
    var plaintext: [UInt8] {
        var detail: JSONObject = ["onlinePaymentCryptogram": .string(onlinePaymentCryptogram.revealed())]
        if let eciIndicator { detail["eciIndicator"] = .string(eciIndicator) }
        var members: JSONObject = [
            "applicationPrimaryAccountNumber": .string(accountNumber.revealed()),
            "applicationExpirationDate": .string(expirationDate.yymmdd),
            "currencyCode": .string(currencyCode),
            "transactionAmount": .number(JSONNumber(amountMinorUnits)),
            "deviceManufacturerIdentifier": .string(deviceManufacturerIdentifier),
            "paymentDataType": "3DSecure",
            "paymentData": .object(detail),
        ]
        if let cardholderName { members["cardholderName"] = .string(cardholderName) }
        return JSONValue.object(members).serialized()
    }

    /// What real tokens of the payment network have, by the number's first digit.
    private var deviceManufacturerIdentifier: String {
        accountNumber.issuerIdentificationNumber.hasPrefix("4") ? "040010030273" : "050110030273"
    }
}
