import ApplePay

/// One entry of a merchant's `applePay.keys`: a key, and the path of its certificate.
struct MerchantKey {
    let key: PaymentProcessingKey
    /// The file that holds the certificate, if one was named.
    let certificatePath: String?

    /// The settings that name a file.
    static let fileSettings = ["privateKey", "certificate", "pkcs12", "passwordFile"]
    static let settings = fileSettings + ["passwordEnvironment"]

    /// Reads an entry's files; the paths in it are relative to `folder`.
    init(_ entry: YAMLMapping, relativeTo folder: String, merchantIdentifier: String?) throws {
        func path(_ setting: String) throws -> String? {
            try entry.string(setting).map { MerchantSettings.absolute($0, relativeTo: folder) }
        }
        let password = try Self.password(entry, file: try path("passwordFile"))
        let certificate = try path("certificate")
        switch (try path("privateKey"), try path("pkcs12")) {
        case (.some(let privateKey), nil):
            guard certificate != nil || merchantIdentifier != nil else {
                throw entry.failure(
                    "certificate", "name it, or applePay.merchantIdentifier: a token's key depends on it")
            }
            key = try KeyFiles.key(
                privateKey: privateKey, certificate: certificate, merchantIdentifier: merchantIdentifier,
                password: password)
            certificatePath = certificate
        case (nil, .some(let pkcs12)):
            guard certificate == nil else {
                throw entry.failure("certificate", "leave it out: the one in pkcs12 counts")
            }
            guard let password else {
                throw entry.failure("pkcs12", "name its password: passwordFile or passwordEnvironment")
            }
            key = try KeyFiles.key(pkcs12: pkcs12, merchantIdentifier: merchantIdentifier, password: password)
            certificatePath = pkcs12
        default: throw entry.failure("privateKey", "name one of privateKey and pkcs12")
        }
    }

    private static func password(_ entry: YAMLMapping, file: String?) throws -> KeyPassword? {
        switch (file, try entry.string("passwordEnvironment")) {
        case (nil, nil): return nil
        case (.some(let file), nil): return try KeyPassword(file: file)
        case (nil, .some(let variable)):
            guard let password = KeyPassword(environment: variable) else {
                throw entry.failure("passwordEnvironment", "the variable \(variable) holds no password")
            }
            return password
        default: throw entry.failure("passwordFile", "name one of passwordFile and passwordEnvironment")
        }
    }
}
