import OpenSSL
import Testing
import Values

struct SHA256Tests {
    /// FIPS 180-4's examples and the empty message.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `a digest is the known answer`(message: String, digest: String) {
        #expect(SHA256.hash(message.bytes) == hex(digest))
        #expect(SHA256.hash(SecretBytes(message.bytes)) == SecretBytes(hex(digest)))
    }
}

struct HMACSHA256Tests {
    /// RFC 4231 §4.2, §4.3, §4.4, §4.7 and §4.8.
    static let knownAnswers: [([UInt8], [UInt8], String)] = [
        (
            [UInt8](repeating: 0x0B, count: 20), "Hi There".bytes,
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            "Jefe".bytes, "what do ya want for nothing?".bytes,
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First".bytes,
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131),
            ("This is a test using a larger than block-size key and a larger than block-size data. "
                + "The key needs to be hashed before being used by the HMAC algorithm.").bytes,
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ]

    @Test(arguments: knownAnswers)
    func `a code is the known answer`(key: [UInt8], message: [UInt8], code: String) {
        #expect(HMACSHA256Key(SecretBytes(key)).authenticationCode(message) == hex(code))
    }

    @Test(arguments: knownAnswers)
    func `a key that is kept gives each message its code`(key: [UInt8], message: [UInt8], code: String) {
        let key = HMACSHA256Key(SecretBytes(key))
        _ = key.authenticationCode("another message".bytes)
        #expect(key.authenticationCode(message) == hex(code))
        #expect(message.withUnsafeBytes { key.secretCode($0) } == SecretBytes(hex(code)))
    }

    @Test func `an empty message has a code`() {
        #expect(
            HMACSHA256Key(SecretBytes("key".bytes)).authenticationCode([])
                == hex("5d5d139563c95b5967b9bd9a8c9b233a9dedb45072794cd232dc1b74832607d0"))
    }
}

struct SecretBytesTests {
    @Test func `secrets are equal if their bytes are`() {
        #expect(SecretBytes([1, 2, 3]) == SecretBytes([1, 2, 3]))
        #expect(SecretBytes([1, 2, 3]) != SecretBytes([1, 2, 4]))
        #expect(SecretBytes([1, 2, 3]) != SecretBytes([1, 2]))
        #expect(SecretBytes([]) == SecretBytes([]))
    }

    @Test func `a secret shows its length and nothing else`() {
        let secret = SecretBytes("hunter2".bytes)
        var shown = "\(secret)" + String(reflecting: secret)
        dump(secret, to: &shown)
        #expect(shown.contains("secret (7 bytes)"))
        #expect(!shown.contains("hunter2") && !shown.contains("104"))
    }

    @Test func `random bytes differ and have the length asked for`() {
        #expect(RandomBytes.generate(0).isEmpty)
        #expect(RandomBytes.generate(32).count == 32)
        #expect(RandomBytes.generate(32) != RandomBytes.generate(32))
        #expect(RandomBytes.secret(32) != RandomBytes.secret(32))
    }

    @Test(arguments: [([], [], true), ([1], [1], true), ([1], [2], false), ([1], [1, 1], false), ([1], [], false)])
    func `secrets are compared whole`(one: [UInt8], other: [UInt8], areEqual: Bool) {
        #expect((SecretBytes(one) == SecretBytes(other)) == areEqual)
    }
}
