import ApplePay
import Testing

struct HexadecimalTests {
    @Test(
        arguments: [("", []), ("00", [0]), ("09aFAf", [0x09, 0xAF, 0xAF]), ("ffFF", [0xFF, 0xFF])]
            as [(String, [UInt8])])
    func `either letter case is read`(text: String, bytes: [UInt8]) {
        #expect(Hexadecimal.decoded(Array(text.utf8)) == bytes)
        #expect(Hexadecimal.encoded(bytes) == text.lowercased())
    }

    @Test func `every byte is written and read again`() {
        let bytes = (0...255).map { UInt8($0) }
        #expect(Hexadecimal.decoded(Array(Hexadecimal.encoded(bytes).utf8)) == bytes)
        #expect(Hexadecimal.decoded(Array(Hexadecimal.encoded(bytes).uppercased().utf8)) == bytes)
    }

    @Test(arguments: ["0", "000", "0g", "g0", "/0", ":0", "@0", "`0", "0x00", " 00", "00 ", "0\n0", "é", "０0"])
    func `what is no pair of digits is refused`(text: String) {
        #expect(Hexadecimal.decoded(Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        ("", false), ("00", true), (String(repeating: "aB", count: 64), true), ("abc", false), ("zz", false),
    ])
    func `a transaction id has 1 to 64 bytes`(text: String, isLawful: Bool) {
        let identifier = TransactionIdentifier(hexadecimal: Array(text.utf8))
        #expect((identifier != nil) == isLawful)
        #expect(identifier?.description == (isLawful ? text.lowercased() : nil))
    }

    @Test func `a transaction id of 65 bytes is refused`() {
        #expect(TransactionIdentifier(hexadecimal: Array(String(repeating: "ab", count: 65).utf8)) == nil)
    }
}
