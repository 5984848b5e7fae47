internal import JSON
internal import Values

extension PaymentData {
    private static let limits = JSONLimits(bytesMax: 65_536, depthMax: 8, valuesMax: 1024)

    /// Reads decrypted payment data. Members that the format reference doesn't list are kept in `document`.
    package init(json text: UnsafeRawBufferPointer) throws(TokenRefusal) {
        guard let document = try? JSONDocument(text, limits: Self.limits), document.root.kind == .object else {
            throw .plaintextNotJSON
        }
        let root = document.root
        applicationPrimaryAccountNumber = try root.required("applicationPrimaryAccountNumber") { node in
            node.withStringBytes { try? AccountNumber(ascii: $0, checkDigit: .any) } ?? nil
        }
        applicationExpirationDate = try root.required("applicationExpirationDate") { node in
            node.string.flatMap { ApplicationExpirationDate(yymmdd: Array($0.utf8)) }
        }
        currencyCode = try root.required("currencyCode") { node in
            node.string.flatMap { code in code.utf8.count == 3 && code.utf8.allSatisfy(\.isDigit) ? code : nil }
        }
        transactionAmountMinorUnits = try root.required("transactionAmount") { node in
            (node.numberText ?? node.string).flatMap(wholeNumber)
        }
        cardholderName = try root.optional("cardholderName") { $0.withStringBytes { SecretText(utf8: $0) } }
        deviceManufacturerIdentifier = try root.required("deviceManufacturerIdentifier") { node in
            node.string.flatMap { Hexadecimal.isWellFormed($0.utf8) ? $0 : nil }
        }
        let type: String = try root.required("paymentDataType") { $0.string }
        let detail: JSONNode = try root.required("paymentData") { $0.kind == .object ? $0 : nil }
        switch type {
        case "3DSecure": self.detail = try .init(threeDSecure: detail)
        case "EMV": self.detail = try .init(emv: detail)
        default: throw .paymentDataTypeUnknown(Printable(type))
        }
        authenticationResponses =
            try root.optional("authenticationResponses") { node in
                guard node.kind == .array else { return nil }
                let entries = node.elements.map(AuthenticationResponse.init)
                return entries.contains { $0 == nil } ? nil : entries.compactMap { $0 }
            } ?? []
        merchantTokenIdentifier = try root.optional("merchantTokenIdentifier") { node in
            node.withStringBytes { SecretText(utf8: $0) }
        }
        merchantTokenMetadata = try root.optional("merchantTokenMetadata") { node in
            node.kind == .object ? MerchantTokenMetadata(node) : nil
        }
        self.document = SecretText(utf8: text)
    }
}

extension PaymentData.Detail {
    fileprivate init(threeDSecure detail: JSONNode) throws(TokenRefusal) {
        let cryptogram: SecretText = try detail.required("onlinePaymentCryptogram") { node in
            node.withStringBytes { text in
                Base64.byteCount(ofSecret: text) ?? 0 > 0 ? SecretText(utf8: text) : nil
            } ?? nil
        }
        let indicator: String? = try detail.optional("eciIndicator") { node in
            node.string.flatMap { $0.utf8.count <= 2 && $0.utf8.allSatisfy(\.isDigit) ? $0 : nil }
        }
        self = .threeDSecure(onlinePaymentCryptogram: cryptogram, eciIndicator: indicator)
    }

    fileprivate init(emv detail: JSONNode) throws(TokenRefusal) {
        let emvData: SecretText = try detail.required("emvData") { node in
            node.withStringBytes { text in
                Base64.byteCount(ofSecret: text) ?? 0 > 0 ? SecretText(utf8: text) : nil
            } ?? nil
        }
        let encryptedPINData: SecretText? = try detail.optional("encryptedPINData") { node in
            node.withStringBytes { text in Hexadecimal.isWellFormed(text) ? SecretText(utf8: text) : nil } ?? nil
        }
        self = .emv(emvData: emvData, encryptedPINData: encryptedPINData)
    }
}

extension AuthenticationResponse {
    fileprivate init?(_ entry: JSONNode) {
        guard let merchantIdentifier = entry["merchantIdentifier"]?.string,
            let authenticationData = entry["authenticationData"]?.withStringBytes({ SecretText(utf8: $0) }),
            let amount = entry["transactionAmount"],
            let minorUnits = (amount.string ?? amount.numberText).flatMap(wholeNumber)
        else { return nil }
        self.merchantIdentifier = merchantIdentifier
        self.authenticationData = authenticationData
        transactionAmountMinorUnits = minorUnits
    }
}

extension MerchantTokenMetadata {
    fileprivate init(_ metadata: JSONNode) {
        fpanSuffix = metadata["cardMetadata"]?["fpanSuffix"]?.string
        expirationDate = metadata["cardMetadata"]?["expirationDate"]?.string
        cardArt = (metadata["cardArt"].map { Array($0.elements) } ?? []).map { art in
            CardArt(name: art["name"]?.string, type: art["type"]?.string, url: art["url"]?.string)
        }
    }
}

extension JSONNode {
    /// A member that must be present and that `read` must accept.
    fileprivate func required<Value>(_ name: String, _ read: (JSONNode) -> Value?) throws(TokenRefusal) -> Value {
        guard let value = try optional(name, read) else { throw .paymentDataMemberMissing(name) }
        return value
    }

    /// A member that may be absent or null. If it is present, `read` must accept it.
    fileprivate func optional<Value>(_ name: String, _ read: (JSONNode) -> Value?) throws(TokenRefusal) -> Value? {
        guard let member = self[name], !member.isNull else { return nil }
        guard let value = read(member) else { throw .paymentDataMemberMalformed(name) }
        return value
    }
}

/// Parses decimal digits without sign, fraction or exponent. Real tokens have an integer; the amounts of authentication
/// responses are strings.
private func wholeNumber(_ text: String) -> Int64? {
    text.utf8.allSatisfy(\.isDigit) ? Int64(text) : nil
}
