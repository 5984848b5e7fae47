import OpenSSL
import Testing
import Values

struct HKDFTests {
    /// The pseudorandom key of RFC 5869, test case 1.
    private static let key = hex("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5")

    @Test func `a derived key is that of the published test case`() {
        let derived = HKDFSHA256.expand(SecretBytes(Self.key), hex("f0f1f2f3f4f5f6f7f8f9"))
        #expect(derived == SecretBytes(hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf")))
    }

    @Test func `each purpose and each key has a key of its own`() {
        let key = SecretBytes(Self.key)
        let other = SecretBytes([UInt8](repeating: 1, count: 32))
        #expect(HKDFSHA256.expand(key, [1]) != HKDFSHA256.expand(key, [2]))
        #expect(HKDFSHA256.expand(key, []) != HKDFSHA256.expand(key, [1]))
        #expect(HKDFSHA256.expand(key, [1]) != HKDFSHA256.expand(other, [1]))
    }
}
