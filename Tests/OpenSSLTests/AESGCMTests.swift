import OpenSSL
import Testing
import Values

struct AESGCMTests {
    /// Key, IV, associated data, plaintext, and ciphertext with tag, all computed with another implementation.
    struct KnownAnswer: Sendable {
        let key: String
        let iv: String
        let associatedData: String
        let plaintext: String
        let sealed: String
    }

    private static let key256 = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    private static let zeroIV = "00000000000000000000000000000000"
    private static let json = "7b2263757272656e6379436f6465223a22383430227d"

    static let knownAnswers = [
        KnownAnswer(
            key: key256, iv: zeroIV, associatedData: "", plaintext: json,
            sealed: "b39c3b4fc7b76bba790c399f17a91a3da703c9317f1604bf4b507b395c4ad2704d4912308c1d"),
        KnownAnswer(
            key: "000102030405060708090a0b0c0d0e0f", iv: zeroIV, associatedData: "", plaintext: json,
            sealed: "7b34188399cc911982484cd9985b81910a7d0cfff9dfbe9a49c737fba0c15fbe60a8d168f661"),
        KnownAnswer(
            key: key256, iv: zeroIV, associatedData: "", plaintext: "", sealed: "56d4352cf736c5da72108d33917df4a5"),
        KnownAnswer(
            key: key256, iv: "000102030405060708090a0b", associatedData: "616164", plaintext: "746f6c6c67617465",
            sealed: "336dba77a284b67e908367113f231d51b580c859ce7d35e7"),
        KnownAnswer(
            key: key256, iv: "ffffffffffffffffffffffffffffffff", associatedData: "", plaintext: "746f6c6c67617465",
            sealed: "720bc22552c64cdac28a4809f7781e49e82aaa233253d5ab"),
    ]

    @Test(arguments: knownAnswers)
    func `sealing and opening give the known answer`(answer: KnownAnswer) throws {
        let key = SecretBytes(hex(answer.key))
        let sealed = try hex(answer.plaintext).withUnsafeBytes {
            try AESGCM.seal($0, key: key, iv: hex(answer.iv), associatedData: hex(answer.associatedData))
        }
        #expect(sealed == hex(answer.sealed))
        let opened = try AESGCM.open(
            hex(answer.sealed), key: key, iv: hex(answer.iv), associatedData: hex(answer.associatedData))
        #expect(opened == SecretBytes(hex(answer.plaintext)))
    }

    @Test(arguments: knownAnswers)
    func `an altered byte of ciphertext or tag is refused`(answer: KnownAnswer) {
        let key = SecretBytes(hex(answer.key))
        for index in hex(answer.sealed).indices {
            var sealed = hex(answer.sealed)
            sealed[index] ^= 0x01
            #expect(throws: OpenSSLError.notAuthentic) {
                try AESGCM.open(sealed, key: key, iv: hex(answer.iv), associatedData: hex(answer.associatedData))
            }
        }
    }

    @Test(arguments: knownAnswers)
    func `another key, IV or associated data is refused`(answer: KnownAnswer) {
        var otherKey = hex(answer.key)
        otherKey[0] ^= 0x01
        var otherIV = hex(answer.iv)
        otherIV[otherIV.count - 1] ^= 0x01
        let sealed = hex(answer.sealed)
        let key = SecretBytes(hex(answer.key))
        let associatedData = hex(answer.associatedData)
        #expect(throws: OpenSSLError.notAuthentic) {
            try AESGCM.open(
                sealed, key: SecretBytes(otherKey), iv: hex(answer.iv), associatedData: associatedData)
        }
        #expect(throws: OpenSSLError.notAuthentic) {
            try AESGCM.open(sealed, key: key, iv: otherIV, associatedData: associatedData)
        }
        #expect(throws: OpenSSLError.notAuthentic) {
            try AESGCM.open(sealed, key: key, iv: hex(answer.iv), associatedData: associatedData + [0])
        }
    }

    @Test(arguments: 0..<16)
    func `what is shorter than a tag is refused`(count: Int) {
        #expect(throws: OpenSSLError.notAuthentic) {
            try AESGCM.open(
                [UInt8](repeating: 0, count: count), key: SecretBytes(hex(Self.key256)), iv: hex(Self.zeroIV))
        }
    }
}
