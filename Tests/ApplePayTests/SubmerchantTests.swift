import JSON
import TestSupport
import Testing
import Values

@testable import ApplePay
@testable import ApplePaySandbox

/// A payment for several merchants, checked against what one of them asked for.
struct SubmerchantTests {
    private static func report(
        _ entries: [(String, Int64)], expecting details: TransactionDetails?,
        change: @Sendable @escaping (inout [UInt8]) -> Void = { _ in }
    ) throws -> TokenReport {
        let merchant = try LocalMerchant()
        var order = try merchant.order()
        order.submerchants = entries.map { .init(merchantIdentifier: $0.0, amountMinorUnits: $0.1) }
        let token = try TokenMint(merchant.authority)
            .mint(order, for: try merchant.recipient(), altered: .init(plaintext: change))
        return merchant.opener.open(bytes: token, at: .signing, expecting: details)
    }

    /// The payee and its amount, of 5656 minor units, of which "one" has 656 and "two" 5000, and the refusal.
    static let claims: [(String?, String, Int64, TokenRefusal?)] = [
        (nil, "840", 5656, nil),
        (nil, "840", 656, .amountDiffers(tokenMinorUnits: 5656, orderMinorUnits: 656, currencyCode: "840")),
        ("one", "840", 656, nil), ("two", "840", 5000, nil),
        ("one", "840", 5000, .amountDiffers(tokenMinorUnits: 656, orderMinorUnits: 5000, currencyCode: "840")),
        ("one", "840", 5656, .amountDiffers(tokenMinorUnits: 656, orderMinorUnits: 5656, currencyCode: "840")),
        (
            "one", "978", 656,
            .currencyDiffers(
                token: .init(currencyCode: "840", amountMinorUnits: 656),
                order: .init(currencyCode: "978", amountMinorUnits: 656))
        ),
        ("three", "840", 5656, .authenticationResponseMissing(merchantIdentifier: Printable("three"))),
        ("One", "978", 1, .authenticationResponseMissing(merchantIdentifier: Printable("One"))),
        ("", "840", 656, .authenticationResponseMissing(merchantIdentifier: Printable(""))),
    ]

    @Test(arguments: claims)
    func `the asking submerchant's amount is compared instead of the total`(
        submerchant: String?, currencyCode: String, amountMinorUnits: Int64, refusal: TokenRefusal?
    ) throws {
        let report = try Self.report(
            [("one", 656), ("two", 5000)],
            expecting: TransactionDetails(
                currencyCode: currencyCode, amountMinorUnits: amountMinorUnits,
                payee: submerchant.map(Payee.submerchant) ?? .whole))
        #expect(report.refusal == refusal)
        #expect(report.failedSteps == (refusal == nil ? [] : [.transactionDetails]))
        #expect(report.notes == [])
    }

    @Test func `a submerchant without an amount must have an entry, too`() throws {
        let details = TransactionDetails(total: nil, payee: .submerchant("two"))
        #expect(try Self.report([("one", 5656)], expecting: details).failedSteps == [.transactionDetails])
        #expect(try Self.report([("two", 5656)], expecting: details)[.transactionDetails] == .passed)
    }

    @Test func `a token without authentication responses is of no submerchant`() throws {
        let report = try Self.report([], expecting: TransactionDetails(total: nil, payee: .submerchant("one")))
        #expect(report.refusal == .authenticationResponseMissing(merchantIdentifier: Printable("one")))
        #expect(report.notes == [])
    }

    /// The payee, the amount, the entries, and whether they match.
    static let payees: [(payee: Payee, amountMinorUnits: Int64, entries: [String], isRight: Bool)] = [
        (.submerchantOfSeveral("one"), 656, ["one", "two"], true),
        (.submerchantOfSeveral("one"), 5656, ["one", "two"], false),
        (.submerchantOfSeveral("three"), 5656, ["one", "two"], false), (.submerchantOfSeveral("one"), 5656, [], true),
        (.coordinator("one"), 656, ["one", "two"], true), (.coordinator("one"), 5656, ["one", "two"], false),
        (.coordinator("three"), 5656, ["one", "two"], true), (.coordinator("three"), 656, ["one", "two"], false),
        (.coordinator("one"), 5656, [], true), (.coordinator("one"), 656, ["one", "one"], false),
        (.whole, 5656, ["one", "two"], true),
    ]

    @Test(arguments: payees)
    func `a merchant's part is its own entry, or the whole where it has none`(
        row: (payee: Payee, amountMinorUnits: Int64, entries: [String], isRight: Bool)
    ) throws {
        let amounts: [Int64] = [656, 5000]
        let report = try Self.report(
            Array(zip(row.entries, amounts)),
            expecting: TransactionDetails(
                currencyCode: "840", amountMinorUnits: row.amountMinorUnits, payee: row.payee))
        #expect(report.failedSteps == (row.isRight ? [] : [.transactionDetails]))
    }

    @Test func `two entries of one submerchant are refused, whatever their amounts`() throws {
        let report = try Self.report(
            [("one", 656), ("one", 656)],
            expecting: TransactionDetails(currencyCode: "840", amountMinorUnits: 656, payee: .submerchant("one")))
        #expect(report.refusal == .authenticationResponseRepeated(merchantIdentifier: Printable("one")))
        #expect(try Self.report([("one", 1), ("one", 2)], expecting: nil).refusal == nil)
    }

    @Test func `a sum that is not the total is told and refuses nothing`() throws {
        let details = TransactionDetails(currencyCode: "840", amountMinorUnits: 5656)
        let report = try Self.report([("one", 656), ("two", 5001)], expecting: details)
        let note = "The 2 amounts of authenticationResponses come to 56.57 USD, transactionAmount is 56.56 USD."
        #expect(report.refusal == nil)
        #expect(report.notes == [note])
        #expect(report.json(revealing: false)["notes"] == [.string(note)])
        #expect(try Self.report([("one", .max), ("two", 1)], expecting: details).notes.count == 1)
        #expect(try Self.report([("one", 5656)], expecting: nil).json(revealing: false)["notes"] == [])
    }

    @Test(arguments: [
        #""transactionAmount":"-656""#, #""transactionAmount":"6.56""#, #""transactionAmount":"""#,
        #""transactionAmount":"9223372036854775808""#, #""transactionAmount":null"#,
    ])
    func `an entry whose amount is no count of minor units is refused`(member: String) throws {
        let report = try Self.report([("one", 656)], expecting: nil) { plaintext in
            plaintext = Array(
                String(decoding: plaintext, as: UTF8.self).replacing(#""transactionAmount":"656""#, with: member).utf8)
        }
        #expect(report.refusal == .paymentDataMemberMalformed("authenticationResponses"))
    }

    @Test func `a masked report shows submerchants and amounts but no cryptogram`() throws {
        let report = try Self.report([("one", 656), ("two", 5000)], expecting: nil)
        let masked = report.json(revealing: false)["paymentData"]?["authenticationResponses"]
        #expect(
            masked == [
                ["authenticationData": "masked", "merchantIdentifier": "one", "transactionAmount": "656"],
                ["authenticationData": "masked", "merchantIdentifier": "two", "transactionAmount": "5000"],
            ])
    }
}
