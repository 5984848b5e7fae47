import OpenSSL
import Testing
import Values

struct KeyAgreementTests {
    @Test func `both sides agree on one secret`() throws {
        let (one, other) = (try PrivateKey.generate(.p256), try PrivateKey.generate(.p256))
        let secret = try one.sharedSecret(withPoint: try other.publicKey.encodedPoint())
        #expect(secret.count == 32)
        #expect(try other.sharedSecret(withPoint: try one.publicKey.encodedPoint()) == secret)
    }

    @Test func `an agreement with a public key gives the secret of its point`() throws {
        let (one, other) = (try PrivateKey.generate(.p256), try PrivateKey.generate(.p256))
        #expect(
            try one.sharedSecret(with: other.publicKey)
                == one.sharedSecret(withPoint: other.publicKey.encodedPoint()))
    }

    @Test func `a public key on another curve or of another kind is refused`() throws {
        let key = try PrivateKey.generate(.p256)
        let rsa = try PrivateKey.generateRSA(bits: 2048)
        for peer in [try PrivateKey.generate(.p384).publicKey, rsa.publicKey] {
            #expect(throws: OpenSSLError.wrongKeyType) { try key.sharedSecret(with: peer) }
        }
        #expect(throws: OpenSSLError.wrongKeyType) { try rsa.sharedSecret(with: rsa.publicKey) }
    }

    @Test func `a leading zero of the secret is kept`() throws {
        // One secret in 256 begins with zero; of 8,192 all miss it with a probability of 10⁻¹⁴.
        let key = try PrivateKey.generate(.p256)
        for _ in 0..<8192 {
            let peer = try PrivateKey.generate(.p256)
            let secret = try key.sharedSecret(withPoint: try peer.publicKey.encodedPoint())
            #expect(secret.count == 32)
            guard secret.withUnsafeBytes({ $0[0] }) == 0 else { continue }
            #expect(try peer.sharedSecret(withPoint: try key.publicKey.encodedPoint()) == secret)
            return
        }
        Issue.record("no secret began with zero")
    }

    @Test func `a point off the curve is refused`() throws {
        let key = try PrivateKey.generate(.p256)
        let point = try PrivateKey.generate(.p256).publicKey.encodedPoint()
        for index in [1, 32, 33, 64] {
            var altered = point
            altered[index] ^= 0x01
            #expect(throws: OpenSSLError.pointInvalid) { try key.sharedSecret(withPoint: altered) }
        }
    }

    /// The prime of P-256 (FIPS 186-4 D.1.2.3) and its generator's y.
    private static let prime = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"

    @Test(arguments: [
        "", "00", "04", "0400", "04" + String(repeating: "00", count: 64), "04" + String(repeating: "ff", count: 64),
        "04" + prime + prime,
        // x = p + 5, which is no field element though 5 is the x of a point.
        "04ffffffff00000001000000000000000000000001000000000000000000000004"
            + "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc",
    ])
    func `what is no point is refused`(encoded: String) throws {
        let key = try PrivateKey.generate(.p256)
        #expect(throws: OpenSSLError.pointInvalid) { try key.sharedSecret(withPoint: hex(encoded)) }
    }

    @Test func `the point with x = 5 is lawful where its x is reduced`() throws {
        let key = try PrivateKey.generate(.p256)
        let x = String(repeating: "0", count: 63) + "5"
        let y = "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc"
        #expect(try key.sharedSecret(withPoint: hex("04" + x + y)).count == 32)
    }

    @Test func `compressed and hybrid points are refused`() throws {
        let key = try PrivateKey.generate(.p256)
        let point = try PrivateKey.generate(.p256).publicKey.encodedPoint()
        let parity = point[64] & 1
        #expect(throws: OpenSSLError.pointInvalid) {
            try key.sharedSecret(withPoint: [0x02 | parity] + point[1...32])
        }
        #expect(throws: OpenSSLError.pointInvalid) {
            try key.sharedSecret(withPoint: [0x06 | parity] + point[1...])
        }
    }

    @Test func `a point of another length is refused`() throws {
        let key = try PrivateKey.generate(.p256)
        let point = try PrivateKey.generate(.p256).publicKey.encodedPoint()
        for altered in [Array(point.dropLast()), point + [0], Array(point.prefix(33)), point + point] {
            #expect(throws: OpenSSLError.pointInvalid) { try key.sharedSecret(withPoint: altered) }
        }
    }

    @Test func `a point on another curve is refused`() throws {
        let (p256, p384) = (try PrivateKey.generate(.p256), try PrivateKey.generate(.p384))
        #expect(throws: OpenSSLError.pointInvalid) {
            try p256.sharedSecret(withPoint: try p384.publicKey.encodedPoint())
        }
        #expect(throws: OpenSSLError.pointInvalid) {
            try p384.sharedSecret(withPoint: try p256.publicKey.encodedPoint())
        }
    }

    @Test func `an RSA key agrees on nothing`() throws {
        let key = try PrivateKey.generateRSA(bits: 2048)
        #expect(throws: OpenSSLError.wrongKeyType) { try key.sharedSecret(withPoint: [0x04]) }
    }

    @Test func `a key serves many threads at once`() async throws {
        let key = try PrivateKey.generate(.p256)
        let peer = try PrivateKey.generate(.p256)
        let point = try peer.publicKey.encodedPoint()
        let expected = try key.sharedSecret(withPoint: point)
        try await withThrowingTaskGroup(of: SecretBytes.self) { group in
            for _ in 0..<64 { group.addTask { try key.sharedSecret(withPoint: point) } }
            for try await secret in group { #expect(secret == expected) }
        }
    }
}

struct SignatureTests {
    enum Kind: CaseIterable { case p256, p384, rsa }

    private static func key(_ kind: Kind) throws -> PrivateKey {
        switch kind {
        case .p256: try .generate(.p256)
        case .p384: try .generate(.p384)
        case .rsa: try .generateRSA(bits: 2048)
        }
    }

    private static func verify(_ signature: [UInt8], of message: [UInt8], with key: PublicKey) throws {
        try signature.withUnsafeBytes { signature in
            try message.withUnsafeBytes { try key.verify(signature, of: $0) }
        }
    }

    @Test(arguments: Kind.allCases)
    func `a signature is only valid for its message and its key`(kind: Kind) throws {
        let key = try Self.key(kind)
        let signature = try key.sign("tollgate".bytes)
        try Self.verify(signature, of: "tollgate".bytes, with: key.publicKey)
        #expect(throws: OpenSSLError.signatureInvalid) {
            try Self.verify(signature, of: "tollgatf".bytes, with: key.publicKey)
        }
        #expect(throws: OpenSSLError.signatureInvalid) {
            try Self.verify(signature, of: "tollgate".bytes, with: try Self.key(kind).publicKey)
        }
    }

    @Test(arguments: Kind.allCases)
    func `an altered, shortened or lengthened signature is refused`(kind: Kind) throws {
        let key = try Self.key(kind)
        let signature = try key.sign("tollgate".bytes)
        var altered = signature.indices.map { index in
            var altered = signature
            altered[index] ^= 0x01
            return altered
        }
        altered += [[], Array(signature.dropLast()), signature + [0], signature + signature]
        for each in altered {
            #expect(throws: OpenSSLError.signatureInvalid) {
                try Self.verify(each, of: "tollgate".bytes, with: key.publicKey)
            }
        }
    }

    @Test func `an ECDSA signature has one encoding`() throws {
        // The length in long form says the same in BER, and not in DER.
        let key = try PrivateKey.generate(.p256)
        let signature = try key.sign("tollgate".bytes)
        let longForm = [0x30, 0x81] + signature[1...]
        #expect(throws: OpenSSLError.signatureInvalid) {
            try Self.verify(longForm, of: "tollgate".bytes, with: key.publicKey)
        }
    }

    @Test func `a key says of what kind it is`() throws {
        let keys = try Kind.allCases.map { try Self.key($0).publicKey }
        #expect(keys.map(\.isElliptic) == [true, true, false])
        #expect(keys.map(\.isRSA) == [false, false, true])
        #expect(keys.map(\.isP256) == [true, false, false])
    }
}
