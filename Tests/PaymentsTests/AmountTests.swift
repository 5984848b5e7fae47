import Payments
import TestSupport
import Testing
import Values

struct AmountTests {
    @Test(arguments: [
        ("12.5", Currency.eur, 1250), ("12.50", .eur, 1250), ("0.01", .eur, 1), ("007", .usd, 700), ("0", .usd, 0),
        ("500", .jpy, 500), ("0", .jpy, 0), ("1.234", .bhd, 1234), ("10.000", .bhd, 10_000),
        ("5656.0", .bhd, 5_656_000),
        ("1000000000000", .eur, 100_000_000_000_000), ("999999999999.9", .eur, 99_999_999_999_990),
        ("1000000000000", .jpy, 1_000_000_000_000), ("1000000000000", .bhd, 1_000_000_000_000_000),
        ("00000000000001", .jpy, 1),
    ])
    func `an amount counts the minor units of its currency`(text: String, currency: Currency, units: Int64) throws {
        #expect(try Amount(text, currency).minorUnits == units)
    }

    @Test(arguments: [
        "", ".", "1.", ".5", "+1", "-1", "-0", "1e2", " 1", "1 ", "1,00", "1.2.3", "1..2", "１", "٣", "0x10", "1\0",
        "NaN",
        "é", "1.5é",
    ])
    func `an amount refuses text that is not a plain decimal`(text: String) {
        #expect(throws: Amount.Malformed.notDecimal) { try Amount(text, .eur) }
    }

    @Test(arguments: ["000000000000001", "100000000000.00", "123456789012345678901234567890"])
    func `an amount refuses more than fourteen characters`(text: String) {
        #expect(throws: Amount.Malformed.length(text.count)) { try Amount(text, .eur) }
    }

    @Test(arguments: [
        ("1.234", Currency.eur, 2), ("1.000", .eur, 2), ("5656.0", .jpy, 0), ("500.00", .jpy, 0), ("1.2345", .bhd, 3),
    ])
    func `an amount refuses more decimals than its currency has, zeros too`(
        text: String, currency: Currency, decimals: Int
    ) {
        #expect(throws: Amount.Malformed.decimals(max: decimals)) { try Amount(text, currency) }
    }

    @Test(arguments: [
        ("1000000000001", Currency.jpy), ("99999999999999", .jpy), ("99999999999999", .bhd), ("1000000000001", .eur),
    ])
    func `an amount refuses more than a million million units`(text: String, currency: Currency) {
        #expect(throws: Amount.Malformed.exceedsMaximum) { try Amount(text, currency) }
    }

    @Test(arguments: [
        ("12.5", Currency.eur, "12.50"), ("0", .eur, "0.00"), ("0.05", .usd, "0.05"), ("500", .jpy, "500"),
        ("10", .bhd, "10.000"), ("0.007", .bhd, "0.007"),
    ])
    func `an amount is written with all its currency's decimals`(text: String, currency: Currency, written: String)
        throws
    {
        #expect(try Amount(text, currency).description == written)
    }

    @Test func `an amount with four decimals is read, written and bounded`() throws {
        let clf = try #require(Currency(code: "CLF"))
        #expect(try Amount("1.2345", clf).minorUnits == 12_345)
        #expect(try Amount("1000000000000", clf).minorUnits == 10_000_000_000_000_000)
        #expect(throws: Amount.Malformed.decimals(max: 4)) { try Amount("1.23456", clf) }
    }

    @Test func `what an amount writes it reads again`() throws {
        var generator = SeededGenerator(seed: 1)
        for currency in Currency.all {
            for _ in 0..<20 {
                let minorUnits = Int64.random(in: 0...999_999_999_999, using: &generator)
                let amount = Amount(minorUnits: minorUnits, currency: currency)
                #expect(try Amount(amount.description, currency) == amount)
            }
        }
    }
}

struct ExactDecimalTests {
    @Test(arguments: ["5656", "5656.0", "5656.00", "05656.000", "5656.0000"])
    func `decimals that are zero don't make another number`(text: String) throws {
        #expect(try #require(ExactDecimal(text)) == #require(ExactDecimal("5656")))
    }

    @Test(arguments: ["56.56", "5656.01", "565.6", "56560", "0.5656"])
    func `other numbers are other numbers`(text: String) throws {
        #expect(try #require(ExactDecimal(text)) != #require(ExactDecimal("5656")))
    }

    @Test(arguments: [Currency.jpy, .usd, .bhd])
    func `an amount has the same number in every currency`(currency: Currency) throws {
        #expect(ExactDecimal(try Amount("5656", currency)) == ExactDecimal("5656"))
        #expect(ExactDecimal(try Amount("0", currency)) == ExactDecimal("0.000"))
    }

    @Test(arguments: ["", "5656,00", "1.23456", "-1"])
    func `what is no plain decimal is no number`(text: String) {
        #expect(ExactDecimal(text) == nil)
    }
}
