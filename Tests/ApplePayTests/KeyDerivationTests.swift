import ApplePay
import OpenSSL
import Testing
import Values

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
        (
            "0000000000000000000000000000000000000000000000000000000000000000",
            "069fd53b8cb82b477f0be7f77c606a471ea2cf9fe4b23916a9660c9710e39f23"
        ),
        (
            "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
            "7ac580e9b972e2633f907ef59984204ad39854044b36fda985ebaa29be7d6a98"
        ),
        (
            "0000000000000000000000000000000000000000000000000000000000000001",
            "829d9b3d006469b8387a8960ab864fe5a14cd506f7a267093026c83e64d9340d"
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

    /// What the same secret gives by neighbouring derivations, computed likewise.
    @Test(arguments: [
        (
            "the counter behind the secret, as ANSI X9.63 has it",
            "1b10e08122cfe3c54b95493a76bd8006215113dccf3c721262bd515e2fc7e6f2"
        ),
        (
            "no length before the algorithm",
            "0a3345d56649f424aa64c207b7385a9be6f478b16b6e681dd36b5a05b4d6ba5f"
        ),
        (
            "a length before Apple",
            "3e83278ddf20552dcbe92023023761416e0a6f1cdd103b0b0e9f9b77f48e54f0"
        ),
        (
            "the counter at zero",
            "c1d58c4635d36bc54db8455be29b3a905d98398d2251f3dfa895f30461723e8b"
        ),
        (
            "the identifier itself",
            "e9788c18703d0f0b8e810145c2c013362a057d4f430e64bbbfde2b816bb84196"
        ),
    ])
    func `the parts have one order and one form`(name: String, key: String) throws {
        let other = try #require(Hexadecimal.decoded(Array(key.utf8)))
        let derived = KeyDerivation.key(
            sharedSecret: SecretBytes(Array(1...32)), merchantIdentifierHash: Self.merchantIdentifierHash)
        #expect(derived.count == other.count)
        #expect(derived != SecretBytes(other))
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
