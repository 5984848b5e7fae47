import ControlAPI
import Dispatch
import Payments
import Synchronization

/// Takes up changes of the merchants' files, of the files that these name, of `simulator.yaml`, and of the installation's keys,
/// while a gateway runs.
///
/// Twice a second the files are looked at, on a queue of its own. Once they have changed and then stood still from one look
/// to the next, so that a file is not read while it is being written, all of them are read anew, and take the place of
/// the old ones at once. If anything is wrong with any of them, everything stays as it was, and the operator is told once.
/// Requests under way keep the merchant that they began with.
///
/// Whether there is a sandbox merchant is settled when the gateway starts.
final class ConfigurationReload: Sendable {
    /// How often the files are looked at.
    private static let lookMilliseconds = 500

    private struct State {
        var watched: WatchedFiles
        /// The files that the merchants' files name.
        var namedFiles: [String]
        /// Whether there were merchants' files.
        var hadMerchants: Bool
    }

    private let configuration: ConfigurationDirectory
    private let directory: DataDirectory
    private let hasSandbox: Bool
    private let sandboxWebhook: WebhookAddress?
    private let merchants: MerchantDirectory
    private let acquirer: CurrentAcquirer
    private let clock: SettableClock
    private let keys: KeyRing
    private let queue = DispatchQueue(label: "tollgate.configuration", qos: .utility)
    private let state: Mutex<State>

    /// A reload of what was read into `installation`, `merchants`, `acquirer` and `keys`.
    init(
        _ configuration: ConfigurationDirectory, _ directory: DataDirectory, _ installation: Installation,
        merchants: MerchantDirectory, acquirer: CurrentAcquirer, clock: SettableClock,
        keys: KeyRing, sandboxWebhook: WebhookAddress?
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
        let stamp = Self.stamp(configuration, directory, namedFiles)
        state = Mutex(
            State(
                watched: WatchedFiles(stamp), namedFiles: namedFiles, hadMerchants: !installation.settings.isEmpty))
    }

    /// Whether there are merchants of files, beside the sandbox's or without it.
    var hasOwnMerchants: Bool { state.withLock(\.hadMerchants) }

    /// Begins to look at the files, as long as the program runs.
    func start() {
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.lookMilliseconds)) {
            self.look()
            self.start()
        }
    }

    /// Reads all files anew, changed or not.
    ///
    /// - Parameter didEnd: called when that is done, whatever came of it.
    func reloadNow(_ didEnd: @escaping @Sendable () -> Void) {
        queue.async {
            self.reload()
            didEnd()
        }
    }

    private func look() {
        let isChanged = state.withLock { state in
            state.watched.haveSettled(as: Self.stamp(configuration, directory, state.namedFiles))
        }
        if isChanged { reload() }
    }

    /// On the queue, so that there is one at a time.
    private func reload() {
        var namedFiles = state.withLock(\.namedFiles)
        // Taken before anything is read: what changes from here on is seen as a change.
        var stamp = Self.stamp(configuration, directory, namedFiles)
        do {
            let settings = try configuration.merchantSettings()
            namedFiles = settings.flatMap(\.namedFiles)
            stamp = Self.stamp(configuration, directory, namedFiles)
            // A volume that went away is no decision to let nobody in.
            guard !settings.isEmpty || !state.withLock(\.hadMerchants) || hasMerchantsFolder else {
                throw Failure("\(configuration.merchantsFolder ?? "merchants"): the folder is gone")
            }
            let installation = try Installation(
                settings, configuration, directory, hasSandbox: hasSandbox, sandboxWebhook: sandboxWebhook)
            let acquirer = try configuration.acquirer()
            try takeUpKeys()
            state.withLock { $0.hadMerchants = $0.hadMerchants || !settings.isEmpty }
            merchants.replace(installation.merchants)
            self.acquirer.replace(with: acquirer)
            state.withLock { $0.hadMerchants = !settings.isEmpty }
            StandardOutput.offerLine("merchants   \(installation.names) (taken up)")
            for certificate in installation.certificates {
                if let warning = certificate.warning(at: clock.now()) { StandardError.offerLine(warning) }
            }
        } catch {
            StandardError.offerLine("configuration: not taken up, everything stays as it was: \(error)")
        }
        state.withLock { state in
            state.watched.judge(stamp)
            state.namedFiles = namedFiles
        }
    }

    private func takeUpKeys() throws {
        let ring = try directory.existingKeys()
        guard !ring.isSame(as: keys) else { return }
        guard keys.takeUp(ring) else {
            throw Failure(
                "\(directory.keysPath): it lacks a key that this gateway has, or begins with another; bring back the one that "
                    + "all gateways on one database share")
        }
        StandardOutput.offerLine("keys        \(keys.summary) (taken up)")
    }

    private var hasMerchantsFolder: Bool { configuration.merchantsFolder.map(File.exists) ?? false }

    private static func stamp(
        _ configuration: ConfigurationDirectory, _ directory: DataDirectory, _ namedFiles: [String]
    ) -> ConfigurationStamp {
        let folders = [configuration.named, configuration.shipped].compactMap(\.self)
        let merchants = (try? configuration.merchantPaths()) ?? []
        return ConfigurationStamp(
            folders.map { "\($0)/simulator.yaml" } + [configuration.merchantsFolder].compactMap(\.self) + merchants
                + namedFiles + [directory.keysPath])
    }
}
