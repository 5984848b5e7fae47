import Foundation
import OpenSSL
import Testing
import Values

/// That the rule against private keys finds them, and nothing else.
struct EncodedPrivateKeyTests {
    /// PKCS#8 of both kinds, as openssl writes it, without its first line and its last.
    @Test func `a private key is found without its PEM lines`() throws {
        for key in [try PrivateKey.generate(.p256), try .generate(.p384), try .generateRSA(bits: 2048)] {
            let lines = try key.pem().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
                .split(separator: "\n").dropFirst().dropLast()
            for text in ["let key = \"\(lines.joined())\"", lines.map { "    \($0)\n" }.joined()] {
                #expect(EncodedPrivateKey.words(in: text).count == 1)
            }
        }
    }

    /// The first bytes of a P-256 key of RFC 5915 and of RSA keys of 1024 and 4096 bits of RFC 8017, with and without
    /// the modulus' highest bit, and of PKCS#8 with a public key beside.
    @Test(
        arguments: [
            [0x30, 0x77, 2, 1, 1, 4, 32], [0x30, 0x31, 2, 1, 1, 4, 32], [0x30, 0x81, 0xA4, 2, 1, 1, 4, 48],
            [0x30, 0x82, 2, 0x5D, 2, 1, 0, 2, 0x81, 0x81, 0], [0x30, 0x82, 9, 0x29, 2, 1, 0, 2, 0x82, 2, 1, 0],
            [0x30, 0x82, 4, 0xBE, 2, 1, 0, 48, 13, 6, 9, 42], [0x30, 0x81, 0x87, 2, 1, 1, 48, 19, 6, 7, 42],
        ] as [[UInt8]])
    func `a private key in any form is found`(first: [UInt8]) {
        let der = Data(first + [UInt8](repeating: 0xFB, count: 40))
        let base64 = der.base64EncodedString()
        let other = base64.replacing("+", with: "-").replacing("/", with: "_")
        let digits = der.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        for word in [base64, other, digits, digits.uppercased()] {
            #expect(EncodedPrivateKey.words(in: "let key = \"\(word)\"").count == 1, "\(word)")
        }
    }

    /// Public keys, a certificate, the signed part of a request, a signature of ECDSA with 0 and a number, a curve that is
    /// spelled out, and no DER.
    @Test func `what is public is not taken for a private key`() throws {
        let key = try PrivateKey.generateRSA(bits: 2048)
        let others: [[UInt8]] = [
            try key.publicKey.subjectPublicKeyInfo(),
            try PrivateKey.generate(.p256).publicKey.subjectPublicKeyInfo(),
            Array(Data(base64Encoded: try rootLines()) ?? Data()),
            [0x30, 0x82, 1, 4, 2, 1, 0, 0x30, 0x40, 0x31, 11] + [UInt8](repeating: 7, count: 40),
            [0x30, 0x25, 2, 1, 0, 2, 0x20] + [UInt8](repeating: 7, count: 32),
            [0x30, 0x81, 0xE0, 2, 1, 1, 0x30, 0x2C, 6, 7, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 1, 1]
                + [UInt8](repeating: 2, count: 33),
            [UInt8](repeating: 0x30, count: 64), [0x30, 0xFF] + [UInt8](repeating: 2, count: 64),
        ]
        for der in others {
            #expect(der.count >= 24)
            #expect(EncodedPrivateKey.words(in: Data(der).base64EncodedString()).isEmpty)
        }
        #expect(EncodedPrivateKey.words(in: "").isEmpty)
        #expect(EncodedPrivateKey.words(in: String(repeating: "M", count: 31)).isEmpty)
    }

    private func rootLines() throws -> String {
        try Repository.text("Config/trust/AppleRootCA-G3.pem").split(separator: "\n").dropFirst().dropLast().joined()
    }
}
