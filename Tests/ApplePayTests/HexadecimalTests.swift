import ApplePay
import Testing

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

    @Test(arguments: ["aB", "00", "fF"])
    func `a transaction id has 32 bytes`(pair: String) {
        let text = String(repeating: pair, count: 32)
        #expect(TransactionIdentifier(hexadecimal: Array(text.utf8))?.description == text.lowercased())
    }

    @Test(arguments: [0, 1, 31, 33, 64, 65])
    func `a transaction id of another length is refused`(byteCount: Int) {
        let text = String(repeating: "ab", count: byteCount)
        #expect(TransactionIdentifier(hexadecimal: Array(text.utf8)) == nil)
    }

    @Test(arguments: ["ab", "a", "zz"])
    func `a transaction id that is no pairs of digits is refused`(end: String) {
        #expect(TransactionIdentifier(hexadecimal: Array((String(repeating: "zz", count: 31) + end).utf8)) == nil)
    }
}
