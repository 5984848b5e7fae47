import ControlAPI
import Dispatch
import HTTP
import Payments
import Synchronization
import Vault

/// Reloads the merchants' files, the files that these name, `simulator.yaml` and the installation's keys while the
/// gateway runs.
///
/// A dedicated queue checks the files twice a second. A change counts once two successive checks agree, so that no file
/// is read while it is being written. Then all files are read again, and replace the old configuration together. If any
/// of them is invalid, the old configuration stays in force, and the operator gets one error line. Requests in flight
/// keep the merchant that they started with.
///
/// Whether there is a sandbox merchant is decided only when the gateway starts.
final class ConfigurationReload: Sendable {
    /// The interval between two checks of the files.
    private static let lookMilliseconds = 500

    private struct State {
        var watched: WatchedFiles
        /// The files that the merchants' files name.
        var namedFiles: [String]
        /// Whether there were merchants' files at the last reload.
        var hadMerchants: Bool
    }

    private let configuration: ConfigurationDirectory
    private let directory: DataDirectory
    private let hasSandbox: Bool
    private let sandboxWebhook: HTTPURL?
    private let merchants: MerchantDirectory
    private let acquirer: CurrentAcquirer
    private let clock: SettableClock
    private let keys: KeyRing
    private let queue = DispatchQueue(label: "tollgate.configuration", qos: .utility)
    private let state: Mutex<State>

    /// Reloads what was read into `installation`, `merchants`, `acquirer` and `keys`.
    init(
        _ configuration: ConfigurationDirectory, _ directory: DataDirectory, _ installation: Installation,
        merchants: MerchantDirectory, acquirer: CurrentAcquirer, clock: SettableClock,
        keys: KeyRing, sandboxWebhook: HTTPURL?
    ) {
        self.configuration = configuration
        self.directory = directory
        hasSandbox = installation.sandboxPassword != nil
        self.sandboxWebhook = sandboxWebhook
        self.merchants = merchants
        self.acquirer = acquirer
        self.clock = clock
        self.keys = keys
        let namedFiles = installation.settings.flatMap(\.namedFiles)
        let metadata = Self.metadata(configuration, directory, namedFiles)
        state = Mutex(
            State(
                watched: WatchedFiles(metadata), namedFiles: namedFiles, hadMerchants: !installation.settings.isEmpty))
    }

    /// Whether any merchant is configured by a file, with or without a sandbox merchant.
    var hasOwnMerchants: Bool { state.withLock(\.hadMerchants) }

    /// Starts the checks of the files, which go on until the program ends.
    func start() {
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.lookMilliseconds)) {
            self.look()
            self.start()
        }
    }

    /// Reads all files again, changed or not.
    ///
    /// - Parameter didEnd: called when the reload has ended, successfully or not.
    func reloadNow(_ didEnd: @escaping @Sendable () -> Void) {
        queue.async {
            self.reload()
            didEnd()
        }
    }

    private func look() {
        let isChanged = state.withLock { state in
            state.watched.haveSettled(as: Self.metadata(configuration, directory, state.namedFiles))
        }
        if isChanged { reload() }
    }

    /// Runs on the queue, so that reloads never overlap.
    private func reload() {
        var namedFiles = state.withLock(\.namedFiles)
        // Taken before reading, so that a change during the reload is detected later.
        var metadata = Self.metadata(configuration, directory, namedFiles)
        do {
            let settings = try configuration.merchantSettings()
            namedFiles = settings.flatMap(\.namedFiles)
            metadata = Self.metadata(configuration, directory, namedFiles)
            // An unmounted volume must not lock out every merchant.
            guard !settings.isEmpty || !state.withLock(\.hadMerchants) || hasMerchantsFolder else {
                throw Failure("\(configuration.merchantsFolders.joined(separator: ", ")): the folder is gone")
            }
            let installation = try Installation(
                settings, configuration, directory, hasSandbox: hasSandbox, sandboxWebhook: sandboxWebhook)
            let acquirer = try configuration.acquirer()
            try reloadKeys()
            state.withLock { $0.hadMerchants = $0.hadMerchants || !settings.isEmpty }
            merchants.replace(installation.merchants)
            self.acquirer.replace(with: acquirer)
            state.withLock { $0.hadMerchants = !settings.isEmpty }
            StandardOutput.offerLine("merchants   \(installation.names) (reloaded)")
            for certificate in installation.certificates {
                if let warning = certificate.warning(at: clock.now()) { StandardError.offerLine(warning) }
            }
        } catch {
            StandardError.offerLine("configuration: not reloaded, everything stays as it was: \(error)")
        }
        state.withLock { state in
            state.watched.judge(metadata)
            state.namedFiles = namedFiles
        }
    }

    private func reloadKeys() throws {
        let ring = try directory.existingKeys()
        guard !ring.isSame(as: keys) else { return }
        guard keys.adopt(ring) else {
            throw Failure(
                "\(directory.keysPath): it lacks a key that this gateway has, or begins with another; bring back the one that "
                    + "all gateways on one database share")
        }
        StandardOutput.offerLine("keys        \(keys.summary) (reloaded)")
    }

    private var hasMerchantsFolder: Bool { configuration.merchantsFolders.contains(where: File.exists) }

    private static func metadata(
        _ configuration: ConfigurationDirectory, _ directory: DataDirectory, _ namedFiles: [String]
    ) -> FileMetadata {
        let simulator = [configuration.folder].compactMap { $0.map { "\($0)/simulator.yaml" } }
        let merchants = (try? configuration.merchantPaths()) ?? []
        return FileMetadata(
            simulator + configuration.merchantsFolders + merchants + namedFiles + [directory.keysPath])
    }
}
