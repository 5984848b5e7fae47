import ApplePay
import ApplePaySandbox
import Glibc
import OpenSSL
import Values

/// The folders of a gateway that serves one merchant and is not a sandbox. It is configured as in production, except that
/// tokens are signed by the local authority of its data directory.
struct BenchInstallation {
    static let merchantName = "BENCHMERCHANT"
    /// The name of the gateway's database in its data directory.
    static let databaseName = "tollgate.sqlite"
    private static let merchantIdentifier = "merchant.local.tollgate.bench"

    private(set) var dataPath: String
    let configurationPath: String
    /// The merchant's `Authorization` header value (RFC 7617).
    let authorization: String
    private let folder: String
    private let key: PaymentProcessingKey

    /// Creates the folders, with a new key and password for the merchant.
    ///
    /// - Parameters:
    ///   - folder: the folder to use, or nil for a temporary one. An existing data directory in it is kept.
    ///   - tokenSeconds: the maximum age of a token at its transaction; at most 86,400.
    init(folder existing: String? = nil, tokenSeconds: Int = 300) throws {
        folder = try existing ?? BenchFile.makeTemporaryFolder()
        dataPath = "\(folder)/data"
        configurationPath = "\(folder)/config"
        for path in [folder, dataPath, configurationPath, "\(configurationPath)/merchants"] {
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw BenchFailure(systemCall: path) }
        }
        let privateKey = try PrivateKey.generate(.p256)
        key = try PaymentProcessingKey(privateKey: privateKey, merchantIdentifier: Self.merchantIdentifier)
        let password = Hexadecimal.encoded(RandomBytes.generate(16))
        authorization = "Basic " + Base64.encoded(Array("merchant.\(Self.merchantName):\(password)".utf8))
        let merchants = "\(configurationPath)/merchants"
        try privateKey.pem().withUnsafeBytes { try BenchFile.write("\(merchants)/merchant.key.pem", $0) }
        try Array(password.utf8).withUnsafeBytes { try BenchFile.write("\(merchants)/password", $0) }
        let settings = """
            passwords:
              - file: password
            applePay:
              merchantIdentifier: \(Self.merchantIdentifier)
              trust: [local]
              windowSeconds: \(tokenSeconds)
              keys:
                - privateKey: merchant.key.pem
            """
        try Array(settings.utf8).withUnsafeBytes {
            try BenchFile.write("\(merchants)/\(Self.merchantName).yaml", $0)
        }
    }

    /// The same merchant for a further gateway next to one that has run, with another data folder, the same keys and the
    /// same local authority.
    init(beside other: BenchInstallation, number: Int) throws {
        (folder, configurationPath, authorization, key) = (
            other.folder, other.configurationPath, other.authorization, other.key
        )
        dataPath = "\(folder)/data-\(number)"
        for name in ["", "/sandbox", "/sandbox/rsa"] {
            guard mkdir(dataPath + name, 0o700) == 0 else { throw BenchFailure(systemCall: dataPath + name) }
        }
        let shared =
            ["installation.key"]
            + ["sandbox", "sandbox/rsa"].flatMap { folder in
                BenchFile.names(in: "\(other.dataPath)/\(folder)").map { "\(folder)/\($0)" }
            }
        for name in shared where name != "sandbox/rsa" {
            try BenchFile.read("\(other.dataPath)/\(name)").withUnsafeBytes {
                try BenchFile.write("\(dataPath)/\(name)", $0)
            }
        }
    }

    /// The same merchant with a data directory of its own.
    func sibling(_ name: String) -> BenchInstallation {
        var sibling = self
        sibling.dataPath = "\(folder)/\(name)"
        return sibling
    }

    /// Removes the folders.
    func remove() { BenchFile.removeFolder(folder) }

    /// Creates an HTTP/1.1 request of the merchant.
    ///
    /// - Parameters:
    ///   - path: the path after the merchant's name.
    ///   - authorization: a header value to use in place of the merchant's own.
    func request(
        _ method: String, _ path: String, _ content: [UInt8] = [], authorization other: String? = nil
    ) -> [UInt8] {
        let head = """
            \(method) /api/rest/version/100/merchant/\(Self.merchantName)\(path) HTTP/1.1\r\n\
            Host: 127.0.0.1\r\nAuthorization: \(other ?? authorization)\r\nContent-Type: application/json\r\n\
            Content-Length: \(content.count)\r\n\r\n
            """
        return Array(head.utf8) + content
    }

    /// The recipient for whom tokens are minted.
    func recipient() throws -> TokenMint.Recipient {
        try TokenMint.Recipient(publicKey: key.publicKey, merchantIdentifierHash: key.merchantIdentifierHash ?? [])
    }

    /// The authority that a gateway has created in the data directory.
    func authority() throws -> LocalAuthority {
        func certificate(_ name: String) throws -> Certificate {
            try Certificate(pem: try BenchFile.read("\(dataPath)/sandbox/\(name).pem"))
        }
        func key(_ name: String) throws -> PrivateKey {
            try BenchFile.read("\(dataPath)/sandbox/\(name).key.pem").withUnsafeBytes { try PrivateKey(pem: $0) }
        }
        func signer(_ name: String) throws -> LocalAuthority.Signer {
            LocalAuthority.Signer(certificate: try certificate(name), key: try key(name))
        }
        return LocalAuthority(
            root: try certificate("root"), rootKey: try key("root"), intermediate: try certificate("intermediate"),
            intermediateKey: try key("intermediate"), signer: try signer("leaf"), rsaSigner: try signer("rsa/leaf"))
    }
}
