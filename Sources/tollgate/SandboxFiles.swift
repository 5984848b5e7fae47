import ApplePay
import ApplePaySandbox
import Glibc
import OpenSSL
import Payments

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
    /// The sandbox merchant's key.
    let key: PaymentProcessingKey
    /// Where the password lies that was made up on first start.
    let passwordPath: String

    private enum Name {
        static let root = "root"
        static let intermediate = "intermediate"
        static let leaf = "leaf"
        static let merchant = "merchant"
        static let password = "password"
    }

    /// Makes a sandbox in an empty folder; all files are their owner's alone.
    static func make(in folder: String) throws {
        let authority = try LocalAuthority.make()
        try write(folder, Name.root, authority.root, authority.rootKey)
        try write(folder, Name.intermediate, authority.intermediate, authority.intermediateKey)
        try write(folder, Name.leaf, authority.leaf, authority.leafKey)
        let key = try PrivateKey.generate(.p256)
        let certificate = try authority.paymentProcessingCertificate(
            for: key.publicKey, merchantIdentifier: merchantIdentifier)
        try write(folder, Name.merchant, certificate, key)
        // 128 random bits in hexadecimal, as Mastercard's API passwords are.
        try File.writePrivate("\(folder)/\(Name.password)", Hexadecimal.encoded(RandomBytes.generate(16)) + "\n")
    }

    private static func write(_ folder: String, _ name: String, _ certificate: Certificate, _ key: PrivateKey) throws {
        try SecretBytes(try certificate.pem()).withUnsafeBytes {
            try File.writePrivate("\(folder)/\(name).pem", $0)
        }
        try key.pem().withUnsafeBytes { try File.writePrivate("\(folder)/\(name).key.pem", $0) }
    }

    /// Reads the sandbox of a folder.
    init(_ folder: String) throws {
        func certificate(_ name: String) throws -> Certificate { try KeyFiles.certificate("\(folder)/\(name).pem") }
        // The folder belongs to its owner alone; what a volume's driver makes of the modes in it is no merchant's fault.
        func key(_ name: String) throws -> PrivateKey {
            try KeyFiles.privateKey("\(folder)/\(name).key.pem", users: .anyone)
        }
        authority = LocalAuthority(
            root: try certificate(Name.root), rootKey: try key(Name.root),
            intermediate: try certificate(Name.intermediate), intermediateKey: try key(Name.intermediate),
            leaf: try certificate(Name.leaf), leafKey: try key(Name.leaf))
        self.key = try KeyFiles.key(
            privateKey: "\(folder)/\(Name.merchant).key.pem", certificate: "\(folder)/\(Name.merchant).pem",
            merchantIdentifier: Self.merchantIdentifier, users: .anyone)
        passwordPath = "\(folder)/\(Name.password)"
    }

    /// The sandbox merchant's password: the environment's, or the one that was made up on first start.
    func password() throws -> SandboxPassword {
        if let given = getenv(Self.passwordVariable).map({ String(cString: $0) }), !given.isEmpty {
            return SandboxPassword(text: given, isFromEnvironment: true)
        }
        let text = String(decoding: try File.read(passwordPath, byteCountMax: 1024), as: UTF8.self)
        let password = text.filter { !$0.isNewline }
        guard !password.isEmpty else { throw Failure("\(passwordPath): empty; remove it or write a password into it") }
        return SandboxPassword(text: password, isFromEnvironment: false)
    }

    /// The sandbox merchant, who accepts tokens of the local authority alone.
    func merchant() throws -> Merchant {
        guard let id = try? MerchantID(Self.merchantName) else { preconditionFailure("a lawful identifier of our own") }
        return Merchant(
            id: id, passwords: [APIPassword(digesting: SecretText(try password().text))],
            applePay: TokenOpener(
                keys: [key], trust: try TrustPolicy(anchors: [.local(authority.root)], acceptsAppleSandbox: false)))
    }
}

/// The one password that may be shown, for it is a sandbox's.
struct SandboxPassword {
    let text: String
    let isFromEnvironment: Bool
}
