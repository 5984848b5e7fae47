import ApplePaySandbox
import Payments

/// The merchants that a gateway serves, and the sandbox among them.
struct Installation {
    let merchants: [Merchant]
    /// The sandbox merchant's password, if there is a sandbox merchant.
    let sandboxPassword: SandboxPassword?
    /// Until when the configured merchants' certificates are valid.
    let certificates: [CertificateExpiry]
    /// What the merchants' files say.
    let settings: [MerchantSettings]

    /// Gathers the configured merchants, and the sandbox merchant if there is to be one.
    init(_ configuration: ConfigurationDirectory, _ settings: ServeSettings, _ directory: DataDirectory) throws {
        let merchants = try configuration.merchantSettings()
        try self.init(
            merchants, configuration, directory, hasSandbox: settings.sandbox ?? merchants.isEmpty,
            sandboxWebhook: settings.radialWebhook)
        guard !self.merchants.isEmpty else {
            throw Failure("no merchant is configured and the sandbox is off: nobody could use this gateway")
        }
    }

    /// Gathers the merchants of these settings, who may be none, and the sandbox merchant if there is to be one and none of
    /// its name is configured.
    init(
        _ settings: [MerchantSettings], _ configuration: ConfigurationDirectory, _ directory: DataDirectory,
        hasSandbox: Bool, sandboxWebhook: WebhookAddress?
    ) throws {
        let files = try configuration.merchants(settings, sandbox: { try directory.sandbox() })
        for merchant in settings
        where merchant.isEnabled && merchant.passwords.isEmpty && merchant.certificateFingerprints.isEmpty {
            throw Failure("merchants/\(merchant.id).yaml: passwords: name at least one, or certificates")
        }
        var storeIDs: Set<String> = []
        for merchant in settings {
            guard let storeID = merchant.radial?.storeID.text else { continue }
            guard storeIDs.insert(storeID).inserted else {
                throw Failure("merchants/\(merchant.id).yaml: radial.storeID: another merchant has \(storeID) already")
            }
        }
        certificates = files.flatMap(\.certificates)
        self.settings = settings
        guard hasSandbox, !files.contains(where: { $0.merchant.id.text == SandboxFiles.merchantName }) else {
            merchants = files.map(\.merchant)
            sandboxPassword = nil
            return
        }
        let sandbox = try directory.sandbox()
        merchants = files.map(\.merchant) + [try sandbox.merchant(webhook: sandboxWebhook)]
        sandboxPassword = try sandbox.password()
    }

    /// The merchants' names in one line, with a note on those who are not let in.
    var names: String {
        merchants.map { $0.id.text + ($0.isEnabled ? "" : " (disabled)") }.joined(separator: ", ")
    }
}
