import ApplePay
import Glibc
import OpenSSL
import Payments
import Testing
import Values

@testable import tollgate

/// The keys of a merchant's file: what does not fit is refused in words that say what to do.
final class MerchantKeyTests {
    private let fixture: MerchantKeyFixture
    private let folder: TestFolder

    init() throws {
        fixture = try MerchantKeyFixture()
        folder = try TestFolder()
        try folder.writeSecret("key.pem", try fixture.pem)
        try folder.write("certificate.pem", try fixture.certificate().pem())
        try folder.writeSecret("password", Array("open sesame\n".utf8))
    }
    deinit { folder.remove() }

    /// Reads a merchant's file with one entry under `keys`.
    private func read(
        _ entry: String, merchantIdentifier: String? = MerchantKeyFixture.merchantIdentifier
    ) throws -> MerchantFile {
        let identifier = merchantIdentifier.map { "merchantIdentifier: \($0), " } ?? ""
        let file = try folder.write(
            "SHOP.yaml", Array("applePay: {\(identifier)trust: [local], keys: [{\(entry)}]}".utf8))
        let root = try MerchantKeyFixture().certificate()
        return try MerchantFile(MerchantSettings(file), appleRoot: { .local(root) }, localRoot: { root })
    }

    /// The error text of a refused entry, without secrets.
    private func refusal(
        _ entry: String, merchantIdentifier: String? = MerchantKeyFixture.merchantIdentifier
    ) throws -> String {
        let failure = #expect(throws: Failure.self) { try read(entry, merchantIdentifier: merchantIdentifier) }
        let text = failure?.description ?? ""
        #expect(!text.contains("sesame") && !text.contains("\n"))
        // Paths are shown as they were found; what is left is the same for every folder.
        return text.replacing(folder.path + "/", with: "")
    }

    @Test(
        arguments: [
            (0o600, 1000, 1000, true), (0o400, 1000, 1000, true), (0o600, 0, 0, true), (0o640, 1000, 1000, false),
            (0o604, 1000, 1000, false), (0o640, 0, 0, false),
            // Handed over by root to a group that the user is in.
            (0o640, 0, 1000, true), (0o440, 0, 1000, true), (0o660, 0, 1000, false), (0o644, 0, 1000, false),
            (0o640, 1001, 1000, false),
        ] as [(mode_t, uid_t, uid_t, Bool)])
    func `only its owner can read a secret's file, or root and its group`(
        mode: mode_t, owner: uid_t, user: uid_t, isPrivate: Bool
    ) {
        #expect(File.isPrivate(mode: mode, owner: owner, user: user) == isPrivate)
    }

    @Test func `a key and its certificate are taken, in PEM and in DER`() throws {
        try folder.write("certificate.cer", try fixture.certificate().der)
        for certificate in ["certificate.pem", "certificate.cer"] {
            let file = try read("privateKey: key.pem, certificate: \(certificate)", merchantIdentifier: nil)
            let key = try #require(file.merchant.applePay?.keys.last)
            #expect(Base64.encoded(key.publicKeyHash) == (try fixture.publicKeyHash))
            #expect(key.certificateNotAfter == MerchantKeyFixture.notAfter)
            #expect(key.merchantIdentifierHash == SHA256.hash(Array(MerchantKeyFixture.merchantIdentifier.utf8)))
            #expect(file.certificates.map(\.path) == ["\(folder.path)/\(certificate)"])
        }
        let bare = try read("privateKey: key.pem")
        #expect(bare.merchant.applePay?.keys.last != nil && bare.certificates.isEmpty)
    }

    @Test func `a certificate of another key is refused`() throws {
        try folder.write("other.pem", try MerchantKeyFixture().certificate().pem())
        #expect(
            try refusal("privateKey: key.pem, certificate: other.pem")
                == "other.pem is not the certificate of the key in key.pem: name the two that were made together; "
                + "`tollgate certificate show` prints one publicKeyHash for both")
    }

    @Test func `a Merchant Identity Certificate is refused by its name, whether its key is there or not`() throws {
        let identity = try MerchantKeyFixture(rsa: true)
        try folder.write("merchant_id.pem", try identity.certificate(.merchantIdentity).pem())
        try folder.writeSecret("merchant_id.key", try identity.pem)
        for key in ["key.pem", "merchant_id.key"] {
            #expect(
                try refusal("privateKey: \(key), certificate: merchant_id.pem")
                    == "merchant_id.pem is a Merchant Identity Certificate, with which no token is opened: name the Payment "
                    + "Processing Certificate of the same merchant identifier, and its key")
        }
    }

    @Test func `a certificate without the merchant identifier is refused`() throws {
        try folder.write("other.pem", try fixture.certificate(.other).pem())
        #expect(
            try refusal("privateKey: key.pem, certificate: other.pem")
                == "other.pem is no Payment Processing Certificate: it holds no merchant identifier, or a malformed one (extension "
                + "1.2.840.113635.100.6.32)")
    }

    @Test func `a certificate for another merchant identifier is refused, and both are named`() throws {
        #expect(
            try refusal("privateKey: key.pem, certificate: certificate.pem", merchantIdentifier: "merchant.com.other")
                == "certificate.pem was made for another merchant identifier (merchant.com.example.shop) than the "
                + "configured merchant.com.other: correct merchantIdentifier, or name the certificate made for it")
    }

    @Test func `a name in a certificate can't feign a line`() throws {
        let hostile = try fixture.certificate(merchantIdentifier: "a\u{1B}[2J\nwarning: b")
        try folder.write("other.pem", try hostile.pem())
        #expect(
            try refusal("privateKey: key.pem, certificate: other.pem").contains("(a\\u{1b}[2J\\u{a}warning: b)"))
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o610, 0o601, 0o644, 0o666, 0o440, 0o777])
    func `a key or password that group or others may use is refused with the command to type`(mode: Int) throws {
        let octal = String(mode, radix: 8)
        try folder.writeSecret("open.pem", try fixture.pem, mode: mode)
        try folder.writeSecret("open password", Array("open sesame\n".utf8), mode: mode)
        #expect(
            try refusal("privateKey: open.pem, certificate: certificate.pem")
                == "open.pem: group or others may use it (mode 0\(octal)); type: chmod 600 "
                + ShellWord.quoted("\(folder.path)/open.pem").replacing(folder.path + "/", with: ""))
        #expect(
            try refusal("privateKey: key.pem, certificate: certificate.pem, passwordFile: open password")
                .hasSuffix("type: chmod 600 'open password'"))
        #expect(
            try refusal("pkcs12: open.pem, passwordFile: password").hasSuffix(
                "(mode 0\(octal)); type: chmod 600 open.pem"))
    }

    @Test(arguments: [0o600, 0o400, 0o700])
    func `a key that only its owner may use is accepted`(mode: Int) throws {
        try folder.writeSecret("closed.pem", try fixture.pem, mode: mode)
        #expect(try read("privateKey: closed.pem").merchant.applePay?.keys.last != nil)
    }

    @Test func `what is no regular file is refused and not waited for`() throws {
        try folder.makePipe("pipe")
        for path in ["pipe", "/dev/null", "/dev/zero", "."] {
            #expect(
                try refusal("privateKey: \(path)").hasSuffix(": not a regular file; write the secret into one"),
                "\(path)")
        }
    }

    @Test(arguments: [
        ("{}", "keys[0].privateKey: name one of privateKey and pkcs12"),
        ("{privateKey: key.pem, pkcs12: shop.p12}", "keys[0].privateKey: name one of privateKey and pkcs12"),
        ("{certificate: certificate.pem}", "keys[0].privateKey: name one of privateKey and pkcs12"),
        ("{pkcs12: shop.p12}", "keys[0].pkcs12: name its password: passwordFile or passwordEnvironment"),
        (
            "{pkcs12: shop.p12, certificate: certificate.pem, passwordFile: password}",
            "keys[0].certificate: leave it out: the one in pkcs12 counts"
        ),
        (
            "{privateKey: key.pem, passwordFile: password, passwordEnvironment: X}",
            "keys[0].passwordFile: name one of passwordFile and passwordEnvironment"
        ),
        (
            "{privateKey: key.pem, passwordEnvironment: TOLLGATE_NO_SUCH_VARIABLE}",
            "keys[0].passwordEnvironment: the variable TOLLGATE_NO_SUCH_VARIABLE holds no password"
        ),
        ("{privateKey: key.pem, passwordFile: empty}", "empty: its first line holds no password"),
        ("{privateKey: key.pem, passwordFile: nowhere}", "nowhere: No such file or directory"),
        ("{pkcs12: nowhere.p12, passwordFile: password}", "nowhere.p12: No such file or directory"),
        ("{pkcs12: key.pem, passwordFile: password}", "key.pem: not a PKCS#12 file that OpenSSL reads"),
        ("{privateKey: certificate.pem}", "type: chmod 600 certificate.pem"),
        ("{privateKey: password}", "password: no private key in PEM (-----BEGIN PRIVATE KEY-----)"),
        (
            "{privateKey: key.pem, certificate: password}", "password: neither a certificate in PEM nor in DER"
        ),
        ("{privateKey: p384.pem}", "p384.pem: neither a key on P-256, which EC_v1 tokens need, nor RSA of 2048 bits"),
    ])
    func `an entry that makes no sense is refused`(entry: String, reason: String) throws {
        try folder.writeSecret("empty", Array("\nopen sesame\n".utf8))
        try folder.writeSecret("p384.pem", try PrivateKey.generate(.p384).pem().withUnsafeBytes { Array($0) })
        let text = try refusal(String(entry.dropFirst().dropLast()))
        #expect(text.contains(reason), "\(text)")
    }

    @Test func `without certificate and merchant identifier a key is refused`() throws {
        #expect(
            try refusal("privateKey: key.pem", merchantIdentifier: nil)
                == "SHOP.yaml: applePay.keys[0].certificate: name it, or applePay.merchantIdentifier: a token's key depends "
                + "on it")
    }
}

extension MerchantKeyTests {
    @Test(
        .enabled(if: TestFolder.hasOpenSSL),
        arguments: ["", "-keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES -macalg sha1"])
    func `a PKCS#12 file is opened with its password and no other`(options: String) throws {
        try folder.writePKCS12("shop.p12", fixture, try fixture.certificate(), password: "open sesame", options)
        let file = try read("pkcs12: shop.p12, passwordFile: password")
        let key = try #require(file.merchant.applePay?.keys.last)
        #expect(Base64.encoded(key.publicKeyHash) == (try fixture.publicKeyHash))
        #expect(file.certificates.map(\.notAfter) == [MerchantKeyFixture.notAfter])

        try folder.writeSecret("other", Array("open sesamee\n".utf8))
        #expect(
            try refusal("pkcs12: shop.p12, passwordFile: other")
                == "shop.p12: does not open with the password of other: it is another one, or the file is damaged")
    }

    @Test(.enabled(if: TestFolder.hasOpenSSL))
    func `a PKCS#12 file without key or certificate, or with others' certificates, says so`() throws {
        let certificate = try fixture.certificate()
        try folder.writePKCS12("keyless.p12", fixture, certificate, password: "open sesame", "-nokeys")
        try folder.writePKCS12("bare.p12", fixture, certificate, password: "open sesame", "-nocerts")
        try folder.writePKCS12(
            "identity.p12", fixture, try fixture.certificate(.merchantIdentity), password: "open sesame")
        #expect(
            try refusal("pkcs12: keyless.p12, passwordFile: password")
                == "keyless.p12: holds no private key; export the key together with its certificate")
        #expect(
            try refusal("pkcs12: bare.p12, passwordFile: password")
                == "bare.p12: holds no certificate; export the key together with its certificate")
        #expect(
            try refusal("pkcs12: identity.p12, passwordFile: password")
                .hasPrefix("identity.p12 is a Merchant Identity Certificate"))
    }

    @Test(.enabled(if: TestFolder.hasOpenSSL))
    func `a PKCS#12 file in old ciphers is refused, and the command that is named writes one that is taken`() throws {
        do {
            try folder.writePKCS12("old.p12", fixture, try fixture.certificate(), password: "open sesame", "-legacy")
        } catch is TestFolder.OpenSSLFailed {
            // Without OpenSSL's legacy provider nobody can make such a file here.
            return
        }
        let text = try refusal("pkcs12: old.p12, passwordFile: password")
        let command = "openssl pkcs12 -legacy -clcerts -in … -out …"
        #expect(text.hasPrefix("old.p12: encrypted with a cipher") && text.hasSuffix(command))

        // From one file openssl would take the second line for the second password.
        try folder.writeSecret("again", try folder.read("password"))
        try folder.openssl("pkcs12 -legacy -clcerts -in old.p12 -out new.pem -passin file:password -passout file:again")
        let file = try read("privateKey: new.pem, certificate: new.pem, passwordFile: password")
        let key = try #require(file.merchant.applePay?.keys.last)
        #expect(Base64.encoded(key.publicKeyHash) == (try fixture.publicKeyHash))
    }

    @Test(.enabled(if: TestFolder.hasOpenSSL), arguments: ["pkcs8 -topk8", "pkey -aes256", "ec -aes128"])
    func `an encrypted PEM key is opened with its password and no other`(form: String) throws {
        try folder.openssl("\(form) -in key.pem -passout file:password -out locked.pem")
        try folder.writeSecret("locked.pem", try folder.read("locked.pem"))
        #expect(try read("privateKey: locked.pem, passwordFile: password").merchant.applePay?.keys.last != nil)
        #expect(
            try refusal("privateKey: locked.pem")
                == "locked.pem: the key is encrypted: name its password as passwordFile or passwordEnvironment in the "
                + "merchant's file, or write the key without one: openssl pkey -in … -out …")
        try folder.writeSecret("other", Array("sesame\nopen sesame\n".utf8))
        #expect(
            try refusal("privateKey: locked.pem, passwordFile: other")
                == "locked.pem: does not open with the password of other: it is another one, or the file is damaged")
    }
}

extension MerchantFile {
    /// The last of its keys.
    fileprivate var newestKey: PaymentProcessingKey? { merchant.applePay?.keys.last }
}
