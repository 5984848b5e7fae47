import OpenSSL
import Testing

/// The arithmetic that the tests of RSA-OAEP stand on.
struct RSAPublicNumbersTests {
    /// 3233 is 61 · 53; 2 to a power modulo 2¹²⁷ - 1 is 2 to the exponent modulo 127, and -2 likewise with its sign; by
    /// Fermat a number to a prime power is itself modulo that prime; -1 to an odd power is itself, modulo 2¹²⁸ - 1 as well.
    @Test(
        arguments: [
            ([65], 17, [3233], [2790]),
            ([2], 10, [1_000_003], [1024]),
            ([3], 65537, [65537], [3]),
            ([0], 65537, [65537], [0]),
            ([1], 65537, [65537], [1]),
            ([5], 1, [7], [5]),
            ([2, 0], 65537, [.max, .max >> 1], [32, 0]),
            ([2, 0], 190, [.max, .max >> 1], [1 << 63, 0]),
            ([2, 0], 191, [.max, .max >> 1], [0, 1]),
            ([.max - 2, .max >> 1], 65537, [.max, .max >> 1], [.max - 32, .max >> 1]),
            ([.max - 1, .max >> 1], 65537, [.max, .max >> 1], [.max - 1, .max >> 1]),
            ([.max - 1, .max], 65537, [.max, .max], [.max - 1, .max]),
            ([.max - 1, .max], 2, [.max, .max], [1, 0]),
            ([0, 1], 2, [.max, .max], [1, 0]),
        ] as [([UInt64], UInt64, [UInt64], [UInt64])])
    func `a power is the known residue`(base: [UInt64], exponent: UInt64, modulus: [UInt64], power: [UInt64]) {
        #expect(Natural(limbs: base).power(exponent, modulo: Natural(limbs: modulus)) == Natural(limbs: power))
    }

    @Test func `a sum carries and a difference borrows`() {
        #expect(Natural(limbs: [.max, 1]).adding(Natural(limbs: [1, 0])) == Natural(limbs: [0, 2]))
        #expect(Natural(limbs: [.max, 1]).adding(Natural(limbs: [0, .max - 1])) == Natural(limbs: [.max, .max]))
        #expect(Natural(limbs: [.max, 1]).adding(Natural(limbs: [1, .max - 1])) == nil)
        var number = Natural(limbs: [0, 2])
        number.subtract(Natural(limbs: [1, 0]))
        #expect(number == Natural(limbs: [.max, 1]))
        number.subtract(Natural(limbs: [.max, 0]), times: 2)
        #expect(number == Natural(limbs: [1, 0]))
        number.subtract(Natural(limbs: [2, 0]))
        #expect(number == Natural(limbs: [.max, .max]))
    }

    @Test func `a number is its bytes, the highest first`() {
        let number = Natural(bytes: hex("0102030405060708090a"), count: 2)
        #expect(number == Natural(limbs: [0x0304_0506_0708_090A, 0x0102]))
        #expect(number.bytes == hex("00000000000001020304") + hex("05060708090a"))
    }

    /// RFC 8017 §9.2: what OpenSSL signs comes back as 00 01, ones, 00 and the `DigestInfo`.
    @Test func `a signature to the public exponent is its encoded message`() throws {
        let key = try PrivateKey.generateRSA(bits: 2048)
        let numbers = try RSAPublicNumbers(subjectPublicKeyInfo: key.publicKey.subjectPublicKeyInfo())
        #expect(numbers.modulus.count == 256 && numbers.modulus[0] >= 0x80)
        #expect(numbers.exponent == 65537)
        let information = hex("3031300d060960864801650304020105000420") + SHA256.hash("tollgate".bytes)
        let padding = [UInt8](repeating: 0xFF, count: 256 - 3 - information.count)
        #expect(numbers.encrypt(try key.sign("tollgate".bytes)) == [0, 1] + padding + [0] + information)
    }
}
