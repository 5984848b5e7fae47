import Access
import ArgumentParser
import OpenSSL
import Values

/// `tollgate certificate request`: creates a key and a certificate signing request for Apple.
struct CertificateRequestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Make a key and a certificate signing request for a Payment Processing Certificate.",
        discussion: """
            The key is written unencrypted to a file that only its owner can read, and never leaves it; the request is \
            what Apple's developer portal takes. Existing files are never overwritten.
            """)

    @Option(help: ArgumentHelp("The merchant identifier, such as merchant.com.example.shop.", valueName: "text"))
    var merchantIdentifier: String

    @Option(help: ArgumentHelp("The new file for the private key, PKCS#8 in PEM.", valueName: "pem"))
    var key: String

    @Flag(help: "An RSA key of 2048 bits, for tokens of version RSA_v1, instead of one on P-256, for EC_v1.")
    var rsa = false

    @Option(help: ArgumentHelp("The new file for the request (default: the key's name with .csr).", valueName: "file"))
    var out: String?

    /// The length of a common name in characters (RFC 5280, appendix A.1).
    private static let merchantIdentifierLength = 1...64

    func validate() throws {
        guard Self.merchantIdentifierLength.contains(merchantIdentifier.unicodeScalars.count) else {
            throw ValidationError("--merchant-identifier: 1 to 64 characters")
        }
        guard requestPath != key else { throw ValidationError("--out: the key is there; name another file") }
    }

    private var requestPath: String { out ?? (key.hasSuffix(".pem") ? String(key.dropLast(4)) : key) + ".csr" }

    func run() throws {
        guard !File.exists(requestPath) else {
            throw Failure("\(requestPath): it is there already; name another file with --out")
        }
        let privateKey = try rsa ? PrivateKey.generateRSA(bits: 2048) : PrivateKey.generate(.p256)
        let request = try CertificateRequest(subject: [("CN", merchantIdentifier)], key: privateKey).pem()
        try privateKey.pem().withUnsafeBytes { try File.writeNew(key, mode: 0o600, $0) }
        try request.withUnsafeBytes { try File.writeNew(requestPath, mode: 0o644, $0) }
        let publicKeyHash = Base64.encoded(SHA256.hash(try privateKey.publicKey.subjectPublicKeyInfo()))
        StandardOutput.writeLine(
            """
            key            \(key)
            request        \(requestPath)
            publicKeyHash  \(publicKeyHash)

            1. In Apple's developer portal, under Identifiers, Merchant IDs, \(EscapedLine(merchantIdentifier)), create an \
            Apple Pay Payment Processing Certificate from \(requestPath), and download it.
            2. Check it: tollgate certificate show apple_pay.cer names this publicKeyHash and this merchant identifier.
            3. Name both in the merchant's file, beside the key that is in use now, if there is one:

               applePay:
                 keys:
                   - privateKey: \(key)
                     certificate: apple_pay.cer

            4. A gateway that runs reloads the file within two seconds and says so. Only then activate the certificate in the \
            portal. Take the old entry out when no token for it comes any more.
            """)
    }
}
