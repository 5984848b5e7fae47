import ApplePay
import OpenSSL
import Testing

struct KeyDerivationTests {
    private static let merchantIdentifierHash = SHA256.hash(Array("merchant.example.tollgate".utf8))

    /// Computed with another implementation of SHA-256 over the parts that the source names.
    @Test(arguments: [
        (
            "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20",
            "d39cb33ea9e5be61471cfc25df181b61da17dde0c7bffca9dd445158715e9b31"
        ),
        (
            "0000030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20",
            "83a9d37ee8dd5365531bd2990a8a20f5300fe1d507e9362535af329457a651fa"
        ),
    ])
    func `a token's key is the known answer, leading zeros of the secret included`(sharedSecret: String, key: String)
        throws
    {
        let sharedSecret = try #require(Hexadecimal.decoded(Array(sharedSecret.utf8)))
        let expected = try #require(Hexadecimal.decoded(Array(key.utf8)))
        let derived = KeyDerivation.key(
            sharedSecret: SecretBytes(sharedSecret), merchantIdentifierHash: Self.merchantIdentifierHash)
        #expect(derived == SecretBytes(expected))
    }

    @Test func `each bit of secret and merchant identifier counts`() {
        func key(_ secret: [UInt8], _ hash: [UInt8]) -> SecretBytes {
            KeyDerivation.key(sharedSecret: SecretBytes(secret), merchantIdentifierHash: hash)
        }
        let secret = [UInt8](repeating: 0x5A, count: 32)
        let hash = Self.merchantIdentifierHash
        for index in 0..<32 {
            var (otherSecret, otherHash) = (secret, hash)
            otherSecret[index] ^= 1
            otherHash[index] ^= 1
            #expect(key(otherSecret, hash) != key(secret, hash))
            #expect(key(secret, otherHash) != key(secret, hash))
        }
    }
}
