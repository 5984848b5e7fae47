import ApplePay
import ControlAPI
import HTTP
import HTTPServer
import MerchantAPI
import OpenSSL
import OperationsAPI
import Payments

/// All that a gateway consists of, joined, before it listens.
struct Wiring {
    let settings: ServeSettings
    let directory: DataDirectory
    let clock: SettableClock
    let installation: Installation
    let database: Database
    let reload: ConfigurationReload
    /// What the listeners encrypt with, if they do.
    let tls: CurrentTLS?
    let store: ReportingStore
    let sessions: Sessions
    let control: SandboxControl
    let controlled: ControlledGateway
    let api: MerchantAPI
    let operations: Operations

    /// Reads the configuration, opens the store, and joins the parts.
    init(_ settings: ServeSettings, _ configuration: ConfigurationDirectory) async throws {
        self.settings = settings
        tls = try settings.tls.map(CurrentTLS.init)
        if let warning = tls?.warning() { StandardError.writeLine(warning) }
        directory = try DataDirectory(settings.dataPath, keysFolder: settings.keysFolder)
        try directory.lock()
        let clock = directory.clock(startingAt: settings.clock)
        self.clock = clock

        installation = try Installation(configuration, settings, directory)
        for certificate in installation.certificates {
            if let warning = certificate.warning(at: clock.now()) { StandardError.writeLine(warning) }
        }
        // The key comes first: a database without one is a loss that must be told.
        let keys = try directory.keys()
        database = try await Database(settings.store, directory, keys)
        store = ReportingStore(database.store)
        let merchants = MerchantDirectory(installation.merchants)
        operations = try Operations(
            settings.operations, store: store, database: database.batches, merchants: merchants, tls: tls,
            clock: clock)
        let acquirer = CurrentAcquirer(try configuration.acquirer())
        reload = ConfigurationReload(
            configuration, directory, installation, merchants: merchants, acquirer: acquirer, clock: clock)
        control = try SandboxControl(settings, hasSandbox: installation.sandboxPassword != nil)
        let references = control.references
        let gateway = Gateway(
            store: store, acquirer: control.acquirer(acquirer), keys: keys,
            references: ReferenceNumbers(references), report: store.report)
        sessions = Sessions(
            store: store, keys: keys, settings: settings.sessions, randomBytes: { references.bytes($0) },
            report: store.report)
        let tokens = CardTokens(
            store: store, keys: keys, randomBytes: { references.bytes($0) }, report: store.report)
        api = MerchantAPI(
            gateway: gateway, sessions: sessions, tokens: tokens, merchants: merchants, reports: control.reports,
            now: { clock.now() })
        let (directory, metrics) = (directory, operations.metrics)
        controlled = control.controlled(
            store: store, clock: clock, acquirer: acquirer,
            sandbox: try installation.sandboxPassword.map { try directory.sandbox().controlled(password: $0) },
            openAPIPath: configuration.openAPIPath, merchants: merchants, metrics: { metrics.response })
    }
}
