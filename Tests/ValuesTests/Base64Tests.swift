import Testing
import Values

struct Base64Tests {
    /// RFC 4648 §10.
    static let knownAnswers = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test(arguments: knownAnswers)
    func `writing and reading give the known answer`(text: String, encoded: String) {
        #expect(Base64.encoded(Array(text.utf8)) == encoded)
        let secret = Array(text.utf8).withUnsafeBytes(Base64.encodedSecret)
        #expect(secret.withUnsafeBytes { Array($0) } == Array(encoded.utf8))
        #expect(Base64.decoded(encoded) == Array(text.utf8))
        #expect(Self.byteCount(ofSecret: encoded) == text.utf8.count)
        #expect(Base64.decoded(encoded.replacing("=", with: "")) == Array(text.utf8))
    }

    @Test func `no text at all, not even an address, is no bytes`() {
        #expect(Base64.decoded(UnsafeRawBufferPointer(start: nil, count: 0)) == [])
    }

    @Test func `every byte in every place is written and read again`() {
        let bytes = (0...255).flatMap { [UInt8($0), UInt8(255 - $0), UInt8($0 ^ 0x5A)] }
        for start in 0..<3 {
            let part = Array(bytes[start...])
            #expect(Base64.decoded(Base64.encoded(part)) == part)
            #expect(Self.byteCount(ofSecret: Base64.encoded(part)) == part.count)
        }
        #expect(Base64.encoded([0xFB, 0xFF, 0xBF]) == "+/+/")
    }

    @Test(arguments: ["Zm9v\nYmFy", "Zm9v\r\nYmFy\r\n", "Z\nm\n9\nvYmFy", "\n\nZm9vYmFy\n\n", "Zm9vYmFy"])
    func `line breaks may stand anywhere`(text: String) {
        #expect(Base64.decoded(text) == Array("foobar".utf8))
        #expect(Self.byteCount(ofSecret: text) == Array("foobar".utf8).count)
    }

    @Test(arguments: ["Zg=\n=", "Zg\n==\n", "Zg==\n"])
    func `line breaks may stand in and behind the padding`(text: String) {
        #expect(Base64.decoded(text) == Array("f".utf8))
        #expect(Self.byteCount(ofSecret: text) == Array("f".utf8).count)
    }

    @Test(arguments: [
        "Z", "Zm9vY", "=", "==", "====", "Z===", "Zg=", "Zg===", "Zm8==", "Zm9v=", "Zm9v==", "Zm9v====", "Z=g=",
        "Zg==Zg==", "=Zg=", "Zm 9v", " Zm9v", "Zm9v ", "Zm\t9v", "Zm9-", "Zm9_", "Zm9*", "Zm9\u{0}", "Zm9é", "ＺＺＺＺ",
    ])
    func `what is not in the one form is refused`(text: String) {
        #expect(Base64.decoded(text) == nil)
        #expect(Self.byteCount(ofSecret: text) == nil)
    }

    @Test(arguments: ["Zh==", "Zh", "Zv==", "Zm9=", "Zm9"])
    func `bits that no byte has must be zero`(text: String) {
        #expect(Base64.decoded(text) == nil)
        #expect(Self.byteCount(ofSecret: text) == nil)
    }

    @Test func `of the last sextet's spellings one is lawful`() {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        #expect(letters.filter { Base64.decoded("A\($0)==") != nil } == "AQgw")
        #expect(letters.filter { Base64.decoded("AA\($0)=") != nil } == "AEIMQUYcgkosw048")
    }

    private static func byteCount(ofSecret text: String) -> Int? {
        Array(text.utf8).withUnsafeBytes { Base64.byteCount(ofSecret: $0) }
    }
}
