import OpenSSL
import Testing
import Values

/// PKCS#12 files that the command openssl makes in the test.
@Suite(.enabled(if: OpenSSLCommand.isInstalled))
struct PKCS12Tests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    /// The leaf and its key in a file under the password `open sesame`, as the options say.
    private func file(_ options: String, certificates: [Certificate]? = nil) throws -> [UInt8] {
        let command = try OpenSSLCommand()
        try command.write("key.pem", try authority.leafKey.pem().withUnsafeBytes { Array($0) })
        try command.write("certificate.pem", try (certificates ?? [authority.leaf]).flatMap { try $0.pem() })
        try command.write("password", "open sesame\n".bytes)
        let input = options.contains("-nocerts") ? "-inkey key.pem" : "-inkey key.pem -in certificate.pem"
        let source = options.contains("-nokeys") ? "-in certificate.pem" : input
        try command.run("pkcs12 -export \(source) -passout file:password -out file.p12 \(options)")
        return try command.read("file.p12")
    }

    private static func open(_ file: [UInt8], _ password: String = "open sesame") throws -> PKCS12 {
        try file.withUnsafeBytes { try PKCS12(der: $0, password: SecretBytes(password.bytes)) }
    }

    @Test(arguments: [
        "", "-descert", "-keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES -macalg sha1", "-keypbe NONE",
        "-certpbe NONE", "-name shop", "-keypbe AES-128-CBC -certpbe AES-256-CBC",
    ])
    func `key and certificate come out as they went in`(options: String) throws {
        let file = try file(options)
        #expect(file.withUnsafeBytes { PKCS12.isEncoded(in: $0) })
        let identity = try Self.open(file).identity()
        #expect(identity.certificate == authority.leaf)
        #expect(
            try identity.privateKey.publicKey.subjectPublicKeyInfo()
                == authority.leafKey.publicKey.subjectPublicKeyInfo())
    }

    @Test func `the certificate of the key is first, wherever it lies in the file`() throws {
        for certificates in [
            [authority.leaf, authority.intermediate, authority.root], [authority.leaf, authority.root],
        ] {
            let opened = try Self.open(try file("", certificates: certificates))
            #expect(try opened.identity().certificate == authority.leaf)
            #expect(opened.certificates.count == certificates.count)
            for certificate in certificates { #expect(opened.certificates.contains(certificate)) }
        }
    }

    @Test(arguments: ["", " ", "open sesam", "open sesame ", "Open sesame", "open sesame\0", "x"])
    func `another password is refused as such`(password: String) throws {
        #expect(throws: OpenSSLError.wrongPassword) { try Self.open(try file(""), password) }
    }

    @Test func `an empty password opens what was closed with one`() throws {
        let command = try OpenSSLCommand()
        try command.write("key.pem", try authority.leafKey.pem().withUnsafeBytes { Array($0) })
        try command.write("certificate.pem", try authority.leaf.pem())
        try command.run("pkcs12 -export -inkey key.pem -in certificate.pem -passout pass: -out file.p12")
        let file = try command.read("file.p12")
        #expect(try Self.open(file, "").identity().certificate == authority.leaf)
        #expect(throws: OpenSSLError.wrongPassword) { try Self.open(file, "x") }
    }

    @Test func `a file without a key, or without a certificate, says which`() throws {
        let withoutKey = try Self.open(try file("-nokeys"))
        #expect(withoutKey.privateKey == nil && withoutKey.certificates == [authority.leaf])
        #expect(throws: OpenSSLError.noPrivateKey) { try withoutKey.identity() }
        let withoutCertificate = try Self.open(try file("-nocerts"))
        #expect(withoutCertificate.privateKey != nil && withoutCertificate.certificates.isEmpty)
        #expect(throws: OpenSSLError.noCertificate) { try withoutCertificate.identity() }
    }

    @Test func `a file without a MAC is refused`() throws {
        #expect(throws: OpenSSLError.failed(function: "PKCS12_mac_present", reason: "no MAC")) {
            try Self.open(try file("-nomac"))
        }
    }

    @Test func `RC2 is refused as legacy, and not as a wrong password`() throws {
        let file: [UInt8]
        do { file = try self.file("-legacy") } catch is OpenSSLCommand.Failure {
            // Without the legacy provider nobody can make such a file here.
            return
        }
        #expect(throws: OpenSSLError.legacyEncryption) { try Self.open(file) }
        #expect(throws: OpenSSLError.wrongPassword) { try Self.open(file, "x") }
    }

    @Test func `what is cut, longer, or something else is refused`() throws {
        let file = try file("")
        let certificate = authority.leaf.der
        for bytes in [[], [0x30], Array(file.dropLast()), Array(file.prefix(100)), certificate, "text".bytes] {
            #expect(!bytes.withUnsafeBytes { PKCS12.isEncoded(in: $0) })
            let error = #expect(throws: OpenSSLError.self) { try Self.open(bytes) }
            #expect(error != .wrongPassword && error != .legacyEncryption)
        }
        #expect(throws: OpenSSLError.failed(function: "d2i_PKCS12", reason: "bytes after the file")) {
            try Self.open(file + [0])
        }
    }

    @Test func `no change of one byte does more than fail`() throws {
        let file = try file("-noiter -nomaciter")
        for index in stride(from: 0, to: file.count, by: 7) {
            var altered = file
            altered[index] ^= 0x15
            guard let opened = try? Self.open(altered) else { continue }
            // Names and other attributes outside the MAC may change; what is opened is what was closed.
            #expect(opened.certificates.allSatisfy { $0 == authority.leaf })
        }
    }
}
