import ApplePay
import Glibc
import OpenSSL
import Payments

/// A merchant's configuration, `merchants/<merchant id>.yaml`.
struct MerchantFile {
    /// The merchant as the file has it; without passwords of its own it can be the sandbox merchant only.
    let merchant: Merchant
    /// Until when the certificates of its keys are valid, those that were named.
    let certificates: [CertificateExpiry]

    /// Reads a merchant's file; the paths in it are relative to it.
    ///
    /// - Parameter readingPasswords: whether its passwords are wanted; whoever mints tokens need not know them.
    init(
        _ path: String, readingPasswords: Bool = true, appleRoot: () throws -> TrustPolicy.Anchor,
        localRoot: () throws -> Certificate
    ) throws {
        let file = try YAMLMapping(file: path, keys: ["passwords", "currencies", "applePay"])
        let name = path.split(separator: "/").last.map { String($0.dropLast(".yaml".count)) } ?? ""
        guard let id = try? MerchantID(name) else {
            throw Failure("\(path): the file's name is the merchant id, 1 to 40 of 0-9 A-Z a-z _ -")
        }
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")

        let passwords = try file.mappings("passwords", keys: ["digest", "file", "environment"])
            .compactMap { readingPasswords ? try Self.password($0, relativeTo: folder) : nil }
        let currencies = try file.strings("currencies")?.enumerated().map { index, code in
            guard let currency = Currency(code: code) else {
                throw file.failure("currencies[\(index)]", "\(code) is not a code of ISO 4217")
            }
            return currency
        }
        guard currencies?.isEmpty != true else {
            throw file.failure("currencies", "name at least one, or leave it out")
        }
        let applePay = try file.nested(
            "applePay", keys: ["merchantIdentifier", "keys", "trust", "acceptAppleSandbox", "windowSeconds"])
        let identifier = try applePay?.string("merchantIdentifier")
        if identifier?.isEmpty == true { throw file.failure("applePay.merchantIdentifier", "empty") }
        let entries = try applePay?.mappings("keys", keys: MerchantKey.settings) ?? []
        let keys = try entries.map {
            try MerchantKey($0, relativeTo: folder, merchantIdentifier: identifier)
        }
        merchant = Merchant(
            id: id, passwords: passwords,
            applePay: try applePay.map {
                try Self.opener($0, keys: keys.map(\.key), appleRoot: appleRoot, localRoot: localRoot)
            },
            currencies: currencies.map(Set.init))
        guard applePay == nil || !keys.isEmpty else { throw file.failure("applePay.keys", "name at least one") }
        certificates = keys.compactMap { entry in
            guard let path = entry.certificatePath, let notAfter = entry.key.certificateNotAfter else { return nil }
            return CertificateExpiry(
                merchant: id, path: path, publicKeyHash: entry.key.publicKeyHash, notAfter: notAfter)
        }
    }

    /// One of the three ways to give a password, none of which keeps it in the configuration.
    private static func password(_ entry: YAMLMapping, relativeTo folder: String) throws -> APIPassword {
        switch (try entry.string("digest"), try entry.string("file"), try entry.string("environment")) {
        case (.some(let digest), nil, nil):
            guard let password = APIPassword(kept: digest) else {
                throw entry.failure("digest", "not of the form that `tollgate merchant password` prints")
            }
            return password
        case (nil, .some(let path), nil):
            let content = String(
                decoding: try File.read(absolute(path, relativeTo: folder), byteCountMax: 4096), as: UTF8.self)
            return try password(content.filter { !$0.isNewline }, entry, "file")
        case (nil, nil, .some(let variable)):
            guard let value = getenv(variable) else { throw entry.failure("environment", "\(variable) is not set") }
            return try password(String(cString: value), entry, "environment")
        default:
            throw entry.failure("digest", "name one of digest, file and environment")
        }
    }

    private static func password(_ text: String, _ entry: YAMLMapping, _ key: String) throws -> APIPassword {
        guard !text.isEmpty else { throw entry.failure(key, "holds no password") }
        return APIPassword(remembering: SecretText(text))
    }

    private static func opener(
        _ applePay: YAMLMapping, keys: [PaymentProcessingKey], appleRoot: () throws -> TrustPolicy.Anchor,
        localRoot: () throws -> Certificate
    ) throws -> TokenOpener {
        let trust = try applePay.strings("trust") ?? ["apple"]
        let anchors = try trust.enumerated().map { index, name in
            switch name {
            case "apple": return try appleRoot()
            case "local": return TrustPolicy.Anchor.local(try localRoot())
            default: throw applePay.failure("trust[\(index)]", "apple or local is wanted, not \(name)")
            }
        }
        guard !anchors.isEmpty else { throw applePay.failure("trust", "name apple, local, or both") }
        let window = try applePay.integer("windowSeconds", in: 0...86_400)
        return TokenOpener(
            keys: keys,
            trust: try TrustPolicy(
                anchors: anchors, acceptsAppleSandbox: try applePay.bool("acceptAppleSandbox") ?? false),
            windowSeconds: window.map(Int64.init) ?? TokenOpener.defaultWindowSeconds)
    }

    /// A path as it is meant in a file of `folder`.
    static func absolute(_ path: String, relativeTo folder: String) -> String {
        path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)"
    }
}
