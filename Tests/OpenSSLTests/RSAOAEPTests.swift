import OpenSSL
import Testing
import Values

struct RSAOAEPTests {
    /// One key for all, as making it takes longer than any test.
    private static let made = Result { try makeKey() }
    private static let seed = [UInt8](0x40..<0x60)
    private static let message = [UInt8](0x10..<0x20)

    private let key: PrivateKey
    private let numbers: RSAPublicNumbers

    init() throws { (key, numbers) = try Self.made.get() }

    /// An RSA-2048 key whose modulus leaves room in 256 bytes for a ciphertext and the modulus together.
    private static func makeKey() throws -> (PrivateKey, RSAPublicNumbers) {
        while true {
            let key = try PrivateKey.generateRSA(bits: 2048)
            let numbers = try RSAPublicNumbers(subjectPublicKeyInfo: key.publicKey.subjectPublicKeyInfo())
            if numbers.modulus[0] < 0xF0 { return (key, numbers) }
        }
    }

    private func expectRefusal(_ wrapped: [UInt8], _ comment: Comment? = nil) {
        #expect(throws: OpenSSLError.notAuthentic, comment) { try key.unwrapOAEP(wrapped) }
    }

    /// At most 190 bytes fit; zeros must not be taken for padding, nor a one for the separator.
    @Test(arguments: [
        message, message + message, [], [0x5A], [0], [1], [0, 1], [UInt8](repeating: 0, count: 16),
        [UInt8](repeating: 1, count: 16), [UInt8](repeating: 0, count: 190), [UInt8](0..<190),
    ])
    func `a message that is encoded by the standard unwraps`(message: [UInt8]) throws {
        for seed in [Self.seed, [UInt8](repeating: 0, count: 32), RandomBytes.generate(32)] {
            let wrapped = numbers.encrypt(OAEPEncoding().encode(message, seed: seed))
            #expect(try key.unwrapOAEP(wrapped) == SecretBytes(message))
        }
    }

    @Test(arguments: OAEPDefect.all)
    func `a message that is encoded otherwise is refused`(defect: OAEPDefect) {
        expectRefusal(numbers.encrypt(defect.encoding.encode(Self.message, seed: Self.seed)))
    }

    /// Blocks that are no OAEP at all: RFC 8017 §7.2.1 and §9.2 begin with 00 02 and 00 01.
    @Test func `a message in another padding or in none is refused`() {
        let nonzero = [UInt8](repeating: 0xA5, count: 256 - 3 - Self.message.count)
        let ones = nonzero.map { _ in UInt8(0xFF) }
        expectRefusal(numbers.encrypt([0, 2] + nonzero + [0] + Self.message), "PKCS#1 v1.5")
        expectRefusal(numbers.encrypt([0, 1] + ones + [0] + Self.message), "PKCS#1 v1.5 of a signature")
        expectRefusal(numbers.encrypt(Self.message), "unpadded")
    }

    /// As `RSA/ECB/OAEPWithSHA-256AndMGF1Padding` of Java among others has SHA-1 in its mask.
    @Test(
        .enabled(if: OpenSSLCommand.isInstalled),
        arguments: [
            ("sha256", "sha256", "", true), ("sha256", "sha1", "", false), ("sha1", "sha1", "", false),
            ("sha1", "sha256", "", false), ("sha256", "sha512", "", false), ("sha512", "sha512", "", false),
            ("sha512", "sha256", "", false), ("sha384", "sha384", "", false), ("sha256", "sha256", "4170706c65", false),
        ])
    func `what openssl wraps unwraps if both hashes are SHA-256 and there is no label`(
        hash: String, maskHash: String, label: String, isGood: Bool
    ) throws {
        let openssl = try OpenSSLCommand()
        try openssl.write("key.der", key.publicKey.subjectPublicKeyInfo())
        try openssl.write("message", Self.message)
        let labelling = label.isEmpty ? "" : "-pkeyopt rsa_oaep_label:\(label) "
        try openssl.run(
            "pkeyutl -encrypt -pubin -keyform DER -inkey key.der -in message -out wrapped "
                + "-pkeyopt rsa_padding_mode:oaep \(labelling)"
                + "-pkeyopt rsa_oaep_md:\(hash) -pkeyopt rsa_mgf1_md:\(maskHash)")
        let wrapped = try openssl.read("wrapped")
        #expect(wrapped.count == 256)
        if isGood {
            #expect(try key.unwrapOAEP(wrapped) == SecretBytes(Self.message))
        } else {
            expectRefusal(wrapped)
        }
    }

    @Test func `a number at either end of the residues, or beyond, is refused`() throws {
        let one = Natural(limbs: [1] + [UInt64](repeating: 0, count: 31))
        let modulus = Natural(bytes: numbers.modulus, count: 32)
        var below = modulus
        below.subtract(one)
        let above = try #require(modulus.adding(one))
        for number in [below, modulus, above] { expectRefusal(number.bytes) }
        for last in 0...2 as ClosedRange<UInt8> { expectRefusal([UInt8](repeating: 0, count: 255) + [last]) }
        expectRefusal([UInt8](repeating: 0xFF, count: 256))
    }

    /// RFC 8017 §7.1.2 step 1b: as many bytes as the modulus has; §5.1.2 step 1: a number below the modulus. Without a
    /// zero in front, or with the modulus added, the ciphertext would stand for the same message.
    @Test func `of the ways to write a ciphertext one is taken`() throws {
        // One ciphertext in 256 at least begins with zero; of 8,192 all miss it with a probability of 10⁻¹⁴.
        let secret = SecretBytes(Self.message)
        var wrapped = try key.publicKey.wrapOAEP(secret)
        for _ in 0..<8192 where wrapped[0] != 0 { wrapped = try key.publicKey.wrapOAEP(secret) }
        try #require(wrapped[0] == 0)
        #expect(try key.unwrapOAEP(wrapped) == secret)
        expectRefusal(Array(wrapped.drop { $0 == 0 }))
        expectRefusal([0] + wrapped)
        let modulus = Natural(bytes: numbers.modulus, count: 32)
        let congruent = try #require(Natural(bytes: wrapped, count: 32).adding(modulus))
        expectRefusal(congruent.bytes)
    }

    @Test func `a ciphertext shorter or longer than the modulus is refused`() {
        let wrapped = numbers.encrypt(OAEPEncoding().encode(Self.message, seed: Self.seed))
        for count in wrapped.indices { expectRefusal(Array(wrapped[..<count]), "\(count) bytes") }
        for altered in [Array(wrapped.dropFirst()), [0] + wrapped, wrapped + [0], wrapped + wrapped] {
            expectRefusal(altered)
        }
    }

    @Test func `a ciphertext altered in any bit is refused`() {
        let wrapped = numbers.encrypt(OAEPEncoding().encode(Self.message, seed: Self.seed))
        for bit in stride(from: 0, to: wrapped.count * 8, by: 13) {
            var altered = wrapped
            altered[bit / 8] ^= 1 << (bit % 8)
            expectRefusal(altered, "bit \(bit)")
        }
    }

    @Test func `what one key wraps another does not unwrap`() throws {
        let other = try PrivateKey.generateRSA(bits: 2048)
        let secret = SecretBytes([UInt8](repeating: 0x5A, count: 16))
        let wrapped = try key.publicKey.wrapOAEP(secret)
        #expect(wrapped.count == 256)
        #expect(try key.unwrapOAEP(wrapped) == secret)
        #expect(try key.publicKey.wrapOAEP(secret) != wrapped)
        #expect(throws: OpenSSLError.notAuthentic) { try other.unwrapOAEP(wrapped) }
    }

    @Test func `no more than 190 bytes fit under a modulus of 256`() throws {
        let most = SecretBytes([UInt8](repeating: 0x5A, count: 190))
        #expect(try key.unwrapOAEP(try key.publicKey.wrapOAEP(most)) == most)
        let error = try #require(throws: OpenSSLError.self) {
            try key.publicKey.wrapOAEP(SecretBytes([UInt8](repeating: 0x5A, count: 191)))
        }
        guard case .failed("EVP_PKEY_encrypt", _) = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test func `a key on a curve neither wraps nor unwraps`() throws {
        let curve = try PrivateKey.generate(.p256)
        #expect(throws: OpenSSLError.wrongKeyType) { try curve.unwrapOAEP([UInt8](repeating: 1, count: 256)) }
        #expect(throws: OpenSSLError.wrongKeyType) { try curve.publicKey.wrapOAEP(SecretBytes([1])) }
    }
}
