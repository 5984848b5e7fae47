import Foundation
import OpenSSL
import Testing
import Values

struct KeyAgreementVectorTests {
    private typealias Vector = KeyAgreementVector

    @Test(
        arguments: KeyAgreementVector.primitive + KeyAgreementVector.validity + KeyAgreementVector.edgeSecrets
            + KeyAgreementVector.edgeKeys)
    func `a lawful point gives the known secret, and an unlawful one none`(vector: KeyAgreementVector) throws {
        let key = try PrivateKey.p256(scalar: hex(vector.privateKey))
        let point = [0x04] + hex(vector.x) + hex(vector.y)
        if let secret = vector.secret {
            #expect(try key.sharedSecret(withPoint: point) == SecretBytes(hex(secret)))
        } else {
            #expect(throws: OpenSSLError.pointInvalid) { try key.sharedSecret(withPoint: point) }
        }
    }

    @Test func `no vector is lost, good or bad`() {
        let lists = [Vector.primitive, Vector.validity, Vector.edgeSecrets, Vector.edgeKeys, Vector.invalid]
        #expect(lists.map { $0.filter { $0.secret != nil }.count } == [4, 10, 13, 14, 0])
        #expect(lists.map { $0.filter { $0.secret == nil }.count } == [0, 4, 0, 0, 20])
    }

    @Test(arguments: KeyAgreementVector.invalid)
    func `what is no point of P-256 gives no secret, in whatever form`(vector: KeyAgreementVector) throws {
        let key = try PrivateKey.p256(scalar: hex(vector.privateKey))
        let coordinates = hex(vector.x) + hex(vector.y)
        let parity = coordinates[63] & 1
        for point in [[0x04] + coordinates, [0x06 | parity] + coordinates, [0x02 | parity] + coordinates[..<32]] {
            #expect(throws: OpenSSLError.pointInvalid) { try key.sharedSecret(withPoint: point) }
        }
        let error = try #require(throws: OpenSSLError.self) { try PublicKey(p256Point: [0x04] + coordinates) }
        guard case .failed("d2i_PUBKEY", _) = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test(arguments: 0...255)
    func `only the first byte 4 begins a point`(first: UInt8) throws {
        let vector = Vector.edgeKeys[0]
        let key = try PrivateKey.p256(scalar: hex(vector.privateKey))
        let point = [first] + hex(vector.x) + hex(vector.y)
        if first == 4 {
            #expect(try key.sharedSecret(withPoint: point).count == 32)
        } else {
            #expect(throws: OpenSSLError.pointInvalid) { try key.sharedSecret(withPoint: point) }
        }
    }

    @Test func `a point of every other length is none`() throws {
        let vector = Vector.edgeKeys[0]
        let key = try PrivateKey.p256(scalar: hex(vector.privateKey))
        let point = [0x04] + hex(vector.x) + hex(vector.y)
        for count in point.indices {
            #expect(throws: OpenSSLError.pointInvalid) { try key.sharedSecret(withPoint: point[..<count]) }
        }
        #expect(throws: OpenSSLError.pointInvalid) { try key.sharedSecret(withPoint: point + [0]) }
        #expect(throws: OpenSSLError.pointInvalid) { try key.sharedSecret(withPoint: [0] + point) }
    }

    /// OpenSSL reads such a key; the product with it is infinity, which has no x.
    @Test(arguments: [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
    ])
    func `a private key of zero agrees on nothing`(scalar: String) throws {
        let key = try PrivateKey.p256(scalar: hex(scalar))
        let point = try PrivateKey.generate(.p256).publicKey.encodedPoint()
        let error = try #require(throws: OpenSSLError.self) { try key.sharedSecret(withPoint: point) }
        guard case .failed("EVP_PKEY_derive", _) = error else {
            Issue.record("\(error)")
            return
        }
    }
}

extension PrivateKey {
    /// The key on P-256 with this scalar of 32 bytes, through SEC 1 in PEM (RFC 5915 §3).
    static func p256(scalar: [UInt8]) throws -> PrivateKey {
        let sec1 = hex("30310201010420") + scalar + hex("a00a06082a8648ce3d030107")
        let text = Data(sec1).base64EncodedString()
        let pem = "-----BEGIN EC PRIVATE KEY-----\n\(text)\n-----END EC PRIVATE KEY-----\n"
        return try pem.bytes.withUnsafeBytes { try PrivateKey(pem: $0) }
    }
}

extension PublicKey {
    /// The key on P-256 with this uncompressed point, through its `SubjectPublicKeyInfo` (RFC 5480 §2).
    convenience init(p256Point point: [UInt8]) throws(OpenSSLError) {
        try self.init(subjectPublicKeyInfo: hex("3059301306072a8648ce3d020106082a8648ce3d030107034200") + point)
    }
}
