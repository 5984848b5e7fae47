internal import JSON
internal import OpenSSL
internal import Values

/// A payment token as Apple wrote it: `PKPaymentToken.paymentData`, decoded but not verified.
///
/// - Source: Apple, "Payment token format reference", tables "Payment token structure" and "Header keys and values".
struct PaymentToken {
    let version: Version
    /// The encrypted payment data with its 16-byte authentication tag.
    let data: [UInt8]
    let signedData: SignedData
    let keyMaterial: KeyMaterial
    /// SHA-256 of the merchant's `SubjectPublicKeyInfo`, 32 bytes.
    let publicKeyHash: [UInt8]
    let transactionId: TransactionIdentifier
    /// SHA-256 of the payment request's application data, 32 bytes; nil if there was none.
    let applicationData: [UInt8]?
    /// The signed content: ephemeralPublicKey or wrappedKey ‖ data ‖ transactionId ‖ applicationData, each decoded.
    let signedContent: [UInt8]
    /// The layers around the token, outermost first: `string` for a JSON string, or a member's name. Empty if there are
    /// none.
    let wrappings: [String]

    typealias Version = TokenVersion

    /// The input from which the merchant's key recovers the symmetric key.
    enum KeyMaterial {
        /// The device's ephemeral key: an uncompressed P-256 point, 65 bytes. Not yet checked to be on the curve.
        case ephemeralPoint([UInt8])
        /// The symmetric key, encrypted to the merchant's RSA key.
        case wrappedKey([UInt8])
    }

    /// The maximum size of a token's JSON text in bytes; real tokens have 4,000 to 5,000.
    static let byteCountMax = 65_536
    private static let limits = JSONLimits(bytesMax: byteCountMax, depthMax: 8, valuesMax: 512)

    /// Reads a token from `paymentData`, from a `PKPaymentToken` or `ApplePayPayment` that contains it, or from a JSON
    /// string that holds one of these.
    init(json text: UnsafeRawBufferPointer) throws(TokenRefusal) {
        let document = try Self.document(text)
        var wrappings: [String] = []
        let paymentData = try Self.paymentData(in: document.root, &wrappings)
        try self.init(paymentData: paymentData, wrappings)
    }

    private static func document(_ text: UnsafeRawBufferPointer) throws(TokenRefusal) -> JSONDocument {
        guard !text.isEmpty else { throw .empty }
        do { return try JSONDocument(text, limits: limits) } catch {
            // An object's first bytes, `{"`, become `eyJ` in base64.
            guard text.starts(with: "eyJ".utf8), text.count <= byteCountMax, Base64.decoded(text) != nil else {
                throw .notJSON(error)
            }
            throw .encodedInBase64
        }
    }

    /// The maximum number of layers around a token.
    private static let wrappingsMax = 5

    private static func paymentData(in node: JSONNode, _ wrappings: inout [String]) throws(TokenRefusal) -> JSONNode {
        guard wrappings.count <= wrappingsMax else { throw .notAToken }
        if let inner = try node.withStringBytes({ (text) throws(TokenRefusal) in try document(text) }) {
            wrappings.append("string")
            return try paymentData(in: inner.root, &wrappings)
        }
        guard node.kind == .object else { throw .notAToken }
        guard node["data"] == nil, let wrapped = node["paymentData"] ?? node["token"] else { return node }
        guard !wrapped.isNull || node["paymentData"] == nil else { throw .empty }
        wrappings.append(node["paymentData"] == nil ? "token" : "paymentData")
        return try paymentData(in: wrapped, &wrappings)
    }

    private init(paymentData: JSONNode, _ wrappings: [String]) throws(TokenRefusal) {
        self.wrappings = wrappings
        guard paymentData.count > 0 else { throw .empty }
        let version = try paymentData.text("version")
        guard let known = Version(rawValue: version) else { throw .versionUnknown(Printable(version)) }
        self.version = known
        data = try paymentData.base64("data")
        let signature = try paymentData.base64("signature")
        guard let header = paymentData["header"], !header.isNull else { throw .memberMissing("header") }
        guard header.kind == .object else { throw .memberNotA("object", "header") }

        let keyBytes: [UInt8]
        switch known {
        case .ellipticCurve:
            guard header["wrappedKey"] == nil else {
                throw .memberOfOtherVersion("header.wrappedKey", version: version)
            }
            keyBytes = try header.base64("ephemeralPublicKey", in: "header.")
            guard let point = P256SubjectPublicKeyInfo.point(of: keyBytes) else { throw .ephemeralPublicKeyMalformed }
            keyMaterial = .ephemeralPoint(point)
        case .rsa:
            guard header["ephemeralPublicKey"] == nil else {
                throw .memberOfOtherVersion("header.ephemeralPublicKey", version: version)
            }
            keyBytes = try header.base64("wrappedKey", in: "header.")
            keyMaterial = .wrappedKey(keyBytes)
        }
        publicKeyHash = try header.base64("publicKeyHash", in: "header.")
        guard publicKeyHash.count == SHA256.byteCount else { throw .notSHA256("header.publicKeyHash") }
        let identifier = try header.text("transactionId", in: "header.")
        guard let identifierBytes = Hexadecimal.decoded(Array(identifier.utf8)) else {
            throw .notHexadecimal("header.transactionId")
        }
        guard let transactionId = TransactionIdentifier(identifierBytes) else {
            throw .transactionIdLength
        }
        self.transactionId = transactionId
        applicationData = try header.applicationData()

        signedContent = keyBytes + data + transactionId.bytes + (applicationData ?? [])
        do { signedData = try SignedData(ber: signature) } catch { throw .signatureMalformed(error) }
    }
}

extension JSONNode {
    /// The value of a required string member.
    fileprivate func text(_ name: String, in prefix: String = "") throws(TokenRefusal) -> String {
        guard let member = self[name], !member.isNull else { throw .memberMissing(prefix + name) }
        guard let text = member.string else { throw .memberNotA("string", prefix + name) }
        return text
    }

    /// The decoded bytes of a required base64 member.
    fileprivate func base64(_ name: String, in prefix: String = "") throws(TokenRefusal) -> [UInt8] {
        guard let member = self[name], !member.isNull else { throw .memberMissing(prefix + name) }
        let bytes = try member.withStringBytes { (text) throws(TokenRefusal) in
            guard let bytes = Base64.decoded(text) else { throw .notBase64(prefix + name, Base64.fault(in: text)) }
            return bytes
        }
        guard let bytes else { throw .memberNotA("string", prefix + name) }
        guard !bytes.isEmpty else { throw .memberMissing(prefix + name) }
        return bytes
    }

    /// The hash in `applicationData`; nil if it is absent because the payment request had no application data.
    fileprivate func applicationData() throws(TokenRefusal) -> [UInt8]? {
        guard let member = self["applicationData"], !member.isNull else { return nil }
        guard let bytes = member.withStringBytes({ Hexadecimal.decoded($0) }) else {
            throw .memberNotA("string", "header.applicationData")
        }
        guard let bytes else { throw .notHexadecimal("header.applicationData") }
        guard bytes.count == SHA256.byteCount else { throw .notSHA256("header.applicationData") }
        return bytes
    }
}
