import Payments
import TestSupport
import Testing
import Values

struct SimulatedCardTests {
    private static let operations: [PaymentOperation] = [.authorize, .pay]

    private func reply(
        _ operation: PaymentOperation = .authorize, _ amount: String, expiry: (Int, Int), securityCode: String? = nil,
        number: String = "5123450000000008", isDevice: Bool = false
    ) throws -> AcquirerReply {
        let card = try Card(
            accountNumber: AccountNumber(number),
            expiry: #require(CardExpiry(month: expiry.0, year: expiry.1)),
            securityCode: securityCode.map { SecretText($0) },
            devicePayment: isDevice
                ? DevicePayment.threeDSecure(
                    onlinePaymentCryptogram: SecretText(TestPayment.cryptogram), eciIndicator: nil) : nil)
        let command = AcquirerCommand(
            operation: operation, order: try TestPayment().key, transaction: try TransactionID("1"),
            amount: try Amount(amount, .usd), brand: CardBrand(card.accountNumber), card: card)
        return try TestSimulator.acquirer().answer(command)
    }

    @Test(arguments: [
        ((1, 39), "10", GatewayCode.approved), ((5, 39), "5656", .declined), ((5, 37), "10", .unknown),
        ((1, 39), "5757", .declined), ((1, 39), "6161", .partiallyApproved), ((5, 37), "5757", .unknown),
        ((7, 31), "5757", .declined), ((7, 31), "10", .approved), ((5, 38), "10", .approved),
    ])
    func `what a plain card's expiry fails has failed, and of the others the amount decides`(
        expiry: (Int, Int), amount: String, gatewayCode: GatewayCode
    ) throws {
        for operation in Self.operations {
            #expect(try reply(operation, amount, expiry: expiry).gatewayCode == gatewayCode)
        }
    }

    @Test(arguments: [
        ((5, 39), "5656", GatewayCode.approved), ((1, 39), "5757", .declined), ((5, 37), "10", .approved),
    ])
    func `for a device's card only the amount decides`(
        expiry: (Int, Int), amount: String, gatewayCode: GatewayCode
    ) throws {
        for operation in Self.operations {
            let reply = try reply(operation, amount, expiry: expiry, securityCode: "102", isDevice: true)
            #expect(reply.gatewayCode == gatewayCode)
            #expect(reply.cardSecurityCode == nil)
        }
    }

    @Test(arguments: [
        ("100", CardSecurityCodeResult(gatewayCode: .match, acquirerCode: "M")),
        ("102", CardSecurityCodeResult(gatewayCode: .noMatch, acquirerCode: "N")),
        ("1010", CardSecurityCodeResult(gatewayCode: .notProcessed, acquirerCode: "P")), ("10", nil), ("1000", nil),
        ("737", nil), (nil, nil),
    ])
    func `the security code is judged, and decides nothing`(code: String?, result: CardSecurityCodeResult?) throws {
        let reply = try reply(.pay, "10", expiry: (7, 31), securityCode: code)
        #expect(reply.cardSecurityCode == result)
        #expect(reply.gatewayCode == .approved)
    }

    @Test func `the expiry decides a VERIFY, and its approval is of nothing`() throws {
        let declined = try reply(.verify, "0", expiry: (5, 39), securityCode: "102")
        #expect(declined.gatewayCode == .declined)
        #expect(declined.cardSecurityCode?.gatewayCode == .noMatch)
        let approved = try reply(.verify, "0", expiry: (1, 39))
        #expect(approved.gatewayCode == .approved)
        #expect(approved.approvedMinorUnits == 0)
    }

    @Test(arguments: [PaymentOperation.capture, .refund, .void, .updateAuthorization])
    func `what comes later is approved, whatever amount and card`(operation: PaymentOperation) throws {
        let reply = try reply(operation, "5757", expiry: (5, 39))
        #expect(reply.gatewayCode == .approved)
        #expect(reply.approvedMinorUnits == 575_700)
    }

    @Test(arguments: PaymentOperation.allCases)
    func `an outcome can be asked for by its code`(operation: PaymentOperation) throws {
        let acquirer = try TestSimulator.acquirer()
        for amount in ["5757", "0"] where operation == .verify || amount != "0" {
            let command = AcquirerCommand(
                operation: operation, order: try TestPayment().key, transaction: try TransactionID("1"),
                amount: try Amount(amount, .usd), brand: .mastercard, card: nil)
            for code in acquirer.gatewayCodes {
                let reply = acquirer.answer(command, with: code)
                let isLater = operation != .authorize && operation != .pay
                #expect(reply.gatewayCode == (code == .partiallyApproved && isLater ? .approved : code))
                #expect(reply.approvedMinorUnits <= command.amount.minorUnits)
                #expect(code.isApproval || reply.approvedMinorUnits == 0)
            }
            // No outcome has the code, so that the table answers.
            #expect(acquirer.answer(command, with: .blocked) == acquirer.answer(command))
        }
    }

    @Test(arguments: [
        ("5123450000000008", CardBrand.mastercard), ("2223000000000007", .mastercard),
        ("5111111111111118", .mastercard),
        ("2223000000000023", .mastercard), ("4508750015741019", .visa), ("4012000033330026", .visa),
        ("30123400000000", .dinersClub), ("36259600000012", .dinersClub), ("3528000000000007", .jcb),
        ("3528111100000001", .jcb), ("6011003179988686", .discover), ("6011963280099774", .discover),
        ("5000000000000000005", .maestro), ("5666555544443333", .maestro), ("135492354874528", .uatp),
        ("135420001569134", .uatp),
    ])
    func `the published test cards are of their brands, and credit cards`(number: String, brand: CardBrand) throws {
        let summary = CardSummary(try TestPayment.plainCard(number), fundingAccount: nil)
        #expect(summary.brand == brand)
        #expect(summary.fundingMethod == .credit)
    }
}
