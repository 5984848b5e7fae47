import Payments
import TestSupport
import Testing
import Values

struct CurrencyTests {
    @Test(arguments: [
        ("USD", "840", 2), ("EUR", "978", 2), ("JPY", "392", 0), ("KWD", "414", 3), ("BHD", "048", 3),
        ("ALL", "008", 2),
        ("CLF", "990", 4), ("UYW", "927", 4), ("ISK", "352", 0), ("KRW", "410", 0), ("TND", "788", 3),
        ("XAF", "950", 0),
    ])
    func `a currency is found by either code`(code: String, numericCode: String, exponent: Int) throws {
        let currency = try #require(Currency(code: code))
        #expect(currency.numericCode == numericCode)
        #expect(currency.exponent == exponent)
        #expect(Currency(numericCode: numericCode) == currency)
    }

    @Test(arguments: ["", "usd", "US", "USDD", "XXX", "XTS", "XAU", "DEM", "840", "U D"])
    func `what is no currency to pay with is not found`(code: String) {
        #expect(Currency(code: code) == nil)
    }

    @Test(arguments: ["", "48", "0048", "999", "963", "USD", "-48"])
    func `what is no numeric code is not found`(numericCode: String) {
        #expect(Currency(numericCode: numericCode) == nil)
    }

    @Test func `the table is whole and well formed`() {
        #expect(Currency.all.count == 165)
        for currency in Currency.all {
            #expect(currency.code.utf8.count == 3 && currency.code.utf8.allSatisfy { (65...90).contains($0) })
            #expect(
                currency.numericCode.utf8.count == 3 && currency.numericCode.utf8.allSatisfy { (48...57).contains($0) })
            #expect((0...4).contains(currency.exponent) && currency.exponent != 1)
        }
    }
}

struct IdentifierTests {
    static let forty = String(repeating: "x", count: 40)

    @Test(arguments: ["T", "TESTMERCHANT", "a-b_C9", forty])
    func `a merchant identifier is up to forty letters, digits, hyphens and underscores`(text: String) throws {
        #expect(try MerchantID(text).text == text)
    }

    @Test(arguments: [
        ("", MalformedIdentifier.empty), (forty + "x", .tooLong(characters: 41)), ("a b", .unexpectedCharacter),
        ("a.b", .unexpectedCharacter), ("ü", .unexpectedCharacter), ("../etc", .unexpectedCharacter),
        ("a\0", .unexpectedCharacter),
    ])
    func `a merchant identifier refuses anything else`(text: String, fault: MalformedIdentifier) {
        #expect(throws: fault) { try MerchantID(text) }
    }

    @Test(arguments: ["1", "a b/c?d", "Bestellung №5", forty, String(repeating: "😀", count: 40)])
    func `an order or transaction identifier is up to forty characters`(text: String) throws {
        #expect(try OrderID(text).text == text)
        #expect(try TransactionID(text).text == text)
    }

    @Test(arguments: [
        ("", MalformedIdentifier.empty), (forty + "x", .tooLong(characters: 41)),
        (String(repeating: "😀", count: 41), .tooLong(characters: 41)), ("a\0b", .unexpectedCharacter),
        ("a\r\nb", .unexpectedCharacter), ("\u{7F}", .unexpectedCharacter), ("\u{85}", .unexpectedCharacter),
    ])
    func `an order or transaction identifier refuses anything else`(text: String, fault: MalformedIdentifier) {
        #expect(throws: fault) { try OrderID(text) }
        #expect(throws: fault) { try TransactionID(text) }
    }

    @Test func `identifiers that only look alike are different`() throws {
        #expect(try OrderID("caf\u{E9}") != OrderID("cafe\u{301}"))
        #expect(try Set([TransactionID("caf\u{E9}"), TransactionID("cafe\u{301}")]).count == 2)
    }
}

struct CardBrandTests {
    @Test(arguments: [
        ("5123450000000008", CardBrand.mastercard, CardScheme.mastercard),
        ("2223000000000007", .mastercard, .mastercard),
        ("4508750015741019", .visa, .visa), ("345678901234564", .amex, .amex),
        ("30123400000000", .dinersClub, .dinersClub),
        ("36259600000012", .dinersClub, .dinersClub), ("3528000000000007", .jcb, .jcb),
        ("6011003179988686", .discover, .discover), ("5000000000000000005", .maestro, .mastercard),
        ("5666555544443333", .maestro, .mastercard), ("135492354874528", .uatp, .uatp),
        ("6200000000000005", .unionPay, .unionPay), ("9999999999999995", .unknown, .other),
    ])
    func `the brand follows from the first digits`(number: String, brand: CardBrand, scheme: CardScheme) throws {
        #expect(CardBrand(try AccountNumber(number)) == brand)
        #expect(brand.scheme == scheme)
    }

    @Test(arguments: [(0, 1), (13, 1), (-1, 1), (1, 100), (1, -1)])
    func `an expiry is a month of a two-digit year`(month: Int, year: Int) {
        #expect(CardExpiry(month: month, year: year) == nil)
    }
}
