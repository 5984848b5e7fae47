import Testing
import Values

/// Published test numbers only.
struct AccountNumberTests {
    @Test(arguments: [
        "5123450000000008", "4111111111111111", "378282246310005", "6011111111111117", "30569309025904",
        "4222222222222", "00000000", "0000000000000000000",
    ])
    func `a number with the right check digit is read`(text: String) throws {
        let number = try AccountNumber(text)
        #expect(number.count == text.count)
        #expect(number.revealed() == text)
        #expect(number.withDigits { Array($0) } == Array(text.utf8))
        #expect(number.issuerIdentificationNumber == String(text.prefix(6)))
    }

    @Test(
        arguments: [
            ("", .length(0)), ("0000000", .length(7)), ("00000000000000000000", .length(20)),
            ("512345000000000a", .notDigits), ("5123 45000000000", .notDigits), ("-5123450000000008", .notDigits),
            ("51234500000000०", .notDigits), ("5123450000000009", .checkDigit), ("5123450000000080", .checkDigit),
            ("4111111111111112", .checkDigit),
        ] as [(String, AccountNumber.Malformed)])
    func `other text is refused`(text: String, malformed: AccountNumber.Malformed) {
        #expect(throws: malformed) { try AccountNumber(text) }
    }

    @Test func `each single wrong digit is noticed`() throws {
        let digits = Array("5123450000000008".utf8)
        for index in digits.indices {
            for digit in UInt8(ascii: "0")...UInt8(ascii: "9") where digit != digits[index] {
                var altered = digits
                altered[index] = digit
                #expect(throws: AccountNumber.Malformed.checkDigit) {
                    try altered.withUnsafeBytes { try AccountNumber(ascii: $0) }
                }
            }
        }
    }

    @Test func `a number that Apple vouches for may have any check digit, but nothing else`() throws {
        func read(_ text: String) throws -> AccountNumber {
            try Array(text.utf8).withUnsafeBytes { try AccountNumber(ascii: $0, checkDigit: .any) }
        }
        #expect(try read("5123450000000009").revealed() == "5123450000000009")
        #expect(throws: AccountNumber.Malformed.notDigits) { try read("512345000000000a") }
        #expect(throws: AccountNumber.Malformed.length(7)) { try read("5123450") }
    }

    @Test(arguments: [
        ("5123450000000008", 6, 4, "512345xxxxxx0008"), ("5123450000000008", 0, 4, "xxxxxxxxxxxx0008"),
        ("5123450000000008", 6, 0, "512345xxxxxxxxxx"), ("5123450000000008", 0, 0, "xxxxxxxxxxxxxxxx"),
        ("4222222222222", 6, 4, "422222xxx2222"), ("000000000000", 6, 4, "xxxxxxxx0000"),
        ("00000000", 6, 4, "xxxx0000"),
    ])
    func `a mask keeps the length and hides at least three digits`(text: String, first: Int, last: Int, mask: String)
        throws
    {
        #expect(try AccountNumber(text).masked(first: first, last: last) == mask)
    }

    @Test func `nothing that prints a number prints it in clear`() throws {
        let number = try AccountNumber("5123450000000008")
        var shown = "\(number) \([number]) \(Optional(number) as Any)"
        shown += String(describing: number) + String(reflecting: number) + String(reflecting: (1, number))
        dump(number, to: &shown)
        dump([number], to: &shown)
        #expect(shown.contains("512345xxxxxx0008"))
        #expect(!shown.contains("5123450000000008"))
        #expect(!shown.contains("53, 49, 50"))
    }

    @Test func `numbers are equal if their digits are`() throws {
        #expect(try AccountNumber("5123450000000008") == AccountNumber("5123450000000008"))
        #expect(try AccountNumber("5123450000000008") != AccountNumber("4111111111111111"))
        #expect(try AccountNumber("00000000") != AccountNumber("0000000000000000"))
    }
}
