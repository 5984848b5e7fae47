import Testing
import Values

@testable import OpenSSL

struct TLSIdentityTests {
    let authority: TLSParty
    let party: TLSParty

    init() throws {
        authority = try TLSParty.authority()
        party = try authority.issue("server", for: .server)
    }

    private func identity(_ chain: [UInt8], _ key: [UInt8], password: String? = nil) throws -> TLSIdentity {
        let password = password.map { SecretBytes(Array($0.utf8)) }
        return try TLSIdentity(
            chain: Certificate.all(pem: chain),
            key: key.withUnsafeBytes { try PrivateKey(pem: $0, password: password) })
    }

    private var keyPEM: [UInt8] { get throws { try party.key.pem().withUnsafeBytes { Array($0) } } }

    @Test func `a chain and its key are read`() throws {
        let identity = try identity(party.certificate.pem() + authority.certificate.pem(), keyPEM)
        #expect(identity.certificate == party.certificate)
        #expect(identity.intermediates == [authority.certificate])
    }

    @Test func `one file may hold both`() throws {
        let both = try keyPEM + Array("notes\n".utf8) + party.certificate.pem()
        #expect(try identity(both, both).certificate == party.certificate)
    }

    @Test func `the key of another certificate is refused`() throws {
        let other = try authority.issue("other", for: .server)
        #expect(throws: OpenSSLError.keyDiffers) { try identity(other.certificate.pem(), keyPEM) }
    }

    @Test func `a chain that does not begin with the holder's certificate is refused`() throws {
        #expect(throws: OpenSSLError.keyDiffers) {
            try identity(authority.certificate.pem() + party.certificate.pem(), keyPEM)
        }
    }

    @Test func `a chain of no certificate is refused`() throws {
        #expect(throws: OpenSSLError.noCertificate) { try TLSIdentity(chain: [], key: party.key) }
        #expect(throws: OpenSSLError.noPEMBlock("CERTIFICATE")) { try identity(keyPEM, keyPEM) }
        #expect(throws: OpenSSLError.noPEMBlock("CERTIFICATE")) { try identity([], keyPEM) }
    }

    @Test func `text without a key is refused`() throws {
        #expect(throws: OpenSSLError.noPEMBlock("PRIVATE KEY")) {
            try identity(party.certificate.pem(), party.certificate.pem())
        }
    }

    @Test func `a certificate that is cut short is refused, also behind a good one`() throws {
        let pem = try party.certificate.pem()
        #expect(throws: OpenSSLError.self) { try identity(pem + pem.dropLast(40), keyPEM) }
    }

    @Test(.enabled(if: OpenSSLCommand.isInstalled))
    func `an encrypted key needs its password`() throws {
        let command = try OpenSSLCommand()
        try command.write("plain.pem", keyPEM)
        try command.run("pkcs8 -topk8 -in plain.pem -out key.pem -passout pass:secret")
        let key = try command.read("key.pem")
        let chain = try party.certificate.pem()
        #expect(try identity(chain, key, password: "secret").certificate == party.certificate)
        #expect(throws: OpenSSLError.encrypted) { try identity(chain, key) }
        #expect(throws: OpenSSLError.wrongPassword) { try identity(chain, key, password: "other") }
    }

    @Test(.enabled(if: OpenSSLCommand.isInstalled))
    func `a server with a weak key does not start`() throws {
        let command = try OpenSSLCommand()
        try command.run("req -x509 -newkey rsa:1024 -nodes -keyout key.pem -out certificate.pem -subj /CN=weak -days 2")
        let identity = try identity(command.read("certificate.pem"), command.read("key.pem"))
        #expect(throws: OpenSSLError.failed(function: "SSL_CTX_use_certificate", reason: "ee key too small")) {
            try TLSContext(server: identity, applicationProtocols: [])
        }
    }

    @Test func `the key is in no description`() throws {
        let identity = try party.identity()
        #expect(!String(reflecting: identity).contains("PRIVATE"))
    }
}
