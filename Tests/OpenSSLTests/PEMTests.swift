import Foundation
import OpenSSL
import Testing
import Values

/// Keys in every shape that openssl writes, made in the test.
struct PEMTests {
    private let key: PrivateKey
    /// PKCS#8 in DER, as the library writes it.
    private let pkcs8: [UInt8]

    init() throws {
        key = try PrivateKey.generate(.p256)
        let text = String(decoding: try key.pem().withUnsafeBytes { Array($0) }, as: UTF8.self)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("-----") }
        pkcs8 = Array(try #require(Data(base64Encoded: lines.joined())))
    }

    /// The key as RFC 5915 has it, with the curve named: what `openssl ecparam -genkey` writes.
    private var sec1: [UInt8] {
        get throws {
            // The 32 bytes of the private number follow this in PKCS#8.
            let before = hex("0201010420")
            let start = try #require(pkcs8.firstRange(of: before)).upperBound
            let point = try key.publicKey.encodedPoint()
            return hex("30770201010420") + pkcs8[start..<(start + 32)] + hex("a00a06082a8648ce3d030107a144034200")
                + point
        }
    }

    private static func pem(_ label: String, _ der: [UInt8]) -> String {
        let lines = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(lines)\n-----END \(label)-----\n"
    }

    private static let curve = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
    private static let bag = """
        Bag Attributes
            friendlyName: Apple Pay Payment Processing
            localKeyID: 67 23 C8 72 36 57 DF 97
        Key Attributes: <No Attributes>

        """

    private static func read(_ text: String) throws -> PrivateKey {
        try text.bytes.withUnsafeBytes { try PrivateKey(pem: $0) }
    }

    @Test func `PKCS#8 is read as it was written`() throws {
        let again = try key.pem().withUnsafeBytes { try PrivateKey(pem: $0) }
        #expect(try again.publicKey.subjectPublicKeyInfo() == key.publicKey.subjectPublicKeyInfo())
    }

    @Test func `every shape that openssl writes is read`() throws {
        let pkcs8 = Self.pem("PRIVATE KEY", pkcs8)
        let sec1 = Self.pem("EC PRIVATE KEY", try sec1)
        let certificate = String(decoding: try TestAuthority().root.pem(), as: UTF8.self)
        let shapes = [
            pkcs8, sec1, Self.curve + sec1, Self.curve + pkcs8, Self.bag + pkcs8, Self.bag + Self.curve + sec1,
            certificate + pkcs8, pkcs8 + certificate, Self.bag + certificate + Self.bag + sec1,
            pkcs8.replacing("\n", with: "\r\n"), sec1.replacing("\n", with: "\r\n"), "\n\n" + pkcs8 + "\n\n",
            String(pkcs8.dropLast()),
        ]
        for shape in shapes {
            let read = try Self.read(shape)
            #expect(try read.publicKey.subjectPublicKeyInfo() == key.publicKey.subjectPublicKeyInfo())
            #expect(read.isP256)
        }
    }

    /// What openssl's own commands make, each from nothing; the last has `Bag Attributes` and a certificate around the key.
    @Test(
        .enabled(if: OpenSSLCommand.isInstalled),
        arguments: [
            ["ecparam -name prime256v1 -genkey -out key.pem"], ["ecparam -name prime256v1 -genkey -noout -out key.pem"],
            ["genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key.pem"],
            ["ecparam -name prime256v1 -genkey -out a.pem", "pkcs8 -topk8 -nocrypt -in a.pem -out key.pem"],
            ["ecparam -name prime256v1 -genkey -out a.pem", "pkey -traditional -in a.pem -out key.pem"],
            ["ecparam -name prime256v1 -genkey -out a.pem", "ec -text -in a.pem -out key.pem"],
            ["genrsa -out key.pem 2048"], ["genrsa -traditional -out key.pem 2048"],
            [
                "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout a.pem -subj /CN=x -out b.pem",
                "pkcs12 -export -inkey a.pem -in b.pem -name shop -passout pass:x -out c.p12",
                "pkcs12 -in c.p12 -passin pass:x -nodes -out key.pem",
            ],
        ])
    func `a key is read as openssl's commands write it`(commands: [String]) throws {
        let command = try OpenSSLCommand()
        for each in commands { try command.run(each) }
        try command.run("pkey -in key.pem -pubout -outform DER -out public.der")
        let read = try Self.read(try command.read("key.pem"), nil)
        #expect(try read.publicKey.subjectPublicKeyInfo() == command.read("public.der"))
    }

    @Test func `an RSA key and a key on P-384 are read`() throws {
        for key in [try PrivateKey.generateRSA(bits: 2048), try PrivateKey.generate(.p384)] {
            let read = try key.pem().withUnsafeBytes { try PrivateKey(pem: $0) }
            #expect(try read.publicKey.subjectPublicKeyInfo() == key.publicKey.subjectPublicKeyInfo())
            #expect(!read.isP256)
        }
    }

    /// The heads of keys that a password protects; what follows is random and no key.
    static let encrypted = [
        "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n"
            + "DEK-Info: AES-128-CBC,E36C862F4B6D5EC71AE5749BC5B2C93D\n\n"
            + Data(repeating: 0x5A, count: 128).base64EncodedString() + "\n-----END EC PRIVATE KEY-----\n",
        // PBES2 with PBKDF2, HMAC with SHA-256 and AES-256-CBC (RFC 8018).
        pem(
            "ENCRYPTED PRIVATE KEY",
            hex("3081b0305706092a864886f70d01050d304a302906092a864886f70d01050c301c0408c29d63303839" + "0d6202020800")
                + hex("300c06082a864886f70d02090500301d060960864801650304012a0410")
                + [UInt8](repeating: 0x5A, count: 16)
                + hex("0455") + [UInt8](repeating: 0x5A, count: 85)),
    ]

    @Test(arguments: encrypted)
    func `a key that needs a password is refused as such`(text: String) {
        #expect(throws: OpenSSLError.encrypted) { try Self.read(text) }
        #expect(throws: OpenSSLError.encrypted) { try Self.read(Self.bag + text) }
    }

    private static let password = SecretBytes("open sesame".bytes)

    private static func read(_ pem: [UInt8], _ password: SecretBytes?) throws -> PrivateKey {
        try pem.withUnsafeBytes { try PrivateKey(pem: $0, password: password) }
    }

    /// How openssl encrypts keys: PKCS#8 with PBES2 and PBES1, and the older form with its header.
    @Test(
        .enabled(if: OpenSSLCommand.isInstalled),
        arguments: [
            "pkcs8 -topk8 -v2 aes-256-cbc", "pkcs8 -topk8 -v2 des3", "pkcs8 -topk8 -v1 PBE-SHA1-3DES", "pkey -aes256",
            "ec -aes128", "ec -des3",
        ])
    func `an encrypted key opens with its password and no other`(form: String) throws {
        let command = try OpenSSLCommand()
        try command.write("key.pem", try key.pem().withUnsafeBytes { Array($0) })
        try command.write("password", "open sesame\n".bytes)
        try command.run("\(form) -in key.pem -passout file:password -out encrypted.pem")
        let pem = try command.read("encrypted.pem")
        let opened = try Self.read(pem, Self.password)
        #expect(try opened.publicKey.subjectPublicKeyInfo() == key.publicKey.subjectPublicKeyInfo())
        #expect(throws: OpenSSLError.encrypted) { try Self.read(pem, nil) }
        let others = ["", "open sesam", "open sesame\n", "x", String(repeating: "x", count: 1024)]
        for other in others + [String(repeating: "x", count: 1025)] {
            #expect(throws: OpenSSLError.wrongPassword) { try Self.read(pem, SecretBytes(other.bytes)) }
        }
    }

    @Test func `a key that is not encrypted needs no password, and takes one`() throws {
        let read = try Self.read(Self.pem("PRIVATE KEY", pkcs8).bytes, Self.password)
        #expect(try read.publicKey.subjectPublicKeyInfo() == key.publicKey.subjectPublicKeyInfo())
    }

    @Test func `a cipher of the legacy provider is distinguished from a wrong password`() throws {
        // PBES1 with MD5 and DES (RFC 8018 §A.3), salt and count; what follows is random and no key.
        let algorithm = hex("301b06092a864886f70d010503300e0408c29d63038390020002020800")
        let sealed = hex("0420") + [UInt8](repeating: 0x5A, count: 32)
        let info = [0x30, UInt8(algorithm.count + sealed.count)] + algorithm + sealed
        #expect(throws: OpenSSLError.legacyEncryption) {
            try Self.read(Self.pem("ENCRYPTED PRIVATE KEY", info).bytes, Self.password)
        }
    }

    @Test func `the blocks of a text are found in order`() throws {
        let text =
            Self.bag + Self.curve + Self.pem("EC PRIVATE KEY", try sec1) + "-----BEGIN -----\n"
            + Self.encrypted[0] + Self.encrypted[1] + "-----BEGIN CERTIFICATE\n -----BEGIN X-----\n"
            + "-----BEGIN CERTIFICATE----- \t\r\n-----END CERTIFICATE-----"
        let bytes = text.bytes
        bytes.withUnsafeBytes { text in
            let blocks = PEMBlock.all(in: text)
            #expect(
                blocks.map(\.label)
                    == [
                        "EC PARAMETERS", "EC PRIVATE KEY", "", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "CERTIFICATE",
                    ])
            #expect(blocks.map(\.isEncrypted) == [false, false, false, true, true, false])
            #expect(blocks.map(\.isPrivateKey) == [false, true, false, true, true, false])
        }
    }

    @Test(arguments: ["", "\n", "no key here", bag, curve])
    func `text without a key is refused`(text: String) {
        #expect(throws: OpenSSLError.noPEMBlock("PRIVATE KEY")) { try Self.read(text) }
    }

    @Test func `a certificate or a public key is no private key`() throws {
        let certificate = String(decoding: try TestAuthority().root.pem(), as: UTF8.self)
        let publicKey = Self.pem("PUBLIC KEY", try key.publicKey.subjectPublicKeyInfo())
        for text in [certificate, publicKey] {
            #expect(throws: OpenSSLError.noPEMBlock("PRIVATE KEY")) { try Self.read(text) }
        }
    }

    @Test func `a block that is cut or filled with something else is refused and not taken for absent`() throws {
        let cut = Self.pem("PRIVATE KEY", Array(pkcs8.dropLast(8)))
        let garbage = Self.pem("PRIVATE KEY", [UInt8](repeating: 0x5A, count: 64))
        for text in [cut, garbage] {
            let error = #expect(throws: OpenSSLError.self) { try Self.read(text) }
            #expect(error != .noPEMBlock("PRIVATE KEY") && error != .encrypted)
        }
    }
}
