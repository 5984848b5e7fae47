internal import JSON
internal import Payments
internal import Vault

/// A CREATE SESSION.
struct SessionCreation {
    let authenticationLimit: Int64?
    let correlationID: String?

    static let fields = RequestFields([
        .taken("apiOperation", .text(1...40)),
        .echoed("correlationId", .text(1...100)),
        .echoed("session.authenticationLimit", .integer(0...9999)),
    ])

    /// Only the operation without a name is simulated; the other operations that create a session are not.
    init(_ request: JSONNode) throws(ErrorReply) {
        try request.expectOperation("CREATE_SESSION", unserved: ["CREATE_CHECKOUT_SESSION", "INITIATE_CHECKOUT"])
        let echoed = try Self.fields.check(request, in: nil)
        correlationID = request.member("correlationId")?.fieldText
        guard case .number(let limit) = echoed["session"]?["authenticationLimit"] else {
            authenticationLimit = nil
            return
        }
        authenticationLimit = Int64(limit.text)
    }
}

/// An UPDATE SESSION. Released mobile clients of versions before 50 call it UPDATE_PAYER_DATA.
struct SessionUpdate {
    /// The version that the session must have.
    let version: String?
    let correlationID: String?
    /// The fields to store.
    let fields: StoredFields

    /// Members about the request itself, which are not stored.
    private static let notStored: Set<String> = ["apiOperation", "correlationId", "session"]

    /// Validates each field's format. Required fields and combinations are validated by the operation that uses the
    /// session, which also opens an encrypted token.
    init(_ request: JSONNode) throws(ErrorReply) {
        try request.expectOperation("UPDATE_PAYER_DATA", unserved: ["UPDATE_SESSION_FROM_WALLET"])
        _ = try PaymentFields.session.check(request, in: request.currency)
        try request.member("sourceOfFunds")?.member("provided")?.member("card")?.checkCardDetails()
        version = request.member("session")?.member("version")?.fieldText
        correlationID = request.member("correlationId")?.fieldText
        fields = StoredFields(request) { _, path in !Self.notStored.contains(path) }
    }
}

extension JSONNode {
    /// Checks `apiOperation`, which is optional but must have the expected value.
    func expectOperation(_ expected: String, unserved: Set<String> = []) throws(ErrorReply) {
        guard let node = member("apiOperation") else { return }
        guard let name = node.string else { throw .invalidSecret("apiOperation", "Expected a string") }
        guard name != expected else { return }
        throw unserved.contains(name)
            ? .unsupported("apiOperation", name, "This gateway does not simulate it")
            : .invalid("apiOperation", name, "Expected \(expected), or none")
    }

    /// Validates the format of a card's details that are present, in the same order as a payment.
    func checkCardDetails() throws(ErrorReply) {
        let isDevice = member("devicePayment")?.members.contains { !$0.value.isNull } ?? false
        if member("number") != nil { _ = try accountNumber(isDevice: isDevice) }
        try member("expiry")?.checkExpiryParts()
        _ = try nameOnCard()
        _ = try securityCode()
        try member("maskedFpanExpiry")?.checkExpiryParts()
    }

    private func checkExpiryParts() throws(ErrorReply) {
        let node = member("month")
        let month = try node == nil ? nil : CardExpiry.part(of: self, "month", digits: 1...2)
        if member("year") != nil { _ = try CardExpiry.part(of: self, "year", digits: 2...2) }
        guard let node, let month, !(1...12).contains(month) else { return }
        throw .invalidSecret(node.path, "Expected 1 to 12")
    }
}
