internal import ApplePay
internal import JSON
internal import Values

extension MintOrder {
    /// The JSON of the payment data, before encryption.
    var plaintext: [UInt8] {
        var members: JSONObject = [
            "applicationPrimaryAccountNumber": .string(accountNumber.revealed()),
            "applicationExpirationDate": .string(expirationDate.yymmdd),
            "currencyCode": .string(currencyCode),
            "transactionAmount": .number(JSONNumber(amountMinorUnits)),
            "deviceManufacturerIdentifier": .string(deviceManufacturerIdentifier),
            "paymentDataType": emvPayment == nil ? "3DSecure" : "EMV",
            "paymentData": .object(emvPayment?.members ?? threeDSecureMembers),
        ]
        if let cardholderName { members["cardholderName"] = .string(cardholderName) }
        if !submerchants.isEmpty { members["authenticationResponses"] = .array(submerchants.map(\.json)) }
        if let merchantToken {
            members["merchantTokenIdentifier"] = .string(merchantToken.identifier.revealed())
            members["merchantTokenMetadata"] = merchantToken.metadata
        }
        return JSONValue.object(members).serialized()
    }

    private var threeDSecureMembers: JSONObject {
        var members: JSONObject = ["onlinePaymentCryptogram": .string(onlinePaymentCryptogram.revealed())]
        if let eciIndicator { members["eciIndicator"] = .string(eciIndicator) }
        return members
    }

    /// The value in real tokens of the payment network, selected by the account number's first digit.
    private var deviceManufacturerIdentifier: String {
        accountNumber.issuerIdentificationNumber.hasPrefix("4") ? "040010030273" : "050110030273"
    }
}

extension MintOrder.EMVPayment {
    fileprivate var members: JSONObject {
        var members: JSONObject = ["emvData": .string(emvData.revealed())]
        if let encryptedPINData { members["encryptedPINData"] = .string(encryptedPINData.revealed()) }
        return members
    }
}

extension MintOrder.Submerchant {
    /// The submerchant's JSON. Its amount is a string, as in Apple's table.
    fileprivate var json: JSONValue {
        [
            "merchantIdentifier": .string(merchantIdentifier),
            "authenticationData": .string(authenticationData.revealed()),
            "transactionAmount": .string(String(amountMinorUnits)),
        ]
    }
}

extension MintOrder.MerchantToken {
    fileprivate var metadata: JSONValue {
        [
            "cardArt": [
                ["name": "Local sandbox", "type": "image/png", "url": "https://sandbox.invalid/card-art.png"]
            ],
            "cardMetadata": ["expirationDate": .string(expirationDate), "fpanSuffix": .string(fpanSuffix)],
        ]
    }
}
