import Payments
import Values

/// What a merchant's file says under `radial`, without any of the files and variables that it names.
struct RadialSettings {
    /// The webhook that settlements are told of.
    struct Webhook {
        let address: WebhookAddress
        let user: String?
        /// Where the password comes from, which goes with a user.
        let password: MerchantSettings.PasswordSource?
        let entry: YAMLMapping
        let retryHours: Int
    }

    /// The store id of the paths.
    let storeID: MerchantID
    /// The newest last.
    let apiKeys: [(source: MerchantSettings.PasswordSource, entry: YAMLMapping)]
    let webhook: Webhook?

    private static let retryHoursDefault = 24

    /// Reads what stands under `radial`; nothing if there is nothing.
    init?(_ file: YAMLMapping, relativeTo folder: String) throws {
        guard let radial = try file.nested("radial", keys: ["storeID", "apiKeys", "webhook"]) else { return nil }
        let text = try radial.requiredString("storeID")
        guard let storeID = try? MerchantID(text) else {
            throw radial.failure("storeID", "1 to 40 of 0-9 A-Z a-z _ - are wanted")
        }
        self.storeID = storeID
        apiKeys = try radial.mappings("apiKeys", keys: ["digest", "file", "environment"]).map {
            (try MerchantSettings.PasswordSource($0, relativeTo: folder), $0)
        }
        guard (1...Merchant.passwordsMax).contains(apiKeys.count) else {
            throw radial.failure("apiKeys", "one is wanted, or two while one replaces the other")
        }
        webhook = try Self.webhook(radial, relativeTo: folder)
    }

    private static func webhook(_ radial: YAMLMapping, relativeTo folder: String) throws -> Webhook? {
        let keys = ["url", "user", "passwordFile", "passwordEnvironment", "retryHours"]
        guard let entry = try radial.nested("webhook", keys: keys) else { return nil }
        guard let address = WebhookAddress(try entry.requiredString("url")) else {
            throw entry.failure("url", "an http or https URL is wanted, without a user and a fragment")
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
            throw entry.failure("user", "a user wants a passwordFile or a passwordEnvironment, and they a user")
        }
        return Webhook(
            address: address, user: user, password: password, entry: entry,
            retryHours: try entry.integer("retryHours", in: 1...720) ?? retryHoursDefault)
    }

    /// Where the API keys and the webhook's password come from.
    var passwordSources: [MerchantSettings.PasswordSource] {
        apiKeys.map(\.source) + [webhook?.password].compactMap(\.self)
    }

    /// The files that are named, whose changes are the merchant's.
    var namedFiles: [String] {
        passwordSources.compactMap { source in
            guard case .file(let path) = source else { return nil }
            return path
        }
    }

    /// The store, with the keys and the password that are named.
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
