import ApplePaySandbox
import HTTP
import Payments
internal import Values

/// The merchants that a gateway serves, including the sandbox merchant.
struct Installation {
    let merchants: [Merchant]
    /// The sandbox merchant's password, if there is a sandbox merchant.
    let sandboxPassword: SandboxPassword?
    /// The expiry of the configured merchants' certificates.
    let certificates: [CertificateExpiry]
    /// The settings in the merchants' files.
    let settings: [MerchantSettings]

    /// Collects the configured merchants, and the sandbox merchant if the settings enable it.
    init(_ configuration: ConfigurationDirectory, _ settings: ServeSettings, _ directory: DataDirectory) throws {
        let merchants = try configuration.merchantSettings()
        try self.init(
            merchants, configuration, directory, hasSandbox: settings.sandbox ?? merchants.isEmpty,
            sandboxWebhook: settings.radialWebhook)
        guard !self.merchants.isEmpty else {
            throw Failure("no merchant is configured and the sandbox is off: nobody could use this gateway")
        }
    }

    /// Collects the merchants with these settings, which may be empty. Adds the sandbox merchant if `hasSandbox` is true
    /// and no configured merchant has its name.
    init(
        _ settings: [MerchantSettings], _ configuration: ConfigurationDirectory, _ directory: DataDirectory,
        hasSandbox: Bool, sandboxWebhook: HTTPURL?
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

    /// The merchants' names in one line, with a note on disabled ones.
    var names: String {
        merchants.map { $0.id.text + ($0.isEnabled ? "" : " (disabled)") }.joined(separator: ", ")
    }
}
