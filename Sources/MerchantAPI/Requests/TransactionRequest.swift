internal import Access
internal import JSON
internal import Payments
internal import Values

/// A request for an operation on a transaction, with its merchant and identifiers.
///
/// The operation's name is validated first; then, in the order of the members, unknown fields and the formats of
/// known ones; then, by ``command(_:)``, required fields and the source of funds as a whole. The ledger decides
/// whether the operation is allowed.
struct TransactionRequest {
    /// The operation.
    let operation: PaymentOperation
    let merchant: Merchant
    private let order: OrderID
    let transaction: TransactionID
    private let document: JSONDocument
    /// The request's members that replies echo.
    private let echoed: JSONObject
    private let applicationDataHash: [UInt8]?
    private let trace: RequestTrace

    /// Validates the operation's name and the fields as sent.
    init(
        _ document: JSONDocument, merchant: Merchant, order: OrderID, transaction: TransactionID,
        applicationDataHash: [UInt8]? = nil, _ trace: RequestTrace
    ) throws(ErrorReply) {
        let request = document.root
        operation = try PaymentOperation(request, of: merchant.id)
        trace.note(RequestOperation(operation))
        echoed = try PaymentFields.of(operation).check(request, in: request.currency)
        try echoed.checkByteCount(of: request)
        try request.member("order")?.expectID(order.text)
        try request.member("transaction")?.expectID(transaction.text)
        try request.checkSessionID()
        self.merchant = merchant
        self.order = order
        self.transaction = transaction
        self.document = document
        self.applicationDataHash = applicationDataHash
        self.trace = trace
    }

    /// The request's JSON as sent.
    var sent: JSONNode { document.root }
    /// The identifiers in the request's path.
    var subject: Subject { Subject(key: OrderKey(merchant: merchant.id, order: order), transaction: transaction) }
    /// The canonical parameters, by which a repeated request is recognised.
    var parameters: SecretText { CanonicalParameters.text(of: document, PaymentFields.of(operation)) }

    /// The command to perform. A repeated request is recognised by the request as sent alone.
    ///
    /// - Parameter merged: the request merged with the fields of a session or token; nil if it names none. Stored
    ///   fields that the operation doesn't have are ignored.
    func command(_ merged: JSONNode? = nil) throws(ErrorReply) -> Command {
        let table = PaymentFields.of(operation)
        let fields = merged ?? document.root
        var echoed = echoed
        if let merged {
            echoed = try table.check(merged, in: merged.currency, unknown: .ignored)
            try echoed.checkByteCount(of: merged)
        }
        if operation.isPaidByPayer { try fields.completeApplePay(&echoed) }
        let instruction = Instruction(
            merchant: merchant, order: order, transaction: transaction,
            source: fields.member("transaction")?.member("source")?.string.flatMap(TransactionSource.init(rawValue:)),
            parameters: parameters, particulars: .object(echoed), applicationDataHash: applicationDataHash,
            noting: { [trace] in trace.note(notices: $0) })
        switch operation {
        case .authorize, .pay:
            return .authorize(
                try Authorize(operation == .pay ? .pay : .authorize, fields, instruction))
        case .verify: return .verify(try Verify(fields, instruction))
        case .capture: return .capture(Capture(instruction: instruction, amount: try fields.transactionAmount()))
        case .refund: return .refund(try Refund(fields, instruction))
        case .void: return .void(try VoidTransaction(fields, instruction))
        case .updateAuthorization:
            return .updateAuthorization(
                UpdateAuthorization(instruction: instruction, amount: try fields.transactionAmount()))
        }
    }
}

extension Authorize {
    fileprivate init(_ operation: Operation, _ fields: JSONNode, _ instruction: Instruction) throws(ErrorReply) {
        let currency = try fields.requiredCurrency(in: "order")
        let amount = try fields.orderAmount(in: currency)
        let wallet = fields.walletProvider
        self.init(
            operation: operation, instruction: instruction, amount: amount,
            sourceOfFunds: try SourceOfFunds(fields.member("sourceOfFunds"), wallet: wallet, isPaid: true),
            walletProvider: wallet)
    }
}

extension Verify {
    fileprivate init(_ fields: JSONNode, _ instruction: Instruction) throws(ErrorReply) {
        let wallet = fields.walletProvider
        self.init(
            instruction: instruction, currency: try fields.requiredCurrency(in: "order"),
            sourceOfFunds: try SourceOfFunds(fields.member("sourceOfFunds"), wallet: wallet, isPaid: true),
            walletProvider: wallet)
    }
}

extension Refund {
    /// With a source of funds the refund is stand-alone; a type alone, or an empty card, does not count.
    fileprivate init(_ fields: JSONNode, _ instruction: Instruction) throws(ErrorReply) {
        let amount = try fields.transactionAmount()
        let wallet = fields.walletProvider
        let source = fields.member("sourceOfFunds").flatMap { $0.member("provided")?.holdsAnything == true ? $0 : nil }
        self.init(
            instruction: instruction, amount: amount, target: try fields.target(),
            sourceOfFunds: try source.map { (source) throws(ErrorReply) in
                try SourceOfFunds(source, wallet: wallet, isPaid: false)
            },
            walletProvider: wallet)
    }
}

extension VoidTransaction {
    fileprivate init(_ fields: JSONNode, _ instruction: Instruction) throws(ErrorReply) {
        guard let target = try fields.target() else { throw .missing("transaction.targetTransactionId") }
        self.init(instruction: instruction, target: target)
    }
}

extension JSONNode {
    /// Validates a payment with Apple Pay against the rules of Mastercard's page for its channel and terminal, and
    /// adds the default terminal location to the echoed members.
    fileprivate func completeApplePay(_ echoed: inout JSONObject) throws(ErrorReply) {
        guard walletProvider == .applePay else { return }
        if let source = member("transaction")?.member("source"), let text = source.string,
            text != TransactionSource.internet.rawValue
        {
            throw .invalid(source.path, text, "A payment with APPLE_PAY has INTERNET")
        }
        let places = ["PAYER_TERMINAL_OFF_PREMISES", "PAYER_TERMINAL_ON_PREMISES"]
        var terminal = JSONObject()
        if case .object(let said) = echoed["posTerminal"] { terminal = said }
        if let place = member("posTerminal")?.member("location"), let text = place.string {
            guard places.contains(text) else {
                throw .invalid(
                    place.path, text, "A payment with APPLE_PAY has \(places.joined(separator: " or "))")
            }
        } else {
            terminal["location"] = .string(places[0])
        }
        echoed["posTerminal"] = .object(terminal)
    }

    /// The value of an object's member; nil if it is absent or null.
    func member(_ name: String) -> JSONNode? {
        guard let value = self[name], !value.isNull else { return nil }
        return value
    }

    /// The currency of a request's amounts, if present.
    var currency: Currency? {
        let code = member("transaction")?.member("currency") ?? member("order")?.member("currency")
        return code?.string.flatMap(Currency.init(code:))
    }

    fileprivate var walletProvider: WalletProvider? {
        member("order")?.member("walletProvider")?.string.flatMap(WalletProvider.init(rawValue:))
    }

    fileprivate func requiredCurrency(in group: String) throws(ErrorReply) -> Currency {
        let path = group + ".currency"
        guard let code = member(group)?.member("currency")?.string else { throw .missing(path) }
        guard let currency = Currency(code: code) else {
            throw .invalid(path, code, "ISO 4217 lists no such currency")
        }
        return currency
    }

    /// The order's amount, or the net amount plus the merchant's charge: no further charge is calculated.
    fileprivate func orderAmount(in currency: Currency) throws(ErrorReply) -> Amount {
        let order = member("order")
        if let amount = order?.member("amount") { return try amount.amount(in: currency) }
        guard let net = order?.member("netAmount") else { throw .missing("order.amount") }
        let charge = try order?.member("merchantCharge")?.member("amount")?.amount(in: currency).minorUnits ?? 0
        let sum = try net.amount(in: currency).minorUnits + charge
        guard let amount = Amount(exactly: sum, currency) else {
            throw .invalid("order.netAmount", net.decimalText ?? "", "The order's amount is out of range")
        }
        return amount
    }

    fileprivate func transactionAmount() throws(ErrorReply) -> Amount {
        let amount = member("transaction")?.member("amount")
        let currency = try requiredCurrency(in: "transaction")
        guard let amount else { throw .missing("transaction.amount") }
        return try amount.amount(in: currency)
    }

    fileprivate func target() throws(ErrorReply) -> TransactionID? {
        let path = "transaction.targetTransactionId"
        guard let text = member("transaction")?.member("targetTransactionId")?.fieldText else { return nil }
        do throws(MalformedIdentifier) { return try TransactionID(text) } catch { throw ErrorReply(error, text, path) }
    }

    /// Checks that an identifier equals that of the path.
    fileprivate func expectID(_ expected: String) throws(ErrorReply) {
        guard let id = member("id"), let text = id.fieldText, !text.utf8.elementsEqual(expected.utf8) else { return }
        throw .invalid(id.path, text, "The url path has another one")
    }
}

extension JSONObject {
    /// Refuses a request whose stored fields exceed the maximum size, naming the largest group.
    fileprivate func checkByteCount(of request: JSONNode) throws(ErrorReply) {
        let bytesMax = Order.requestParticularsBytesMax
        // The stored fields are rarely larger than the request, so they are counted only for a large request.
        guard request.withRawBytes({ $0.count }) > bytesMax else { return }
        let sizes = map { (name: $0.name, byteCount: $0.value.serialized().count) }
        let byteCount = sizes.reduce(0) { $0 + $1.byteCount }
        guard byteCount > bytesMax, let largest = sizes.max(by: { $0.byteCount < $1.byteCount }) else { return }
        throw .invalidSecret(
            largest.name,
            "Of one request at most \(bytesMax) bytes of JSON are kept, but this has \(byteCount), "
                + "\(largest.byteCount) of them in \(largest.name)")
    }
}
