import HTTP
import Payments
import RadialAPI
import Values

/// The settings under `radial` in a merchant's file, without the contents of the files and variables that it names.
struct RadialSettings {
    /// The webhook to which settlements are reported.
    struct Webhook {
        let address: HTTPURL
        let user: String?
        /// The source of the password; nil if and only if there is no user.
        let password: MerchantSettings.PasswordSource?
        let entry: YAMLMapping
        let retryHours: Int
    }

    /// The store id in request paths.
    let storeID: MerchantID
    /// The API keys, the newest last.
    let apiKeys: [(source: MerchantSettings.PasswordSource, entry: YAMLMapping)]
    let webhook: Webhook?

    private static let retryHoursDefault = 24

    /// Reads the settings under `radial`; nil if the file has none.
    init?(_ file: YAMLMapping, relativeTo folder: String) throws {
        guard let radial = try file.nested("radial", keys: ["storeID", "apiKeys", "webhook"]) else { return nil }
        let text = try radial.requiredString("storeID")
        guard let storeID = try? MerchantID(text) else {
            throw radial.failure("storeID", "expected 1 to 40 characters of 0-9 A-Z a-z _ -")
        }
        self.storeID = storeID
        apiKeys = try radial.mappings("apiKeys", keys: ["digest", "file", "environment"]).map {
            (try MerchantSettings.PasswordSource($0, relativeTo: folder), $0)
        }
        guard (1...Merchant.passwordsMax).contains(apiKeys.count) else {
            throw radial.failure("apiKeys", "expected one, or two while one replaces the other")
        }
        webhook = try Self.webhook(radial, relativeTo: folder)
    }

    private static func webhook(_ radial: YAMLMapping, relativeTo folder: String) throws -> Webhook? {
        let keys = ["url", "user", "passwordFile", "passwordEnvironment", "retryHours"]
        guard let entry = try radial.nested("webhook", keys: keys) else { return nil }
        guard let address = HTTPURL(try entry.requiredString("url")) else {
            throw entry.failure("url", "expected an http or https URL without a user and a fragment")
        }
        let user = try entry.string("user")
        guard user?.contains(":") != true else { throw entry.failure("user", "a user's name has no colon") }
        let password: MerchantSettings.PasswordSource? =
            switch (try entry.string("passwordFile"), try entry.string("passwordEnvironment")) {
            case (.some(let path), nil): .file(MerchantSettings.absolute(path, relativeTo: folder))
            case (nil, .some(let variable)): .environment(variable)
            case (nil, nil): nil
            case (_?, _?): throw entry.failure("passwordFile", "name one of passwordFile and passwordEnvironment")
            }
        guard (user == nil) == (password == nil) else {
            throw entry.failure(
                "user", "a user requires a passwordFile or a passwordEnvironment, and these require a user")
        }
        return Webhook(
            address: address, user: user, password: password, entry: entry,
            retryHours: try entry.integer("retryHours", in: 1...720) ?? retryHoursDefault)
    }

    /// The sources of the API keys and of the webhook's password.
    var passwordSources: [MerchantSettings.PasswordSource] {
        apiKeys.map(\.source) + [webhook?.password].compactMap(\.self)
    }

    /// The files that the settings name. A change of one of them is a change of the merchant.
    var namedFiles: [String] {
        passwordSources.compactMap { source in
            guard case .file(let path) = source else { return nil }
            return path
        }
    }

    /// The store, with its API keys and its webhook's password read.
    func store() throws -> RadialStore {
        RadialStore(
            id: storeID, apiKeys: try apiKeys.map { try MerchantFile.password($0.source, $0.entry) },
            webhook: try webhook.map { webhook in
                RadialWebhook(
                    address: webhook.address,
                    credentials: try webhook.user.map { user in
                        RadialWebhook.Credentials(user: user, password: try webhook.readPassword())
                    },
                    retryMilliseconds: Int64(webhook.retryHours) * 3_600_000)
            })
    }
}

extension RadialSettings.Webhook {
    fileprivate func readPassword() throws -> SecretText {
        guard let password else { preconditionFailure("a user has a password") }
        return try MerchantFile.text(of: password, entry)
    }
}
