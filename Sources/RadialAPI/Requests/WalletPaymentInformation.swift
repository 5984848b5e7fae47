internal import JSON
internal import Values
internal import XML

/// An Apple Pay token as XML elements: `WalletPaymentInformation` of an authorization, or `DecryptBlobRequest`.
struct WalletPaymentInformation {
    /// The token as Apple wrote it.
    let token: SecretText

    /// Reads `WalletPaymentInformation`.
    init(_ element: XMLElement) throws(Fault) {
        let names: Set = [
            "ApplePayTransactionId", "EphemeralPublicKey", "PublicKeyHash", "Version", "Data", "Signature",
        ]
        let fields = try ElementFields(element, known: names)
        token = try Self.token(
            header: fields, transactionID: "ApplePayTransactionId", content: fields)
    }

    /// Reads the token of a `DecryptBlobRequest`.
    init(decryptBlob fields: ElementFields) throws(Fault) {
        let names: Set = ["EphemeralPublicKey", "TransactionId", "PublicKeyHash"]
        let header = try ElementFields(try fields.required("EncryptionHeader"), known: names)
        token = try Self.token(header: header, transactionID: "TransactionId", content: fields)
    }

    /// Converts the token to JSON. White space within values is removed, as the XML samples wrap and indent long values.
    private static func token(
        header: ElementFields, transactionID: String, content: ElementFields
    ) throws(Fault) -> SecretText {
        let transactionIDText = try header.hexadecimal(transactionID)
        let publicKey = try header.base64("EphemeralPublicKey")
        let publicKeyHash = try header.base64("PublicKeyHash")
        let version = try content.required("Version", .notBlank).filter { !$0.isWhitespace }
        let data = try content.base64("Data")
        let signature = try content.base64("Signature")
        var token = JSONWriter()
        token.beginObject()
        token.member("data", data)
        token.member("header")
        token.beginObject()
        token.member("ephemeralPublicKey", publicKey)
        token.member("publicKeyHash", publicKeyHash)
        token.member("transactionId", transactionIDText)
        token.endObject()
        token.member("signature", signature)
        token.member("version", version)
        token.endObject()
        return token.withBytes { SecretText(utf8: $0) }
    }
}

extension ElementFields {
    /// The base64 text of an element that must be present, with white space removed.
    fileprivate func base64(_ name: String) throws(Fault) -> String {
        let text = try compactText(name)
        guard Base64.decoded(text) != nil else { throw .invalid(path(name), "must be base 64") }
        return text
    }

    /// The hexadecimal text of an element that must be present, with white space removed.
    fileprivate func hexadecimal(_ name: String) throws(Fault) -> String {
        let text = try compactText(name)
        guard Hexadecimal.decoded(Array(text.utf8)) != nil else { throw .invalid(path(name), "must be hexadecimal") }
        return text
    }

    private func compactText(_ name: String) throws(Fault) -> String {
        let text = try required(name).leafText()
        let compact = String(decoding: text.utf8.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }, as: UTF8.self)
        guard !compact.isEmpty else { throw .missing(path(name)) }
        return compact
    }
}
