import ApplePay
import Testing

struct TransactionIdentifierTests {
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
