import OpenSSL
import Testing
import Values

struct PublicKeyTests {
    @Test func `a key is read from what it writes`() throws {
        for key in try [PrivateKey.generate(.p256), .generate(.p384), .generateRSA(bits: 2048)] {
            let der = try key.publicKey.subjectPublicKeyInfo()
            let read = try PublicKey(subjectPublicKeyInfo: der)
            #expect(try read.subjectPublicKeyInfo() == der)
            #expect(read.bitCount == key.publicKey.bitCount)
        }
    }

    @Test func `bytes that are no key are refused, and so are bytes behind one`() throws {
        let der = try PrivateKey.generate(.p256).publicKey.subjectPublicKeyInfo()
        #expect(throws: OpenSSLError.failed(function: "d2i_PUBKEY", reason: "bytes after the key")) {
            try PublicKey(subjectPublicKeyInfo: der + [0])
        }
        for bytes in [[], [0x30], [0x30, 0], Array(der.dropLast()), Array(der.dropFirst())] {
            let error = try #require(throws: OpenSSLError.self) { try PublicKey(subjectPublicKeyInfo: bytes) }
            guard case .failed("d2i_PUBKEY", _) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    /// RFC 8410 §4 and RFC 7748 §6.1: Alice's public key.
    @Test func `a key that makes no signatures verifies none and has no point of a named curve`() throws {
        let x25519 = try PublicKey(
            subjectPublicKeyInfo: hex("302a300506032b656e032100")
                + hex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"))
        #expect(!x25519.isElliptic && !x25519.isRSA && !x25519.isP256)
        #expect(throws: OpenSSLError.wrongKeyType) {
            try [0x30].withUnsafeBytes { try x25519.verify($0, of: $0) }
        }
        #expect(throws: OpenSSLError.wrongKeyType) { try x25519.wrapOAEP(SecretBytes([1])) }
    }

    @Test func `an RSA key has no point`() throws {
        let key = try PrivateKey.generateRSA(bits: 2048).publicKey
        let error = try #require(throws: OpenSSLError.self) { try key.encodedPoint() }
        guard case .failed("EVP_PKEY_get1_encoded_public_key", _) = error else {
            Issue.record("\(error)")
            return
        }
    }

    /// P-256 with its parameters spelled out and twice the generator in the generator's place, as in CVE-2020-0601: who
    /// chooses the generator knows the private key of any point.
    @Test func `a curve that is spelled out with another generator is not P-256`() throws {
        let prime = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"
        let a = "ffffffff00000001000000000000000000000000fffffffffffffffffffffffc"
        let b = "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b"
        let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
        let twice =
            "047cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978"
            + "07775510db8ed040293d9ac69f7430dbba7dade63ce982299e04b79d227873d1"
        let parameters =
            "3081e0020101302c06072a8648ce3d0101022100" + prime + "30440420" + a + "0420" + b + "0441" + twice + "022100"
            + order + "020101"
        let parametersDER = hex(parameters)
        #expect(parametersDER.count == 3 + Int(parametersDER[2]))
        let algorithm = [0x30, 0x81, UInt8(9 + parametersDER.count)] + hex("06072a8648ce3d0201") + parametersDER
        let content = algorithm + hex("034200") + hex(twice)
        let der = [0x30, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
        let key = try PublicKey(subjectPublicKeyInfo: der)
        #expect(key.isElliptic && !key.isP256)
    }
}
