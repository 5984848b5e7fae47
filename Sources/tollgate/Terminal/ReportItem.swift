import Access
import ApplePay
import JSON
import OpenSSL
import Values

/// A key, a certificate or a request for display: names with values, in order.
struct ReportItem: CustomStringConvertible {
    private var lines: [(name: String, value: JSONValue, text: String)] = []

    private init(_ holds: String) { add("holds", holds) }

    private mutating func add(_ name: String, _ text: String?) {
        guard let text else { return }
        lines.append((name, .string(text), EscapedLine(text).description))
    }

    /// An item that can't be opened without a password.
    static func locked(_ holds: String) -> ReportItem {
        var item = ReportItem(holds)
        item.add("opensWith", "--password-file")
        return item
    }

    /// A private key: its type, and the `publicKeyHash` that identifies it in tokens.
    static func privateKey(_ key: PrivateKey) throws -> ReportItem {
        var item = ReportItem("private key")
        try item.addKey(key.publicKey)
        return item
    }

    /// A signing request.
    static func request(_ request: CertificateRequest) throws -> ReportItem {
        var item = ReportItem("certificate signing request")
        item.add("commonName", request.commonName)
        try item.addKey(request.publicKey)
        item.add("signature", request.isSignedByKey ? "by that key" : "not by that key: damaged or forged")
        return item
    }

    /// A certificate: its purpose, its holder and its expiry.
    static func certificate(_ certificate: Certificate, now: Instant) throws -> ReportItem {
        var item = ReportItem("certificate")
        let kind = CertificateKind(certificate)
        item.lines.append(("kind", .string(kind.rawValue), kind.words))
        item.add("commonName", certificate.commonName)
        item.add("issuer", certificate.issuerCommonName)
        item.add("merchantIdentifier", certificate.userIdentifier)
        item.add("merchantIdentifierHash", certificate.merchantIdentifierHash.map(Hexadecimal.encoded))
        item.add("validFrom", Instant(secondsSinceEpoch: certificate.notBeforeSecondsSinceEpoch).wholeSeconds)
        let notAfter = Instant(secondsSinceEpoch: certificate.notAfterSecondsSinceEpoch)
        item.add("validUntil", notAfter.wholeSeconds)
        let daysLeft = notAfter.wholeDays(after: now)
        item.lines.append(
            ("daysLeft", .number(JSONNumber(daysLeft)), daysLeft < 0 ? "none: it has expired" : "\(daysLeft)"))
        try item.addKey(try certificate.publicKey())
        item.add("sha256Fingerprint", Hexadecimal.encoded(certificate.fingerprint))
        return item
    }

    private mutating func addKey(_ key: PublicKey) throws {
        add("keyType", key.words)
        add("publicKeyHash", Base64.encoded(SHA256.hash(try key.subjectPublicKeyInfo())))
    }

    var json: JSONValue { .object(JSONObject(lines.map { ($0.name, $0.value) })) }

    var description: String {
        let width = (lines.map(\.name.count).max() ?? 0) + 2
        return lines.map { $0.name + String(repeating: " ", count: width - $0.name.count) + $0.text }
            .joined(separator: "\n")
    }
}

extension CertificateKind {
    /// The kind's name and its purpose.
    fileprivate var words: String {
        switch self {
        case .paymentProcessing: "Payment Processing Certificate: tokens are encrypted to its key"
        case .merchantIdentity: "Merchant Identity Certificate: for sessions on the web; it opens no token"
        case .appleRoot: "Apple Root CA - G3, in which genuine tokens' chains end"
        case .tokenIntermediate: "intermediate of tokens' signers"
        case .tokenSigner: "signer of tokens"
        case .unknown: "none that Apple Pay tokens need"
        }
    }
}

extension PublicKey {
    /// The key's type, and the token version that it is used for.
    fileprivate var words: String {
        if isP256 { return "P-256 (EC_v1)" }
        if isRSA { return "RSA, \(bitCount) bits" + (bitCount >= 2048 ? " (RSA_v1)" : "") }
        return isElliptic ? "on a curve of \(bitCount) bits" : "\(bitCount) bits"
    }
}
