import ApplePay
import ApplePaySandbox
import Glibc
import Payments

/// The folder that configures a gateway: `tollgate.yaml`, `simulator.yaml`, `merchants/` and `trust/`.
///
/// A file missing from the named folder is taken from the one that Tollgate ships. So a folder with one merchant in it
/// is a complete configuration.
struct ConfigurationDirectory {
    /// The folder named by the caller or by the environment, if any.
    let named: String?
    /// The folder that Tollgate ships, if found.
    let shipped: String?

    /// The environment variable that names the folder.
    static let variable = "TOLLGATE_CONFIG"
    private static let landmark = "trust/AppleRootCA-G3.pem"

    /// Uses `path`, or else the folder that the environment names, together with the shipped folder.
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

    /// Candidate paths of the shipped folder: in the working directory, above the program (a checkout), or
    /// `/etc/tollgate` (a package).
    private static func shippedCandidates() -> [String] {
        var candidates = ["Config"]
        var folder = (ProgramPath.current ?? "")[...]
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            candidates.append("\(folder)/Config")
        }
        return candidates + ["/etc/tollgate"]
    }

    /// The path of a required file: in the named folder, or else in the shipped one.
    func file(_ name: String) throws -> String {
        for case .some(let folder) in [named, shipped] where File.exists("\(folder)/\(name)") {
            return "\(folder)/\(name)"
        }
        throw Failure(
            "no \(name) in \(named ?? "any configuration folder"), and no Config folder that Tollgate ships beside the "
                + "program; copy it from there, or name a folder that has it with --config")
    }

    /// Apple Root CA - G3, verified by its fingerprint.
    func appleRoot() throws -> TrustPolicy.Anchor {
        let path = try file(Self.landmark)
        guard let anchor = TrustPolicy.Anchor.apple(try KeyFiles.certificate(path)) else {
            throw Failure("\(path): not Apple Root CA - G3; its SHA-256 fingerprint must be 63343abf…3653e9179")
        }
        return anchor
    }

    /// The simulated acquirer that `simulator.yaml` describes.
    func acquirer() throws -> SimulatedAcquirer { try SimulatorFile(try file("simulator.yaml")).acquirer }

    /// The path of the API description, `openapi.yaml`: in one of the folders, or beside the shipped one as in a
    /// checkout.
    var openAPIPath: String? {
        [named, shipped, shipped.map { "\($0)/.." }].compactMap(\.self).map { "\($0)/openapi.yaml" }
            .first(where: File.exists)
    }

    /// The path of `tollgate.yaml`, if there is one.
    var settingsPath: String? { try? file("tollgate.yaml") }

    /// The folder of the merchants' files, if there is a configuration folder. The shipped one is used only if no other
    /// was named.
    var merchantsFolder: String? { (named ?? shipped).map { "\($0)/merchants" } }

    /// The settings in the merchants' files, sorted by file name.
    func merchantSettings() throws -> [MerchantSettings] { try merchantPaths().map { try MerchantSettings($0) } }

    /// The configured merchants.
    func merchants(readingPasswords: Bool = true, sandbox: () throws -> SandboxFiles) throws -> [MerchantFile] {
        try merchants(merchantSettings(), readingPasswords: readingPasswords, sandbox: sandbox)
    }

    /// The merchants with these settings.
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
            // A gateway without merchants is a sandbox. An unreadable folder must not turn it into one.
            guard errno == ENOENT else { throw Failure("\(folder): \(File.systemError())") }
            return []
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            // Editors leave hidden files beside an open file.
            guard !name.hasPrefix(".") else { continue }
            guard !name.hasSuffix(".yml") else {
                throw Failure("\(folder)/\(name): a merchant's file ends in .yaml; rename it")
            }
            if name.hasSuffix(".yaml") { names.append(name) }
        }
        return names.sorted().map { "\(folder)/\($0)" }
    }
}
