internal import ApplePay
internal import ApplePaySandbox
internal import HTTP
internal import JSON
internal import Payments
internal import Values

/// A validated request to inspect a token: the same report as that of `tollgate token inspect --json`, with the keys of
/// the configured merchants.
struct TokenInspection: Sendable {
    /// The maximum size of the request in bytes: a token of the maximum size in base64, and as much around it.
    static let contentBytesMax = 1 << 17
    private static let limits = JSONLimits(bytesMax: contentBytesMax, depthMax: 16, valuesMax: 1 << 12)

    private let token: [UInt8]
    private let isDecoded: Bool
    private let merchant: MerchantID?
    private let opener: TokenOpener
    private let instant: Instant

    /// Reads the request: `token` is an object, its JSON text, or base64 of the text. It may contain the token as
    /// `PKPaymentToken`, `ApplePayPayment` and a whole AUTHORIZE or PAY do.
    init(_ content: WipedBuffer, _ gateway: ControlledGateway) throws(ControlFault) {
        guard content.count <= Self.contentBytesMax else {
            throw ControlFault("More than \(Self.contentBytesMax) bytes; a token has about 5,000")
        }
        let fields = try ControlFields(content, ["merchant", "token"], limits: Self.limits)
        let named = try fields.merchant("merchant")
        (token, isDecoded) = try fields.token("token")
        (merchant, opener) = try fields.opener(of: named, for: token, among: gateway)
        instant = gateway.clock.now()
    }

    /// Opens the token off the event loop, because that needs signatures and a key agreement.
    @concurrent
    func response() async -> Response {
        var report = token.withUnsafeBytes { opener.open($0, at: .transaction(instant), expecting: nil) }
        if case .failed(let refusal) = report[.parse], refusal.isOfAnotherText {
            return ControlFault(field: "token", "\(refusal.finding) \(refusal.remedy)").response
        }
        if isDecoded { report = report.adding(note: "The text was base64; merchants must send the JSON text inside.") }
        guard case .object(var members) = report.shown else { preconditionFailure("a report is an object") }
        members["merchant"] = merchant.map { .string($0.text) }
        return .control(.object(members))
    }
}

extension TokenRefusal {
    /// Whether the text is no token at all.
    fileprivate var isOfAnotherText: Bool {
        switch self {
        case .notJSON, .notAToken, .empty, .encodedInBase64: true
        default: false
        }
    }
}

extension ControlFields {
    /// The text of a token, and whether it was in base64.
    fileprivate func token(_ name: String) throws(ControlFault) -> (text: [UInt8], isDecoded: Bool) {
        guard let node = self[name] else { throw fault(name, "Missing") }
        let given: [UInt8]
        switch node.kind {
        case .object: given = node.withRawBytes { Array($0) }
        case .string: given = node.withStringBytes { Array($0) } ?? []
        case .array, .bool, .null, .number:
            throw fault(name, "Expected a token: an object, its JSON text, or that in base64")
        }
        let decoded = Self.decodedFromBase64(given)
        let text = decoded ?? given
        let token = text.withUnsafeBytes { TokenRequest.token(in: $0) } ?? text
        guard token.count <= TokenOpener.tokenBytesMax else {
            throw fault(name, "More than \(TokenOpener.tokenBytesMax) bytes; a token has about 5,000")
        }
        return (token, decoded != nil)
    }

    /// The JSON text in base64, with or without line breaks; nil for any other text.
    private static func decodedFromBase64(_ text: [UInt8]) -> [UInt8]? {
        let decoded = text.filter { !isWhitespace($0) }.withUnsafeBytes { Base64.decoded($0) }
        guard let decoded, let first = decoded.first(where: { !isWhitespace($0) }),
            [UInt8(ascii: "{"), UInt8(ascii: "\"")].contains(first)
        else { return nil }
        return decoded
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0D, 0x20].contains(byte) }

    /// The keys and settings for a token: those of a merchant if the request names one, otherwise of the merchant whose
    /// key the token names. A token that names no merchant's key is judged with the keys of all.
    fileprivate func opener(
        of merchant: MerchantID?, for token: [UInt8], among gateway: ControlledGateway
    ) throws(ControlFault) -> (MerchantID?, TokenOpener) {
        if let merchant {
            guard let found = gateway.merchants[merchant] else {
                throw fault("merchant", "No merchant of this gateway has this id")
            }
            guard let opener = found.applePay else { throw fault("merchant", "The merchant has no Apple Pay keys") }
            return (merchant, opener)
        }
        let openers = gateway.merchants.all.list.sorted { $0.id.text < $1.id.text }
            .compactMap { merchant in merchant.applePay.map { (id: merchant.id, opener: $0) } }
        let hash = token.withUnsafeBytes { TokenOpener.publicKeyHash(in: $0) }
        if let hash, let found = openers.first(where: { $0.opener.keys.contains { $0.publicKeyHash == hash } }) {
            return (found.id, found.opener)
        }
        guard let base = openers.first(where: { $0.id == gateway.sandbox?.merchant }) ?? openers.first else {
            throw ControlFault("No merchant of this gateway has Apple Pay keys")
        }
        let opener = TokenOpener(
            keys: openers.flatMap(\.opener.keys), trust: base.opener.trust, windowSeconds: base.opener.windowSeconds)
        return (nil, opener)
    }
}
