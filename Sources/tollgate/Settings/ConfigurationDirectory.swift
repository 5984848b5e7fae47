import ApplePay
import ApplePaySandbox
import Glibc
import Payments

/// The configuration of a gateway: `tollgate.yaml`, `simulator.yaml`, `trust/` and merchants' files.
///
/// The files are in the folder that is named or found. A file missing there is replaced by the one embedded in the
/// program, so an empty folder is a complete configuration. There are also merchants' files in the data directory, where
/// `tollgate merchant create` writes them.
struct ConfigurationDirectory {
    /// The folder named by the caller or by the environment, or else the one that was found; nil if there is none.
    let folder: String?
    /// Whether the folder was named, not found.
    let isNamed: Bool
    /// The folder with merchants' files in the data directory; nil until the data directory is known.
    var dataMerchantsFolder: String?

    /// The environment variable that names the folder.
    static let variable = "TOLLGATE_CONFIG"
    private static let landmarks = ["tollgate.yaml", "simulator.yaml", "trust/AppleRootCA-G3.pem"]

    /// Uses `path`, or else the folder named by the environment, or else the folder that is found.
    init(_ path: String?) throws {
        if let named = path ?? Self.environment {
            guard File.isFolder(named) else { throw Failure("\(named): no such configuration folder") }
            folder = named
            isNamed = true
        } else {
            isNamed = false
            folder =
                Self.candidates().first { candidate in
                    Self.landmarks.contains { File.exists("\(candidate)/\($0)") }
                } ?? (File.isFolder(Self.packaged) ? Self.packaged : nil)
        }
    }

    private static var environment: String? {
        getenv(variable).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The folder of an installed package or a container image.
    private static let packaged = "/etc/tollgate"

    /// The folders to search: in the working directory, and above the program's folder, as in a checkout.
    private static func candidates() -> [String] {
        var candidates = ["Config"]
        var folder = (ProgramPath.current ?? "")[...]
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            candidates.append("\(folder)/Config")
        }
        return candidates
    }

    /// Returns a file from the folder, or else the embedded one.
    func file(_ name: String) throws -> ConfigurationFile {
        if let path = path(name) { return ConfigurationFile(path: path) }
        guard let file = ConfigurationFile(embedded: "Config/\(name)") else { throw Failure("\(name): not built in") }
        return file
    }

    private func path(_ name: String) -> String? {
        folder.map { "\($0)/\(name)" }.flatMap { File.exists($0) ? $0 : nil }
    }

    /// Apple Root CA - G3, verified by its fingerprint.
    func appleRoot() throws -> TrustPolicy.Anchor {
        let file = try file("trust/AppleRootCA-G3.pem")
        guard let anchor = TrustPolicy.Anchor.apple(try KeyFiles.certificate(file)) else {
            throw Failure("\(file): not Apple Root CA - G3; its SHA-256 fingerprint must be 63343abf…3653e9179")
        }
        return anchor
    }

    /// The simulated acquirer that `simulator.yaml` describes.
    func acquirer() throws -> SimulatedAcquirer { try SimulatorFile(try file("simulator.yaml")).acquirer }

    /// The API description, `openapi.yaml`, from the folder, or else the embedded one.
    var openAPI: ConfigurationFile? {
        path("openapi.yaml").map { ConfigurationFile(path: $0) } ?? ConfigurationFile(embedded: "openapi.yaml")
    }

    /// The path of `tollgate.yaml`, if there is one.
    var settingsPath: String? { path("tollgate.yaml") }

    /// The folders of the merchants' files, which may be missing.
    var merchantsFolders: [String] {
        [folder.map { "\($0)/merchants" }, dataMerchantsFolder].compactMap(\.self)
    }

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

    /// The paths of the merchants' files: those of the configuration folder, then those of the data directory, each sorted.
    func merchantPaths() throws -> [String] {
        var paths: [String: String] = [:]
        return try merchantsFolders.flatMap { folder in
            try Self.fileNames(in: folder).map { name in
                let path = "\(folder)/\(name)"
                if let other = paths.updateValue(path, forKey: name) {
                    throw Failure("\(path): the merchant has a file already, \(other); remove one")
                }
                return path
            }
        }
    }

    /// The names of the merchants' files in a folder, sorted; empty if the folder is missing.
    private static func fileNames(in folder: String) throws -> [String] {
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
            // Editors create hidden files next to an open file.
            guard !name.hasPrefix(".") else { continue }
            guard !name.hasSuffix(".yml") else {
                throw Failure("\(folder)/\(name): a merchant's file ends in .yaml; rename it")
            }
            if name.hasSuffix(".yaml") { names.append(name) }
        }
        return names.sorted()
    }
}
