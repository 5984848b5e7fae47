import JSON
import OpenSSL
import Testing
import Values

/// `tollgate certificate`, run as the built program.
final class CertificateCommandTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }
    deinit { folder.remove() }

    private func request(_ further: String...) throws -> CommandResult {
        try folder.run(
            ["certificate", "request", "--merchant-identifier", MerchantKeyFixture.merchantIdentifier, "--key"]
                + further)
    }

    /// The items that `certificate show --json` finds in a file.
    private func show(_ file: String, _ further: String...) throws -> [JSONValue] {
        let result = try folder.run(["certificate", "show", "\(folder.path)/\(file)", "--json"] + further)
        guard result.status == 0, case .array(let items) = try JSONValue(parsing: result.output)["items"] else {
            throw HTTPConnection.Failure.notHTTP(result.errors)
        }
        return items
    }

    @Test(arguments: [[], ["--rsa"]])
    func `a request is for the key that is made with it, which only its owner can read`(options: [String]) throws {
        let result = try folder.run(
            [
                "certificate", "request", "--merchant-identifier", MerchantKeyFixture.merchantIdentifier, "--key",
                folder.path + "/shop.pem",
            ] + options)
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        #expect(try folder.mode("shop.pem") == 0o600)

        let key = try folder.read("shop.pem").withUnsafeBytes { try PrivateKey(pem: $0) }
        #expect(options.isEmpty ? key.isP256 : key.isRSA && key.publicKey.bitCount == 2048)
        let request = try CertificateRequest(pem: try folder.read("shop.csr"))
        #expect(request.commonName == MerchantKeyFixture.merchantIdentifier && request.isSignedByKey)
        let publicKey = try key.publicKey.subjectPublicKeyInfo()
        #expect(try request.publicKey.subjectPublicKeyInfo() == publicKey)

        let hash = Base64.encoded(SHA256.hash(publicKey))
        #expect(result.text.contains("publicKeyHash  \(hash)\n"))
        #expect(!result.text.contains("PRIVATE KEY"))
        let keyType: JSONValue = options.isEmpty ? "P-256 (EC_v1)" : "RSA, 2048 bits (RSA_v1)"
        for (file, holds) in [("shop.pem", "private key"), ("shop.csr", "certificate signing request")] {
            let items = try show(file)
            #expect(items.count == 1)
            #expect(items.first?["holds"] == .string(holds))
            #expect(items.first?["publicKeyHash"] == .string(hash))
            #expect(items.first?["keyType"] == keyType)
        }
    }

    @Test func `a request says what is to be done, and asks for no restart`() throws {
        let key = folder.path + "/shop.pem"
        let result = try request(key)
        #expect(result.status == 0)
        let closing = try #require(result.text.split(separator: "\n\n", maxSplits: 1).last)
        #expect(
            closing == """
                1. In Apple's developer portal, under Identifiers, Merchant IDs, \(MerchantKeyFixture.merchantIdentifier), \
                create an Apple Pay Payment Processing Certificate from \(folder.path)/shop.csr, and download it.
                2. Check it: tollgate certificate show apple_pay.cer names this publicKeyHash and this merchant identifier.
                3. Name both in the merchant's file, beside the key that is in use now, if there is one:

                   applePay:
                     keys:
                       - privateKey: \(key)
                         certificate: apple_pay.cer

                4. A gateway that runs reloads the file within two seconds and says so. Only then activate the certificate \
                in the portal. Take the old entry out when no token for it comes any more.

                """)
        #expect(!result.text.lowercased().contains("restart"))
    }

    @Test func `existing files are never overwritten`() throws {
        try folder.write("shop.pem", Array("mine".utf8))
        let overKey = try request(folder.path + "/shop.pem")
        #expect(overKey.status != 0 && overKey.errors.contains("shop.pem: it is there already; name another file"))
        #expect(try folder.text("shop.pem") == "mine")
        #expect(throws: (any Error).self) { try folder.read("shop.csr") }

        try folder.write("taken.csr", Array("mine".utf8))
        for arguments in [["/new.pem", "/taken.csr"], ["/taken.pem", "/taken.csr"]] {
            let result = try request(folder.path + arguments[0], "--out", folder.path + arguments[1])
            #expect(result.status != 0 && result.errors.contains("taken.csr: it is there already"))
            #expect(throws: (any Error).self) { try folder.read(String(arguments[0].dropFirst())) }
        }
        #expect(try folder.text("taken.csr") == "mine")
    }

    @Test(arguments: [
        (["--key", "k.pem"], "--merchant-identifier"), (["--merchant-identifier", "merchant.x"], "--key"),
        (["--merchant-identifier", "", "--key", "k.pem"], "1 to 64 characters"),
        (["--merchant-identifier", String(repeating: "m", count: 65), "--key", "k.pem"], "1 to 64 characters"),
        (["--merchant-identifier", "merchant.x", "--key", "k.pem", "--out", "k.pem"], "the key is there"),
        (["--merchant-identifier", "merchant.x", "--key", "/no/such/folder/k.pem"], "No such file or directory"),
    ])
    func `a request that can't be made says why`(arguments: [String], reason: String) throws {
        let result = try folder.run(["certificate", "request"] + arguments)
        #expect(result.status != 0 && result.errors.contains(reason), "\(result.errors)")
    }

    @Test(arguments: [
        (MerchantKeyFixture.Kind.paymentProcessing, "paymentProcessing"), (.merchantIdentity, "merchantIdentity"),
        (.other, "unknown"),
    ])
    func `a certificate is shown with its kind, its holder and its end`(
        kind: MerchantKeyFixture.Kind, name: String
    ) throws {
        let fixture = try MerchantKeyFixture()
        let certificate = try fixture.certificate(kind)
        try folder.write("shop.cer", certificate.der)
        try folder.write("shop.pem", try certificate.pem())
        for file in ["shop.cer", "shop.pem"] {
            let item = try #require(try show(file).first)
            #expect(item["holds"] == "certificate")
            #expect(item["kind"] == .string(name))
            #expect(item["merchantIdentifier"] == .string(MerchantKeyFixture.merchantIdentifier))
            #expect(item["validFrom"] == "2024-01-01T00:00:00Z")
            #expect(item["validUntil"] == "2026-01-31T00:00:00Z")
            #expect(item["publicKeyHash"] == .string(try fixture.publicKeyHash))
            #expect(item["sha256Fingerprint"] == .string(Hexadecimal.encoded(certificate.fingerprint)))
            let hash = Hexadecimal.encoded(SHA256.hash(Array(MerchantKeyFixture.merchantIdentifier.utf8)))
            #expect(item["merchantIdentifierHash"] == (kind == .other ? nil : .string(hash)))
        }
    }

    @Test func `Apple's root is distinguished from the certificates of a local authority`() throws {
        _ = try folder.mint()
        for (file, kind) in [
            ("data/sandbox/root.pem", "unknown"), ("data/sandbox/intermediate.pem", "tokenIntermediate"),
            ("data/sandbox/leaf.pem", "tokenSigner"), ("data/sandbox/merchant.pem", "paymentProcessing"),
        ] { #expect(try show(file).first?["kind"] == .string(kind)) }
        let shown = try folder.run("certificate", "show", "Config/trust/AppleRootCA-G3.pem")
        #expect(shown.text.contains("  Apple Root CA - G3, in which genuine tokens' chains end\n"))
    }

    @Test func `every block of a PEM file is shown, and never a key`() throws {
        let fixture = try MerchantKeyFixture()
        let pem = try fixture.pem
        try folder.write("both.pem", pem + (try fixture.certificate().pem()))
        let items = try show("both.pem")
        #expect(items.map { $0["holds"] } == ["private key", "certificate"])
        #expect(items.map { $0["publicKeyHash"] } == Array(repeating: .string(try fixture.publicKeyHash), count: 2))

        let shown = try folder.run("certificate", "show", folder.path + "/both.pem").text
        #expect(shown.contains("publicKeyHash  \(try fixture.publicKeyHash)"))
        let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("-----") }
        for line in lines.dropLast() { #expect(!shown.contains(line)) }
    }

    @Test(.enabled(if: TestFolder.hasOpenSSL))
    func `what a password protects is shown with it, and named without`() throws {
        let fixture = try MerchantKeyFixture()
        try folder.writePKCS12("shop.p12", fixture, try fixture.certificate(), password: "open sesame")
        try folder.openssl("pkey -aes256 -in export.key -passout file:export.password -out locked.pem")
        #expect(try show("shop.p12") == [["holds": "PKCS#12 file", "opensWith": "--password-file"]])
        #expect(try show("locked.pem") == [["holds": "encrypted private key", "opensWith": "--password-file"]])

        let password = ["--password-file", folder.path + "/export.password"]
        let opened = try show("shop.p12", password[0], password[1])
        #expect(opened.map { $0["holds"] } == ["private key", "certificate"])
        #expect(try show("locked.pem", password[0], password[1]).map { $0["holds"] } == ["private key"])

        try folder.writeSecret("other", Array("sesame\n".utf8))
        for file in ["shop.p12", "locked.pem"] {
            let result = try folder.run(
                "certificate", "show", "\(folder.path)/\(file)", "--password-file", folder.path + "/other")
            #expect(result.status != 0 && result.output.isEmpty)
            #expect(result.errors.contains("the password is another, or the file is damaged"))
            #expect(!result.errors.contains("sesame"))
        }
    }

    @Test(arguments: ["", "text", "-----BEGIN PUBLIC KEY-----\n", "-----BEGIN CERTIFICATE-----\nMAA=\n", "\u{30}\u{0}"])
    func `anything else is refused`(content: String) throws {
        try folder.write("file", Array(content.utf8))
        let result = try folder.run("certificate", "show", folder.path + "/file")
        #expect(result.status != 0 && result.output.isEmpty)
        #expect(result.errors.contains("\(folder.path)/file: "))
    }
}
