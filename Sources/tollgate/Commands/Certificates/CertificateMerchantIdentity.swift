import Access
import ApplePaySandbox
import ArgumentParser
import Glibc
import OpenSSL
import Values

/// `tollgate certificate merchant-identity`: the certificate with which a shop's server asks a sandbox for merchant sessions.
struct CertificateMerchantIdentity: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merchant-identity",
        abstract: "Show a sandbox's merchant identity certificate, or issue one for a merchant identifier.",
        discussion: """
            A gateway with a sandbox and TLS wants it for /paymentservices/paymentSession, as Apple's servers do. The \
            sandbox's authority signs it. Without --merchant-identifier it is the sandbox merchant's, which lies in the data \
            directory and is made if it is missing.
            """)

    @Option(help: ArgumentHelp("The gateway's data directory.", valueName: "folder"))
    var data = DataDirectory.defaultPath

    @Option(help: ArgumentHelp("The folder with the sandbox, if it is another one.", valueName: "folder"))
    var keysFolder: String?

    @Option(help: ArgumentHelp("The merchant identifier that a new certificate is for.", valueName: "identifier"))
    var merchantIdentifier: String?

    @Option(
        help: ArgumentHelp(
            "The folder for the new certificate.pem and key.pem, made if it isn't there.", valueName: "folder"))
    var out: String?

    private static let identifierCharactersMax = 255

    func validate() throws {
        guard (merchantIdentifier == nil) == (out == nil) else {
            throw ValidationError("--merchant-identifier and --out: name both for a new certificate, or neither")
        }
        if let merchantIdentifier {
            guard (1...Self.identifierCharactersMax).contains(merchantIdentifier.unicodeScalars.count) else {
                throw ValidationError("--merchant-identifier: 1 to \(Self.identifierCharactersMax) characters")
            }
        }
    }

    func run() throws {
        guard File.exists("\(keysFolder ?? data)/\(DataDirectory.sandboxName)") else {
            throw Failure(
                "\(keysFolder ?? data): no gateway's data; name the data directory of the gateway with --data, or start one "
                    + "there first: tollgate serve --data \(ShellWord.quoted(data))")
        }
        let directory = try DataDirectory(data, keysFolder: keysFolder)
        let sandbox = try directory.sandbox()
        let paths = try out.map { try issue(by: sandbox, in: $0) } ?? directory.merchantIdentity()
        let certificate = try KeyFiles.certificate(paths.certificate)
        StandardOutput.writeLine(
            """
            certificate         \(paths.certificate)
            key                 \(paths.key)
            merchantIdentifier  \(EscapedLine(merchantIdentifier ?? SandboxFiles.merchantIdentifier))
            validUntil          \(Instant(secondsSinceEpoch: certificate.notAfterSecondsSinceEpoch).wholeSeconds)
            fingerprint         \(Hexadecimal.encoded(certificate.fingerprint))

            Ask for a merchant session with it:

              curl --cert \(ShellWord.quoted(paths.certificate)) --key \(ShellWord.quoted(paths.key)) …/paymentservices/paymentSession
            """)
    }

    private func issue(by sandbox: SandboxFiles, in folder: String) throws -> (certificate: String, key: String) {
        let paths = (certificate: "\(folder)/certificate.pem", key: "\(folder)/key.pem")
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Failure("\(folder): \(File.systemError())") }
        guard !File.exists(paths.certificate) else {
            throw Failure("\(paths.certificate): it is there already; name another folder with --out")
        }
        let key = try PrivateKey.generateRSA(bits: 2048)
        let certificate = try sandbox.authority.merchantIdentityCertificate(
            for: key.publicKey, merchantIdentifier: merchantIdentifier ?? SandboxFiles.merchantIdentifier)
        try key.pem().withUnsafeBytes { try File.writeNew(paths.key, mode: 0o600, $0) }
        try certificate.pem().withUnsafeBytes { try File.writeNew(paths.certificate, mode: 0o644, $0) }
        return paths
    }
}
