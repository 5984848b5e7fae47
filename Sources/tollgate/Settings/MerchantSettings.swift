import OpenSSL
import Payments
import Values

/// The settings in a merchant's file, `merchants/<merchant id>.yaml`, without the contents of the files and variables
/// that it names.
struct MerchantSettings {
    /// The source of an API password. The configuration never holds the password itself.
    enum PasswordSource {
        /// The merchant's file holds its digest. `form` is the digest's prefix up to the first colon.
        case kept(APIPassword, form: String)
        /// A file holds it.
        case file(String)
        /// An environment variable holds it.
        case environment(String)
    }

    /// The path of the file.
    let path: String
    let id: MerchantID
    let isEnabled: Bool
    /// The API passwords, the newest last.
    let passwords: [(source: PasswordSource, entry: YAMLMapping)]
    /// The SHA-256 of each client certificate.
    let certificateFingerprints: [[UInt8]]
    /// The accepted currencies; nil accepts every currency.
    let currencies: [Currency]?
    let privileges: Set<Privilege>
    let applePay: ApplePaySettings?
    let radial: RadialSettings?
    /// The maximum number of requests per second; nil is no limit.
    let requestsPerSecondMax: Int?

    private static let keys = [
        "applePay", "certificates", "currencies", "enabled", "passwords", "privileges", "radial",
        "requestsPerSecondMax",
    ]

    /// Reads a merchant's file.
    init(_ path: String) throws {
        try OtherPermissions.remove(fromFile: path)
        let text = try File.readRegular(path, byteCountMax: YAMLMapping.byteCountMax)
        try self.init(path, text: String(decoding: text, as: UTF8.self))
    }

    /// Parses the text of a merchant's file, which need not exist yet.
    init(_ path: String, text: String) throws {
        let file = try YAMLMapping(text: text, file: path, keys: Self.keys)
        let name = path.split(separator: "/").last.map { String($0.dropLast(".yaml".count)) } ?? ""
        guard let id = try? MerchantID(name) else {
            throw Failure("\(path): the file's name is the merchant id, 1 to 40 of 0-9 A-Z a-z _ -")
        }
        self.path = path
        self.id = id
        isEnabled = try file.bool("enabled") ?? true
        let folder = Self.folder(of: path)
        passwords = try file.mappings("passwords", keys: ["digest", "file", "environment"]).map {
            (try PasswordSource($0, relativeTo: folder), $0)
        }
        guard passwords.count <= Merchant.passwordsMax else {
            throw file.failure("passwords", "two at most: one, and the one that replaces it")
        }
        certificateFingerprints = try (file.strings("certificates") ?? []).enumerated().map { index, text in
            guard let fingerprint = Hexadecimal.decoded(text.utf8.filter { $0 != UInt8(ascii: ":") }),
                fingerprint.count == SHA256.byteCount
            else {
                throw file.failure(
                    "certificates[\(index)]",
                    "not the SHA-256 of a certificate: 64 hexadecimal digits, with or without :")
            }
            return fingerprint
        }
        currencies = try file.strings("currencies")?.enumerated().map { index, code in
            guard let currency = Currency(code: code) else {
                throw file.failure("currencies[\(index)]", "\(code) is not a code of ISO 4217")
            }
            return currency
        }
        guard currencies?.isEmpty != true else {
            throw file.failure("currencies", "name at least one, or leave it out")
        }
        privileges =
            try file.strings("privileges").map { names in
                Set(
                    try names.enumerated().map { index, name in
                        guard let privilege = Privilege(rawValue: name) else {
                            let known = Privilege.allCases.map(\.rawValue).joined(separator: ", ")
                            throw file.failure("privileges[\(index)]", "\(name) is none of: \(known)")
                        }
                        return privilege
                    })
            } ?? .usual
        requestsPerSecondMax = try file.integer("requestsPerSecondMax", in: 1...1_000_000)
        applePay = try ApplePaySettings(file, relativeTo: folder)
        radial = try RadialSettings(file, relativeTo: folder)
    }

    /// The files that the merchant's file names. A change of one of them is a change of the merchant.
    var namedFiles: [String] {
        let passwordFiles = passwords.compactMap { password -> String? in
            guard case .file(let path) = password.source else { return nil }
            return path
        }
        return passwordFiles + (applePay?.namedFiles ?? []) + (radial?.namedFiles ?? [])
    }

    /// The environment variables that the merchant's file names.
    var namedVariables: [String] {
        let sources = passwords.map(\.source) + (radial?.passwordSources ?? [])
        return sources.compactMap { source in
            guard case .environment(let variable) = source else { return nil }
            return variable
        } + (applePay?.keys ?? []).compactMap { try? $0.string("passwordEnvironment") }
    }

    /// The folder of the file. Relative paths in the file are resolved against it.
    var folder: String { Self.folder(of: path) }

    private static func folder(of path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    }

    /// Resolves a relative path against `folder`.
    static func absolute(_ path: String, relativeTo folder: String) -> String {
        path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)"
    }
}

extension MerchantSettings.PasswordSource {
    init(_ entry: YAMLMapping, relativeTo folder: String) throws {
        switch (try entry.string("digest"), try entry.string("file"), try entry.string("environment")) {
        case (.some(let digest), nil, nil):
            guard let password = APIPassword(kept: digest) else {
                throw entry.failure("digest", "not of the form that `tollgate merchant password` prints")
            }
            self = .kept(password, form: String(digest.prefix { $0 != ":" }))
        case (nil, .some(let path), nil): self = .file(MerchantSettings.absolute(path, relativeTo: folder))
        case (nil, nil, .some(let variable)): self = .environment(variable)
        default: throw entry.failure("digest", "name one of digest, file and environment")
        }
    }
}
