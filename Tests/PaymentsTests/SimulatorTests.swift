import TestSupport
import Testing

@testable import Payments

struct SimulatorTests {
    @Test(arguments: [
        ("5656", GatewayCode.approved), ("5757", .declined), ("5858", .timedOut), ("5959", .unspecifiedFailure),
        ("6161", .partiallyApproved), ("6262", .systemError), ("6363", .unknown), ("30.10", .approved),
        ("57.57", .approved), ("5757.01", .approved),
    ])
    func `the amount decides`(amount: String, gatewayCode: GatewayCode) throws {
        #expect(try TestSimulator.table().outcome(for: Amount(amount, .usd), nil).gatewayCode == gatewayCode)
    }

    @Test(arguments: [("5757", Currency.jpy), ("5757.0", .usd), ("5757.00", .usd), ("5757.000", .bhd)])
    func `an amount is one in every currency`(amount: String, currency: Currency) throws {
        #expect(try TestSimulator.table().outcome(for: Amount(amount, currency), nil).gatewayCode == .declined)
    }

    @Test(arguments: [
        (5000, "6161", Currency.usd, 308_050), (5000, "6161", .jpy, 3080), (5000, "0.01", .usd, 1), (1, "1", .jpy, 1),
        (9999, "1", .jpy, 1), (3333, "100", .jpy, 33), (9999, "1000000000000", .bhd, 999_900_000_000_000),
        (5000, "6161.001", .bhd, 3_080_500),
    ])
    func `a part is rounded down to a minor unit and is never nothing`(
        basisPoints: Int, amount: String, currency: Currency, minorUnits: Int64
    ) throws {
        let outcome = try partial(basisPoints)
        #expect(outcome.approvedMinorUnits(of: try Amount(amount, currency)) == minorUnits)
    }

    @Test(arguments: [nil, 0, 10_000, -1])
    func `a partial approval needs a part`(basisPoints: Int?) {
        #expect(throws: SimulatedOutcome.Malformed.approvedBasisPoints(basisPoints)) { try partial(basisPoints) }
    }

    @Test func `only a partial approval has a part`() {
        #expect(throws: SimulatedOutcome.Malformed.approvedBasisPoints(5000)) {
            try outcome(.approved, .authorized, .captured, acquirerCode: "00", basisPoints: 5000)
        }
    }

    @Test(arguments: [OrderStatus.failed, .initiated, .captured])
    func `an approved AUTHORIZE leaves the order AUTHORIZED`(status: OrderStatus) {
        #expect(throws: SimulatedOutcome.Malformed.approvalWithStatus(status, .authorize)) {
            try outcome(.approved, status, .captured, acquirerCode: "00")
        }
    }

    @Test(arguments: [OrderStatus.failed, .initiated, .authorized])
    func `an approved PAY leaves the order CAPTURED`(status: OrderStatus) {
        #expect(throws: SimulatedOutcome.Malformed.approvalWithStatus(status, .pay)) {
            try outcome(.approved, .authorized, status, acquirerCode: "00")
        }
    }

    @Test(arguments: [OrderStatus.authorized, .captured])
    func `what is no approval leaves the order open`(status: OrderStatus) {
        #expect(throws: SimulatedOutcome.Malformed.failureWithStatus(status, .authorize)) {
            try outcome(.declined, status, .failed, acquirerCode: "05")
        }
        #expect(throws: SimulatedOutcome.Malformed.failureWithStatus(status, .pay)) {
            try outcome(.declined, .failed, status, acquirerCode: "05")
        }
    }

    @Test func `a message comes with a code`() {
        #expect(throws: SimulatedOutcome.Malformed.messageWithoutCode) {
            try outcome(.declined, .failed, .failed, acquirerCode: nil)
        }
    }

    private func partial(_ basisPoints: Int?) throws -> SimulatedOutcome {
        try outcome(.partiallyApproved, .authorized, .captured, acquirerCode: "10", basisPoints: basisPoints)
    }

    private func outcome(
        _ gatewayCode: GatewayCode, _ authorize: OrderStatus, _ pay: OrderStatus, acquirerCode: String?,
        basisPoints: Int? = nil
    ) throws -> SimulatedOutcome {
        try SimulatedOutcome(
            gatewayCode: gatewayCode, result: .success,
            authorize: SimulatedEffect(orderStatus: authorize, recommendation: nil),
            pay: SimulatedEffect(orderStatus: pay, recommendation: nil), acquirerCode: acquirerCode,
            acquirerMessage: "words", approvedBasisPoints: basisPoints)
    }
}

struct FundingAccountTests {
    @Test(arguments: ["5123450000000008", "5353756319181169", "5555555555554444", "2223000000000007"])
    func `a device account number always funds from the same published number of its brand`(number: String) throws {
        let command = try command(number)
        let acquirer = try TestSimulator.acquirer()
        let account = try #require(acquirer.answer(command).fundingAccount)
        #expect(CardBrand(account.accountNumber) == .mastercard)
        #expect(account.expiry == CardExpiry(month: 11, year: 27))
        for _ in 0..<10 { #expect(acquirer.answer(command).fundingAccount == account) }
    }

    @Test func `a brand without published numbers funds from an unknown account`() throws {
        #expect(try TestSimulator.acquirer().answer(command("3528000000000007")).fundingAccount == nil)
    }

    @Test func `a mapping can be configured to fail`() throws {
        let acquirer = try TestSimulator.acquirer(mapsFundingAccounts: false)
        #expect(acquirer.answer(try command("5123450000000008")).fundingAccount == nil)
    }

    @Test func `a card that no device is behind is mapped to nothing`() throws {
        let acquirer = try TestSimulator.acquirer()
        #expect(acquirer.answer(try command(TestPayment.plainCard())).fundingAccount == nil)
    }

    private func command(_ number: String) throws -> AcquirerCommand { try command(TestPayment.deviceCard(number)) }

    private func command(_ card: Card) throws -> AcquirerCommand {
        AcquirerCommand(
            operation: .authorize, order: try TestPayment().key, transaction: try TransactionID("1"),
            amount: try Amount("1", .usd), brand: CardBrand(card.accountNumber), card: card)
    }
}
