import JSON
import Payments
import TestSupport
import Testing
import Values
import Vault

struct RecordTests {
    @Test(arguments: 0..<200)
    func `a record is read back unchanged`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let transaction = try randomTransaction(using: &generator)
        #expect(try Transaction(record: transaction.record) == transaction)
        #expect(try Order(record: transaction.order.record) == transaction.order)
    }

    @Test(arguments: 0..<50)
    func `the members of a record come in order, each once`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let transaction = try randomTransaction(using: &generator)
        for record in [transaction.record, transaction.order.record] {
            #expect(try JSONValue(parsing: record).serialized() == record)
        }
    }

    /// As the program wrote them before it knew of later operations.
    static let orderOfFormat1 = """
        {"amount":616100,"authenticationStatus":"AUTHENTICATION_NOT_IN_EFFECT","authorized":308050,"captured":0,\
        "created":1678788934265,"currency":"USD","disbursed":0,"format":1,"id":"order-1","merchant":"TESTMERCHANT",\
        "refunded":0,"status":"AUTHORIZED","updated":1678788934265,"version":1,"wallet":"APPLE_PAY"}
        """
    static let transactionOfFormat1 = """
        {"acquirer":{"batch":20230314,"category":"1234","code":"10","date":"0314","id":"SYSTEST_ACQ_S2I",\
        "merchant":"12345678","message":"Partial approval","terminal":"1111","transaction":"447345902"},\
        "amount":616100,"authenticationStatus":"AUTHENTICATION_NOT_IN_EFFECT","authorizationCode":"046465",\
        "card":{"brand":"MASTERCARD","device":{"cryptogramFormat":"3DSECURE","expiry":{"month":1,"year":39},\
        "number":"512345xxxxxx0008"},"expiry":{"month":11,"year":27},"fundingMethod":"UNKNOWN",\
        "number":"xxxxxxxxxxxx1118","storedOnFile":"NOT_STORED"},"format":1,"gatewayCode":"PARTIALLY_APPROVED","id":"1",\
        "order":\(orderOfFormat1.replacing(#""format":1,"#, with: "")),\
        "particulars":{"device":{"ani":"12341234"}},"receipt":"307310046465","recommendation":"PROCEED",\
        "response":{"code":"10","date":"0314","posData":"1025104006600","posEntryMode":"812","processingCode":"003000",\
        "scheme":{"commercialCard":"123","commercialCardIndicator":"1","financialNetworkCode":"MCC",\
        "transactionIntegrityClass":"A1"},"stan":"46465","time":"101534","transaction":"447345902"},"result":"SUCCESS",\
        "source":"INTERNET","stan":46465,"time":1678788934265,"type":"AUTHORIZATION"}
        """

    @Test func `records of the first form are read as today's of the same transaction`() async throws {
        let gateway = try Gateway.test(store: InMemoryStore(), acquirer: TestSimulator.acquirer())
        let transaction = try await gateway.perform(
            TestPayment { $0.amount = "6161.00" }.command, at: TestPayment.instant)
        // What an order keeps was not counted then.
        let uncounted = String(decoding: transaction.record, as: UTF8.self).replacing(
            #""particularsBytes":29,"#, with: "")
        let read = try Transaction(record: Array(Self.transactionOfFormat1.utf8))
        #expect(try read == Transaction(record: Array(uncounted.utf8)))
        let order = try Order(record: Array(Self.orderOfFormat1.utf8))
        #expect(order == read.order && order.particularsByteCount == nil)
        #expect(order.counting(particularsByteCount: 29) == transaction.order)
        #expect(transaction.approvedMinorUnits == 308_050)
    }

    @Test(arguments: TransactionType.allCases) func `only what can stand alone may lack its target`(
        type: TransactionType
    )
        throws
    {
        let text = Self.transactionOfFormat1.replacing("AUTHORIZATION\"}", with: "\(type.rawValue)\"}")
        switch type {
        case .authorization, .payment, .refund, .verification:
            #expect(try Transaction(record: Array(text.utf8)).targetTransactionID == nil)
        default:
            #expect(throws: RecordFault.member("target")) { try Transaction(record: Array(text.utf8)) }
        }
    }

    @Test(arguments: [
        ("", RecordFault.notObject), ("[]", .notObject), ("null", .notObject), ("{", .notObject),
        (#"{"format":1,"format":1}"#, .notObject), ("{}", .member("format")), (#"{"format":"1"}"#, .member("format")),
        (#"{"format":0}"#, .format), (#"{"format":3}"#, .format), (#"{"format":1}"#, .member("merchant")),
        (#"{"format":2}"#, .member("merchant")),
    ])
    func `what is no order in a known form is refused`(text: String, fault: RecordFault) {
        #expect(throws: fault) { try Order(record: Array(text.utf8)) }
    }

    @Test(arguments: [
        ("amount", "-1"), ("amount", "1.5"), ("amount", "9223372036854775807"), ("amount", "99999999999999999999"),
        ("authorized", "-1"), ("captured", "null"), ("created", #""now""#), ("currency", #""XXX""#), ("id", #""""#),
        ("merchant", #""a b""#), ("status", #""OPEN""#), ("version", "0"), ("wallet", #""PURSE""#), ("wallet", "null"),
    ])
    func `an order with a member that can't be is refused`(name: String, value: String) throws {
        var generator = SeededGenerator(seed: 7)
        let record = try randomTransaction(using: &generator).order.record
        let changed = try replacing(name, with: value, in: record)
        #expect(throws: RecordFault.member(name)) { try Order(record: changed) }
    }

    @Test(arguments: [
        ("acquirer", "1"), ("amount", "-1"), ("approved", "-1"), ("approved", "9000000000000000000"),
        ("approved", "null"), ("approved", #""5""#), ("card", "null"), ("gatewayCode", #""FINE""#), ("id", #""""#),
        ("order", "[]"), ("result", #""ERROR""#), ("source", "0"), ("stan", "0"), ("stan", "1000000"),
        ("type", #""GIFT""#), ("time", "true"), ("receipt", "5"), ("response", "5"), ("target", "5"),
        ("target", #""""#), ("target", "null"),
    ])
    func `a transaction with a member that can't be is refused`(name: String, value: String) throws {
        var generator = SeededGenerator(seed: 7)
        let record = try randomTransaction(using: &generator).record
        let changed = try replacing(name, with: value, in: record)
        #expect(throws: RecordFault.member(name)) { try Transaction(record: changed) }
    }

    @Test(arguments: [
        "acquirer", "amount", "approved", "card", "gatewayCode", "id", "order", "particulars", "receipt", "result",
        "source",
        "stan",
        "time", "type",
    ])
    func `a transaction without a member that it always has is refused`(name: String) throws {
        var generator = SeededGenerator(seed: 7)
        guard case .object(var members) = try JSONValue(parsing: try randomTransaction(using: &generator).record) else {
            Issue.record("a record is an object")
            return
        }
        members[name] = nil
        let record = JSONValue.object(members).serialized()
        #expect(throws: RecordFault.member(name)) { try Transaction(record: record) }
    }

    @Test(arguments: [10, 2_000, 100_000])
    func `a record is read back from its parts, and a ledger's entry from either form`(charactersCount: Int) throws {
        var generator = SeededGenerator(seed: 5)
        let transaction = try randomTransaction(
            using: &generator, particulars: ["note": .string(String(repeating: "n", count: charactersCount))])
        let parts = transaction.parts
        #expect((parts.particulars == nil) == (charactersCount < 1_000))
        #expect(parts.record.count < 6_000)
        #expect(try Transaction(record: parts.record, particulars: parts.particulars) == transaction)
        for record in [parts.record, transaction.record] {
            #expect(try LedgerEntry(record: record) == LedgerEntry(transaction))
        }
        guard parts.particulars != nil else { return }
        #expect(throws: RecordFault.member("particulars")) { try Transaction(record: parts.record) }
        #expect(throws: RecordFault.member("particulars")) {
            try Transaction(record: parts.record, particulars: Array("{".utf8))
        }
    }

    @Test(arguments: [".", "a\u{202E}b"])
    func `an order whose transactions were named under earlier rules is captured and refunded`(name: String) throws {
        var generator = SeededGenerator(seed: 7)
        guard case .object(var members) = try JSONValue(parsing: try randomTransaction(using: &generator).record) else {
            Issue.record("a record is an object")
            return
        }
        members["id"] = .string(name)
        let record = JSONValue.object(members).serialized()
        #expect(try LedgerEntry(record: record) == LedgerEntry(try Transaction(record: record)))
    }

    @Test func `every record that is cut short is refused`() throws {
        var generator = SeededGenerator(seed: 3)
        let record = try randomTransaction(using: &generator).record
        for length in 0..<record.count {
            #expect(throws: RecordFault.notObject) { try Transaction(record: Array(record[..<length])) }
        }
    }

    @Test func `members nested as deep as a request allows are kept`() throws {
        var generator = SeededGenerator(seed: 4)
        var particulars: JSONValue = "bottom"
        for _ in 0..<32 { particulars = ["level": particulars] }
        let transaction = try randomTransaction(using: &generator, particulars: particulars)
        #expect(try Transaction(record: transaction.record) == transaction)
    }

    private func replacing(_ name: String, with value: String, in record: [UInt8]) throws -> [UInt8] {
        guard case .object(var members) = try JSONValue(parsing: record) else { return [] }
        members[name] = try JSONValue(parsing: value)
        return JSONValue.object(members).serialized()
    }
}

private func randomTransaction(
    using generator: inout SeededGenerator, particulars: JSONValue? = nil
) throws -> Transaction {
    func text(_ characters: ClosedRange<Int>) -> String {
        let alphabet = Array("abzAZ09_- /\"\\{}éß€😀")
        return String(
            (0..<Int.random(in: characters, using: &generator)).compactMap { _ in
                alphabet.randomElement(using: &generator)
            })
    }
    func element<Element>(_ elements: [Element]) throws -> Element {
        try #require(elements.randomElement(using: &generator))
    }
    func optional<Value>(_ value: Value) -> Value? { Bool.random(using: &generator) ? value : nil }
    func instant() -> Instant {
        Instant(millisecondsSinceEpoch: .random(in: -1_000_000...4_000_000_000_000, using: &generator))
    }
    func expiry() throws -> CardExpiry {
        try #require(
            CardExpiry(month: .random(in: 1...12, using: &generator), year: .random(in: 0...99, using: &generator)))
    }
    func sealed() -> [UInt8] {
        (0..<Int.random(in: 0...100, using: &generator)).map { _ in .random(in: .min ... .max, using: &generator) }
    }
    func minorUnits() -> Int64 { .random(in: 0...1_000_000_000_000, using: &generator) }
    let currency = try element(Currency.all)
    let order = Order(
        key: OrderKey(merchant: try MerchantID("M-1_a"), order: try OrderID(text(1...40))),
        amount: Amount(minorUnits: minorUnits(), currency: currency), status: try element(OrderStatus.allCases),
        totals: OrderTotals(
            authorizedMinorUnits: minorUnits(), capturedMinorUnits: minorUnits(), refundedMinorUnits: minorUnits(),
            disbursedMinorUnits: minorUnits()),
        creationTime: instant(), lastUpdatedTime: instant(),
        walletProvider: optional(try element(WalletProvider.allCases)),
        authenticationStatus: optional(.notInEffect), version: .random(in: 1...(.max), using: &generator))
    let scheme = SchemeConstants(
        cardLevelIndicator: optional(text(0...3)), commercialCard: optional(text(0...3)),
        commercialCardIndicator: optional(text(0...3)), financialNetworkCode: optional(text(0...3)),
        marketSpecificData: optional(text(0...3)), returnAci: optional(text(0...3)),
        transactionIntegrityClass: optional(text(0...3)), validationCode: optional(text(0...3)))
    let response = AuthorizationResponse(
        responseCode: text(1...2), date: text(4...4), time: text(6...6), stan: text(1...6),
        transactionIdentifier: text(9...9),
        constants: AuthorizationConstants(
            posData: text(0...13), posEntryMode: text(0...3), processingCode: text(0...6), scheme: scheme))
    let amount = Amount(minorUnits: minorUnits(), currency: currency)
    let type = try element(TransactionType.allCases)
    let target = try TransactionID(text(1...40))
    let mayLackTarget = [.authorization, .payment, .refund, .verification].contains(type)
    return Transaction(
        id: try TransactionID(text(1...40)), type: type, amount: amount,
        approvedMinorUnits: .random(in: 0...amount.minorUnits, using: &generator),
        targetTransactionID: mayLackTarget ? optional(target) : target,
        result: try element(TransactionResult.allCases), gatewayCode: try element(GatewayCode.allCases),
        recommendation: optional(try element(GatewayRecommendation.allCases)),
        acquirer: AcquirerRecord(
            id: text(0...20), merchantID: text(0...20), terminal: text(0...8), merchantCategoryCode: text(4...4),
            batch: .random(in: 0...99_991_231, using: &generator), date: text(4...4),
            transactionID: optional(text(9...9)),
            code: optional(text(0...2)), message: optional(text(0...30)),
            addressVerification: optional(
                AddressVerificationResult(
                    gatewayCode: try element(AddressVerificationVerdict.allCases),
                    acquirerCode: text(0...1)))),
        authorizationResponse: optional(response),
        references: TransactionReferences(
            systemTraceAuditNumber: .random(in: 1...999_999, using: &generator), receipt: text(12...12),
            authorizationCode: optional(text(6...6))),
        source: try element(TransactionSource.allCases), authenticationStatus: optional(.notInEffect),
        timeOfRecord: instant(),
        card: CardSummary(
            brand: try element(CardBrand.allCases), fundingMethod: try element(FundingMethod.allCases),
            storedOnFile: try element(StoredOnFile.allCases), number: optional(text(16...16)),
            expiry: optional(try expiry()),
            device: optional(
                DeviceCardSummary(number: text(16...16), expiry: try expiry(), cryptogramFormat: .threeDSecure)),
            sealedNumbers: optional(sealed()), sealedName: optional(sealed()), issuer: optional(text(1...30))),
        particulars: particulars ?? [
            "billing": ["address": .string(text(0...50)), "amount": 5], "list": [1, "two", .null],
        ],
        order: order)
}
