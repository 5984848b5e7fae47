import Testing
import Values

struct HexadecimalTests {
    @Test(
        arguments: [("", []), ("00", [0]), ("09aFAf", [0x09, 0xAF, 0xAF]), ("ffFF", [0xFF, 0xFF])]
            as [(String, [UInt8])])
    func `either letter case is read`(text: String, bytes: [UInt8]) {
        #expect(Hexadecimal.decoded(Array(text.utf8)) == bytes)
        #expect(Hexadecimal.isWellFormed(text.utf8))
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
        #expect(!Hexadecimal.isWellFormed(text.utf8))
    }
}
