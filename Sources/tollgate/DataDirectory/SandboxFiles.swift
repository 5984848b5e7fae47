import ApplePay
import ApplePaySandbox
import Glibc
import HTTP
import OpenSSL
import Payments
import RadialAPI
import Values

/// The sandbox of a data directory: a local authority that signs tokens, and a merchant who accepts them.
struct SandboxFiles {
    /// The merchant of the sandbox.
    static let merchantName = "TESTMERCHANT"
    /// The merchant identifier that the sandbox merchant's tokens are bound to.
    static let merchantIdentifier = "merchant.local.tollgate.testmerchant"
    /// The environment variable that gives the sandbox merchant's API password.
    static let passwordVariable = "TOLLGATE_SANDBOX_PASSWORD"

    /// Signs tokens.
    let authority: LocalAuthority
    /// The sandbox merchant's keys: one on P-256 for `EC_v1`, and an RSA key for `RSA_v1`.
    let keys: [PaymentProcessingKey]
    /// The path of the password that was generated on first start.
    let passwordPath: String
    private let folder: String

    private enum Name {
        static let root = "root"
        static let intermediate = "intermediate"
        static let leaf = "leaf"
        static let merchant = "merchant"
        static let password = "password"
        static let rsa = "rsa"
        static let identity = "identity"
        /// The names that have a key and a certificate.
        static let certified = [root, intermediate, leaf, merchant]
    }

    /// The folder of a sandbox's `RSA_v1` key material. Sandboxes made by earlier versions lack it.
    static func rsaFolder(in folder: String) -> String { "\(folder)/\(Name.rsa)" }

    /// Creates a sandbox in its own folder, and overwrites existing files. All files are private to their owner.
    static func make(in folder: String) throws {
        let authority = try LocalAuthority.make()
        try write(folder, Name.root, authority.root, authority.rootKey)
        try write(folder, Name.intermediate, authority.intermediate, authority.intermediateKey)
        try write(folder, Name.leaf, authority.signer.certificate, authority.signer.key)
        try writeMerchant(folder, .generate(.p256), authority)
        // 128 random bits in hexadecimal, the format of Mastercard's API passwords.
        try File.writePrivate("\(folder)/\(Name.password)", Hexadecimal.encoded(RandomBytes.generate(16)) + "\n")

        let rsaFolder = rsaFolder(in: folder)
        guard mkdir(rsaFolder, 0o700) == 0 || errno == EEXIST else {
            throw Failure("\(rsaFolder): \(File.systemError())")
        }
        try writeRSA(rsaFolder, authority)
        try File.syncFolder(rsaFolder)
    }

    /// Creates the `RSA_v1` key material in its own folder, for a sandbox that lacks it. Overwrites existing files.
    static func makeRSA(in folder: String, ofSandbox sandbox: String) throws {
        let authority = try authority(in: sandbox) { intermediate, intermediateKey in
            try LocalAuthority.makeSigner(
                of: .rsa, key: .generateRSA(bits: 2048), issuer: intermediate, issuerKey: intermediateKey)
        }
        try writeRSA(folder, authority)
    }

    /// Creates the merchant identity certificate of the sandbox merchant and its key in their own folder, for a sandbox that
    /// lacks them. Overwrites what is there.
    static func makeIdentity(in folder: String, ofSandbox sandbox: String) throws {
        let key = try PrivateKey.generateRSA(bits: 2048)
        let certificate = try SandboxFiles(sandbox).authority.merchantIdentityCertificate(
            for: key.publicKey, merchantIdentifier: merchantIdentifier)
        try write(folder, Name.merchant, certificate, key)
    }

    /// The folder of a sandbox's merchant identity certificate. It is made when TLS first needs it.
    static func identityFolder(in folder: String) -> String { "\(folder)/\(Name.identity)" }

    /// The paths of the merchant identity certificate and its key.
    static func identityPaths(in folder: String) -> (certificate: String, key: String) {
        let folder = identityFolder(in: folder)
        return ("\(folder)/\(Name.merchant).pem", "\(folder)/\(Name.merchant).key.pem")
    }

    private static func writeRSA(_ folder: String, _ authority: LocalAuthority) throws {
        try write(folder, Name.leaf, authority.rsaSigner.certificate, authority.rsaSigner.key)
        try writeMerchant(folder, .generateRSA(bits: 2048), authority)
    }

    private static func writeMerchant(_ folder: String, _ key: PrivateKey, _ authority: LocalAuthority) throws {
        let certificate = try authority.paymentProcessingCertificate(
            for: key.publicKey, merchantIdentifier: merchantIdentifier)
        try write(folder, Name.merchant, certificate, key)
    }

    private static func write(_ folder: String, _ name: String, _ certificate: Certificate, _ key: PrivateKey) throws {
        try SecretBytes(try certificate.pem()).withUnsafeBytes {
            try File.writePrivate("\(folder)/\(name).pem", $0)
        }
        try key.pem().withUnsafeBytes { try File.writePrivate("\(folder)/\(name).key.pem", $0) }
    }

    /// Reads the sandbox of a folder.
    init(_ folder: String) throws {
        self.folder = folder
        let rsaFolder = Self.rsaFolder(in: folder)
        for folder in [folder, rsaFolder] {
            try OtherPermissions.remove(fromFolder: folder)
            for name in Name.certified { try OtherPermissions.remove(fromFile: "\(folder)/\(name).key.pem") }
        }
        try OtherPermissions.remove(fromFile: "\(folder)/\(Name.password)")
        authority = try Self.authority(in: folder) { _, _ in try Self.signer(in: rsaFolder) }
        keys = try [folder, rsaFolder].map { folder in
            try KeyFiles.key(
                privateKey: "\(folder)/\(Name.merchant).key.pem", certificate: "\(folder)/\(Name.merchant).pem",
                merchantIdentifier: Self.merchantIdentifier, users: .anyone)
        }
        passwordPath = "\(folder)/\(Name.password)"
    }

    /// Reads the authority of a folder. `rsaSigner` supplies the `RSA_v1` signer for the intermediate and its key.
    private static func authority(
        in folder: String, rsaSigner: (Certificate, PrivateKey) throws -> LocalAuthority.Signer
    ) throws -> LocalAuthority {
        let intermediate = try certificate(folder, Name.intermediate)
        let intermediateKey = try key(folder, Name.intermediate)
        return LocalAuthority(
            root: try certificate(folder, Name.root), rootKey: try key(folder, Name.root),
            intermediate: intermediate, intermediateKey: intermediateKey, signer: try signer(in: folder),
            rsaSigner: try rsaSigner(intermediate, intermediateKey))
    }

    private static func signer(in folder: String) throws -> LocalAuthority.Signer {
        LocalAuthority.Signer(certificate: try certificate(folder, Name.leaf), key: try key(folder, Name.leaf))
    }

    private static func certificate(_ folder: String, _ name: String) throws -> Certificate {
        try KeyFiles.certificate("\(folder)/\(name).pem")
    }

    /// The sandbox merchant's certificate for `EC_v1`, PEM.
    func certificatePEM() throws -> String {
        let text = try Self.certificate(folder, Name.merchant).pem()
        return String(decoding: text, as: UTF8.self)
    }

    /// The modes of key files aren't checked: the folder is private to its owner, and a volume driver may change the
    /// modes in it.
    private static func key(_ folder: String, _ name: String) throws -> PrivateKey {
        try KeyFiles.privateKey("\(folder)/\(name).key.pem", users: .anyone)
    }

    /// The sandbox merchant's password: from the environment, or else the one that was generated on first start.
    func password() throws -> SandboxPassword {
        if let given = getenv(Self.passwordVariable).map({ String(cString: $0) }), !given.isEmpty {
            return SandboxPassword(text: given, isFromEnvironment: true)
        }
        let text = String(decoding: try File.read(passwordPath, byteCountMax: 1024), as: UTF8.self)
        let password = text.filter { !$0.isNewline }
        guard !password.isEmpty else { throw Failure("\(passwordPath): empty; remove it or write a password into it") }
        return SandboxPassword(text: password, isFromEnvironment: false)
    }

    /// The sandbox merchant, who accepts only tokens of the local authority.
    ///
    /// - Parameter webhook: the URL to which the sandbox store's settlements are reported, if any.
    func merchant(webhook: HTTPURL? = nil) throws -> Merchant {
        guard let id = try? MerchantID(Self.merchantName) else { preconditionFailure("a built-in identifier is valid") }
        let password = APIPassword(remembering: SecretText(try password().text))
        return Merchant(
            id: id, passwords: [password],
            applePay: TokenOpener(
                keys: keys, trust: try TrustPolicy(anchors: [.local(authority.root)], acceptsAppleSandbox: false)),
            sections: [
                RadialStore(id: id, apiKeys: [password], webhook: webhook.map { RadialWebhook(address: $0) })
            ])
    }
}

/// The only password that may be printed, since it belongs to a sandbox.
struct SandboxPassword {
    let text: String
    let isFromEnvironment: Bool
}
