import ApplePaySandbox
import Payments

/// The merchants that a gateway serves, and the sandbox among them.
struct Installation {
    let merchants: [Merchant]
    /// The sandbox merchant's password, if there is a sandbox merchant.
    let sandboxPassword: SandboxPassword?
    /// Until when the configured merchants' certificates are valid.
    let certificates: [CertificateExpiry]

    /// Gathers the configured merchants, and the sandbox merchant if there is to be one.
    init(_ configuration: ConfigurationDirectory, _ settings: ServeSettings, _ directory: DataDirectory) throws {
        let files = try configuration.merchants(sandbox: directory.sandbox)
        for file in files where file.merchant.passwords.isEmpty {
            throw Failure("merchants/\(file.merchant.id).yaml: passwords: name at least one")
        }
        certificates = files.flatMap(\.certificates)
        var merchants = files.map(\.merchant)
        guard settings.sandbox ?? files.isEmpty,
            !merchants.contains(where: { $0.id.text == SandboxFiles.merchantName })
        else {
            guard !merchants.isEmpty else {
                throw Failure("no merchant is configured and the sandbox is off: nobody could use this gateway")
            }
            self.merchants = merchants
            sandboxPassword = nil
            return
        }
        let sandbox = try directory.sandbox()
        merchants.append(try sandbox.merchant())
        self.merchants = merchants
        sandboxPassword = try sandbox.password()
    }
}
