import JSON
import Payments
import TestSupport
import Testing
import Values

struct AuthorizeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let amount: String
        let gatewayCode: GatewayCode
        let result: TransactionResult
        let status: [Authorize.Operation: OrderStatus]
        let approved: Int64
        let testDescription: String

        init(
            _ amount: String, _ gatewayCode: GatewayCode, _ result: TransactionResult, _ authorize: OrderStatus,
            _ pay: OrderStatus, approved: Int64
        ) {
            self.amount = amount
            self.gatewayCode = gatewayCode
            self.result = result
            status = [.authorize: authorize, .pay: pay]
            self.approved = approved
            testDescription = amount
        }
    }

    static let rows = [
        Row("5656.00", .approved, .success, .authorized, .captured, approved: 565_600),
        Row("5757.00", .declined, .failure, .failed, .failed, approved: 0),
        Row("5858.00", .timedOut, .failure, .failed, .failed, approved: 0),
        Row("5959.00", .unspecifiedFailure, .failure, .failed, .failed, approved: 0),
        Row("6161.00", .partiallyApproved, .success, .authorized, .captured, approved: 308_050),
        Row("6262.00", .systemError, .failure, .failed, .failed, approved: 0),
        Row("6363.00", .unknown, .unknown, .failed, .failed, approved: 0),
        Row("30.10", .approved, .success, .authorized, .captured, approved: 3010),
    ]

    @Test(arguments: rows, Authorize.Operation.allCases)
    func `each amount has its code, result, order status and totals`(row: Row, operation: Authorize.Operation)
        async throws
    {
        let store = InMemoryStore()
        let gateway = try Gateway.test(store: store, acquirer: TestSimulator.acquirer())
        let payment = TestPayment {
            $0.operation = operation
            $0.amount = row.amount
        }
        let transaction = try await gateway.perform(payment.command, at: TestPayment.instant)
        #expect(transaction.gatewayCode == row.gatewayCode)
        #expect(transaction.result == row.result)
        #expect(transaction.type == (operation == .pay ? .payment : .authorization))
        #expect(transaction.amount == (try Amount(row.amount, .usd)))
        #expect(transaction.order.amount == transaction.amount)
        #expect(transaction.order.status == row.status[operation])
        #expect(
            transaction.order.totals
                == OrderTotals(
                    authorizedMinorUnits: row.approved, capturedMinorUnits: operation == .pay ? row.approved : 0))
        #expect((transaction.references.authorizationCode != nil) == (row.approved > 0))
        #expect((transaction.authorizationResponse != nil) == (transaction.acquirer.code != nil))
        #expect((transaction.acquirer.transactionID != nil) == (transaction.acquirer.code != nil))
    }

    @Test func `a transaction has the references, dates and card of the seed's sample`() async throws {
        let gateway = try Gateway.test(store: InMemoryStore(), acquirer: TestSimulator.acquirer())
        let transaction = try await gateway.perform(TestPayment().command, at: TestPayment.instant)
        #expect(transaction.references.receipt == "307310046465")
        #expect(transaction.references.systemTraceAuditNumber == 46_465)
        #expect(transaction.references.authorizationCode == "046465")
        #expect(transaction.acquirer.batch == 20_230_314)
        #expect(transaction.acquirer.date == "0314")
        #expect(transaction.acquirer.transactionID == "447345902")
        #expect(transaction.acquirer.code == "00")
        #expect(transaction.acquirer.message == "Approved")
        #expect(transaction.recommendation == .proceed)
        let response = try #require(transaction.authorizationResponse)
        #expect(response.date == "0314" && response.time == "101534" && response.stan == "46465")
        #expect(response.responseCode == "00" && response.transactionIdentifier == "447345902")
        #expect(response.constants.posData == "1025104006600")
        #expect(response.constants.scheme.financialNetworkCode == "MCC")
        #expect(transaction.card.brand == .mastercard && transaction.card.scheme == .mastercard)
        #expect(transaction.card.fundingMethod == .unknown)
        #expect(transaction.card.device?.number == "512345xxxxxx0008")
        #expect(transaction.card.device?.expiry == CardExpiry(month: 1, year: 39))
        #expect(transaction.card.device?.cryptogramFormat == .threeDSecure)
        let number = try #require(transaction.card.number)
        #expect(number.hasPrefix("xxxxxxxxxxxx") && number.utf8.count == 16 && !number.hasSuffix("x"))
        #expect(transaction.card.expiry == CardExpiry(month: 11, year: 27))
        #expect(transaction.order.creationTime == TestPayment.instant)
        #expect(transaction.order.walletProvider == .applePay)
        #expect(transaction.authenticationStatus == .notInEffect)
    }

    @Test(arguments: [
        (2026, 1, 1, 0, 1, "600100000001"), (2026, 12, 31, 23, 999_999, "636523999999"),
        (2024, 12, 31, 9, 42, "436609000042"),
    ])
    func `a receipt counts year, day, hour and trace audit number`(
        year: Int, month: Int, day: Int, hour: Int, stan: Int, receipt: String
    ) async throws {
        let instant = try #require(Instant(year: year, month: month, day: day, hour: hour))
        let gateway = Gateway(
            store: InMemoryStore(), acquirer: try TestSimulator.acquirer(), keys: try .test(),
            references: ReferenceNumbers(systemTraceAuditNumber: { stan }, acquirerTransactionID: { 100_000_000 }))
        let transaction = try await gateway.perform(TestPayment().command, at: instant)
        #expect(transaction.references.receipt == receipt)
        #expect(transaction.references.authorizationCode == String(receipt.suffix(6)))
    }

    @Test func `FPAN members are absent where the issuer doesn't tell`() async throws {
        let acquirer = try TestSimulator.acquirer(mapsFundingAccounts: false)
        let gateway = try Gateway.test(store: InMemoryStore(), acquirer: acquirer)
        let transaction = try await gateway.perform(TestPayment().command, at: TestPayment.instant)
        #expect(transaction.card.number == nil && transaction.card.expiry == nil)
        #expect(transaction.card.device?.number == "512345xxxxxx0008")
    }

    @Test func `a card that no device is behind is masked 6.4`() async throws {
        let gateway = try Gateway.test(store: InMemoryStore(), acquirer: TestSimulator.acquirer())
        let payment = try TestPayment { $0.sourceOfFunds = .card(try TestPayment.plainCard("345678901234564")) }
        let transaction = try await gateway.perform(payment.command, at: TestPayment.instant)
        #expect(transaction.card.number == "345678xxxxx4564")
        #expect(transaction.card.expiry == CardExpiry(month: 1, year: 39))
        #expect(transaction.card.device == nil)
        #expect(transaction.card.brand == .amex && transaction.card.fundingMethod == .credit)
    }

    @Test func `an order's times never run backwards`() async throws {
        let gateway = try Gateway.test(store: InMemoryStore(), acquirer: TestSimulator.acquirer())
        let declined = try await gateway.perform(
            TestPayment { $0.amount = "5757.00" }.command, at: TestPayment.instant)
        let retried = try await gateway.perform(
            TestPayment { $0.transaction = "2" }.command, at: TestPayment.instant.advanced(byMilliseconds: -5000))
        #expect(retried.order.lastUpdatedTime == declined.order.lastUpdatedTime)
        #expect(retried.order.creationTime == declined.order.creationTime)
        #expect(retried.order.version == 2)
    }

    @Test func `a card holds exactly what was found`() throws {
        let card = try TestPayment.deviceCard()
        #expect(card.accountNumber.revealed() == TestPayment.deviceAccountNumber)
        #expect(card.cryptogram?.revealed() == TestPayment.cryptogram)
        #expect(card.eciIndicator == "20")
        #expect(card.expiry == CardExpiry(month: 1, year: 39))
        #expect(card.nameOnCard == nil && card.securityCode == nil)
    }
}
