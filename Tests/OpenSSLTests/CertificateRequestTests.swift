import OpenSSL
import Testing
import Values

struct CertificateRequestTests {
    private static func keys() throws -> [PrivateKey] {
        [try PrivateKey.generate(.p256), try PrivateKey.generateRSA(bits: 2048)]
    }

    @Test func `a request says whose key it is and proves that the owner made it`() throws {
        for key in try Self.keys() {
            let request = try CertificateRequest(subject: [("CN", "merchant.com.example.shop")], key: key)
            #expect(request.commonName == "merchant.com.example.shop")
            #expect(try request.publicKey.subjectPublicKeyInfo() == key.publicKey.subjectPublicKeyInfo())
            #expect(request.isSignedByKey)
            #expect(try CertificateRequest(der: request.der).der == request.der)
            #expect(try CertificateRequest(pem: request.pem()).der == request.der)
        }
    }

    @Test(.enabled(if: OpenSSLCommand.isInstalled))
    func `openssl verifies a request, and its requests are read`() throws {
        for key in try Self.keys() {
            let command = try OpenSSLCommand()
            try command.write("ours.csr", try CertificateRequest(subject: [("CN", "x")], key: key).pem())
            try command.run("req -in ours.csr -verify -noout")
            try command.write("key.pem", try key.pem().withUnsafeBytes { Array($0) })
            try command.run("req -new -key key.pem -subj /C=US/CN=theirs -out theirs.csr")
            let read = try CertificateRequest(pem: try command.read("theirs.csr"))
            #expect(read.commonName == "theirs" && read.isSignedByKey)
        }
    }

    @Test func `a request that was altered is not signed by its key`() throws {
        let key = try PrivateKey.generate(.p256)
        let der = try CertificateRequest(subject: [("CN", "merchant.com.example.shop")], key: key).der
        let name = try #require(der.firstRange(of: "merchant".bytes))
        var altered = der
        altered[name.lowerBound] = UInt8(ascii: "M")
        let read = try CertificateRequest(der: altered)
        #expect(read.commonName == "Merchant.com.example.shop")
        #expect(!read.isSignedByKey)
    }

    @Test func `a name that is too long is refused`() throws {
        let key = try PrivateKey.generate(.p256)
        #expect(throws: Never.self) {
            try CertificateRequest(subject: [("CN", String(repeating: "a", count: 64))], key: key)
        }
        #expect(throws: OpenSSLError.self) {
            try CertificateRequest(subject: [("CN", String(repeating: "a", count: 65))], key: key)
        }
    }

    @Test func `what is no request is refused`() throws {
        let request = try CertificateRequest(subject: [("CN", "x")], key: try PrivateKey.generate(.p256)).der
        #expect(throws: OpenSSLError.failed(function: "d2i_X509_REQ", reason: "bytes after the request")) {
            try CertificateRequest(der: request + [0])
        }
        for der in [[], [0x30, 0x00], Array(request.dropLast()), try TestAuthority().leaf.der] {
            #expect(throws: OpenSSLError.self) { try CertificateRequest(der: der) }
        }
        for pem in [[], "no request".bytes, try TestAuthority().leaf.pem()] {
            #expect(throws: OpenSSLError.noPEMBlock("CERTIFICATE REQUEST")) { try CertificateRequest(pem: pem) }
        }
    }

    @Test func `a broken request is distinguished from text without one`() {
        let broken = "-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----\n".bytes
        #expect(throws: OpenSSLError.noPEMBlock("CERTIFICATE REQUEST")) { try CertificateRequest(pem: []) }
        let error = #expect(throws: OpenSSLError.self) { try CertificateRequest(pem: broken) }
        #expect(error != .noPEMBlock("CERTIFICATE REQUEST"))
    }
}
