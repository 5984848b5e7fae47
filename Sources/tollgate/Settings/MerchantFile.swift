import ApplePay
import Glibc
import OpenSSL
import Payments
import RadialAPI
import Values

/// A merchant, read from its file and from the files and variables that it names.
struct MerchantFile {
    /// The merchant; without passwords if `readingPasswords` was false.
    let merchant: Merchant
    /// The expiry of the certificates of the merchant's keys, for keys whose certificate is configured.
    let certificates: [CertificateExpiry]

    /// Reads the files that a merchant's file names. Relative paths are resolved against the file's folder.
    ///
    /// - Parameter readingPasswords: false for commands that need no passwords, such as `token mint`.
    init(
        _ settings: MerchantSettings, readingPasswords: Bool = true, appleRoot: () throws -> TrustPolicy.Anchor,
        localRoot: () throws -> Certificate
    ) throws {
        let applePay = settings.applePay
        let keys = try applePay.map { applePay in
            try applePay.keys.map {
                try MerchantKey($0, relativeTo: settings.folder, merchantIdentifier: applePay.merchantIdentifier)
            }
        }
        merchant = Merchant(
            id: settings.id,
            passwords: readingPasswords
                ? try settings.passwords.map { try Self.password($0.source, $0.entry) } : [],
            applePay: try applePay.map { applePay in
                let anchors = try applePay.trust.map { trust in
                    switch trust {
                    case .apple: try appleRoot()
                    case .local: TrustPolicy.Anchor.local(try localRoot())
                    }
                }
                return TokenOpener(
                    keys: keys?.map(\.key) ?? [],
                    trust: try TrustPolicy(anchors: anchors, acceptsAppleSandbox: applePay.acceptsAppleSandbox),
                    windowSeconds: applePay.windowSeconds, refusesWrapped: applePay.refusesWrapped)
            },
            tokenMatching: applePay?.matching ?? TokenMatching(), currencies: settings.currencies.map(Set.init),
            privileges: settings.privileges, isEnabled: settings.isEnabled,
            certificateFingerprints: settings.certificateFingerprints,
            sections: readingPasswords ? [try settings.radial?.store()].compactMap(\.self) : [],
            requestsPerSecondMax: settings.requestsPerSecondMax)
        certificates = (keys ?? []).compactMap { entry in
            guard let path = entry.certificatePath, let notAfter = entry.key.certificateNotAfter else { return nil }
            return CertificateExpiry(
                merchant: settings.id, path: path, publicKeyHash: entry.key.publicKeyHash, notAfter: notAfter)
        }
    }

    /// The password that an entry of the file specifies.
    static func password(
        _ source: MerchantSettings.PasswordSource, _ entry: YAMLMapping
    ) throws -> APIPassword {
        if case .kept(let password, _) = source { return password }
        return APIPassword(remembering: try text(of: source, entry))
    }

    /// The plaintext password in a file or a variable.
    static func text(of source: MerchantSettings.PasswordSource, _ entry: YAMLMapping) throws -> SecretText {
        switch source {
        case .kept: preconditionFailure("no plaintext of it is kept")
        case .file(let path):
            let content = String(decoding: try File.readRegular(path, byteCountMax: 4096), as: UTF8.self)
            return try secret(content.filter { !$0.isNewline }, entry, "file")
        case .environment(let variable):
            guard let value = getenv(variable) else { throw entry.failure("environment", "\(variable) is not set") }
            return try secret(String(cString: value), entry, "environment")
        }
    }

    private static func secret(_ text: String, _ entry: YAMLMapping, _ key: String) throws -> SecretText {
        guard !text.isEmpty else { throw entry.failure(key, "holds no password") }
        return SecretText(text)
    }
}
