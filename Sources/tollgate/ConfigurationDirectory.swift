import ApplePay
import ApplePaySandbox
import Glibc
import Payments

/// The folder that configures a gateway: `tollgate.yaml`, `simulator.yaml`, `merchants/` and `trust/`.
///
/// A file that the named folder lacks is taken from the one that Tollgate ships, so that a folder with one merchant in it
/// is a configuration.
struct ConfigurationDirectory {
    /// The folder that was named, if one was.
    let named: String?
    /// The folder that Tollgate ships, if it was found.
    let shipped: String?

    /// The environment variable that names the folder.
    static let variable = "TOLLGATE_CONFIG"
    private static let landmark = "trust/AppleRootCA-G3.pem"

    /// Takes the named folder, or the environment's, beside the shipped one.
    init(_ path: String?) throws {
        let variable = getenv(Self.variable).map { String(cString: $0) } ?? ""
        named = path ?? (variable.isEmpty ? nil : variable)
        if let named {
            var status = stat()
            guard stat(named, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                throw Failure("\(named): no such configuration folder")
            }
        }
        shipped = Self.shippedCandidates().first { File.exists("\($0)/\(Self.landmark)") }
    }

    /// Where the shipped folder may lie: here, above the program (as in a checkout), or where packages put it.
    private static func shippedCandidates() -> [String] {
        var candidates = ["Config"]
        var folder = (ProgramPath.current ?? "")[...]
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            candidates.append("\(folder)/Config")
        }
        return candidates + ["/etc/tollgate"]
    }

    /// The path of a file that must be somewhere.
    func file(_ name: String) throws -> String {
        for case .some(let folder) in [named, shipped] where File.exists("\(folder)/\(name)") {
            return "\(folder)/\(name)"
        }
        throw Failure(
            "no \(name) in \(named ?? "any configuration folder"), and no Config folder that Tollgate ships beside the "
                + "program; copy it from there, or name a folder that has it with --config")
    }

    /// Apple Root CA - G3, recognised by its fingerprint.
    func appleRoot() throws -> TrustPolicy.Anchor {
        let path = try file(Self.landmark)
        guard let anchor = TrustPolicy.Anchor.apple(try KeyFiles.certificate(path)) else {
            throw Failure("\(path): not Apple Root CA - G3; its SHA-256 fingerprint must be 63343abf…3653e9179")
        }
        return anchor
    }

    /// The table of the simulated acquirer.
    func acquirer() throws -> SimulatedAcquirer { try SimulatorFile(try file("simulator.yaml")).acquirer }

    /// The description of the interface, `openapi.yaml`: in one of the folders, or beside the shipped one as in a checkout.
    var openAPIPath: String? {
        [named, shipped, shipped.map { "\($0)/.." }].compactMap(\.self).map { "\($0)/openapi.yaml" }
            .first(where: File.exists)
    }

    /// The path of `tollgate.yaml`, if there is one.
    var settingsPath: String? { try? file("tollgate.yaml") }

    /// The folder of the merchants' files, if there is a configuration folder; the shipped one's counts only if no other
    /// was named.
    var merchantsFolder: String? { (named ?? shipped).map { "\($0)/merchants" } }

    /// What the merchants' files say, in the order of their names.
    func merchantSettings() throws -> [MerchantSettings] { try merchantPaths().map { try MerchantSettings($0) } }

    /// The merchants that are configured.
    func merchants(readingPasswords: Bool = true, sandbox: () throws -> SandboxFiles) throws -> [MerchantFile] {
        try merchants(merchantSettings(), readingPasswords: readingPasswords, sandbox: sandbox)
    }

    /// The merchants of these settings.
    func merchants(
        _ settings: [MerchantSettings], readingPasswords: Bool = true, sandbox: () throws -> SandboxFiles
    ) throws -> [MerchantFile] {
        try settings.map {
            try MerchantFile(
                $0, readingPasswords: readingPasswords, appleRoot: appleRoot,
                localRoot: { try sandbox().authority.root })
        }
    }

    /// The paths of the merchants' files, sorted.
    func merchantPaths() throws -> [String] {
        guard let folder = merchantsFolder else { return [] }
        guard let directory = opendir(folder) else {
            // Merchants that can't be read must not make a sandbox of a gateway.
            guard errno == ENOENT else { throw Failure("\(folder): \(File.systemError())") }
            return []
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            // Editors leave such names beside a file that is open in them.
            guard !name.hasPrefix(".") else { continue }
            guard !name.hasSuffix(".yml") else {
                throw Failure("\(folder)/\(name): a merchant's file ends in .yaml; rename it")
            }
            if name.hasSuffix(".yaml") { names.append(name) }
        }
        return names.sorted().map { "\(folder)/\($0)" }
    }
}
