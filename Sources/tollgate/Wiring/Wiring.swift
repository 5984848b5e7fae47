import Access
import ControlAPI
import HTTP
import HTTPServer
import HostedPages
import MerchantAPI
import Notifications
import OperationsAPI
import Payments
import RadialAPI
import Vault

/// All parts of a gateway, connected to each other, before it listens.
struct Wiring {
    let settings: ServeSettings
    let directory: DataDirectory
    let clock: SettableClock
    let installation: Installation
    let database: Database
    let reload: ConfigurationReload
    let acquirer: CurrentAcquirer
    /// The TLS context of the listeners, if they use TLS.
    let tls: CurrentTLS?
    let store: ReportingStore
    let sessions: Sessions
    let control: SandboxControl
    let controlled: ControlledGateway
    let api: MerchantAPI
    let radial: RadialAPI
    /// The pages for payers' browsers; nil unless there is a sandbox.
    let pages: HostedPages?
    /// Sends the outbox's messages to merchants' servers.
    let notifications: NotificationSender
    let operations: Operations

    /// Reads the configuration, opens the store, and connects the parts.
    ///
    /// - Parameter isNew: whether to start with an empty database if the data directory's database was lost.
    init(_ settings: ServeSettings, _ configuration: ConfigurationDirectory, isNew: Bool) async throws {
        var configuration = configuration
        self.settings = settings
        tls = try settings.tls.map(CurrentTLS.init)
        if let warning = tls?.warning() { StandardError.writeLine(warning) }
        try Database.check(settings.store)
        directory = try DataDirectory(settings.dataPath, keysFolder: settings.keysFolder)
        configuration.dataMerchantsFolder = directory.merchantsPath
        try directory.lock()
        if settings.store.url == nil { try directory.beginFirstStart(isSaidToBeNew: isNew) }
        let clock = directory.clock(startingAt: settings.clock)
        self.clock = clock

        installation = try Installation(configuration, settings, directory)
        Self.writeWarnings(about: installation, clock)
        // The key is read first: a database whose key is missing must be reported as a loss.
        let keys = try directory.keys()
        database = try await Database(settings.store, directory, keys)
        try directory.endFirstStart()
        store = ReportingStore(database.store)
        let merchants = MerchantDirectory(installation.merchants)
        operations = try Operations(
            settings.operations, store: store, database: database.batches, merchants: merchants, tls: tls, clock: clock)
        acquirer = CurrentAcquirer(try configuration.acquirer())
        reload = ConfigurationReload(
            configuration, directory, installation, merchants: merchants, acquirer: acquirer, clock: clock,
            keys: keys, sandboxWebhook: settings.radialWebhook)
        let isPureSandbox = installation.sandboxPassword != nil && installation.settings.isEmpty
        control = try SandboxControl(settings, directory, isPureSandbox: isPureSandbox)
        let references = control.references
        let accountTokens = AccountTokens(store: store, keys: keys, report: store.report)
        let gateway = Gateway(
            store: store, acquirer: control.acquirer(acquirer), keys: keys,
            references: ReferenceNumbers(references), report: store.report)
        sessions = Sessions(
            store: store, keys: keys, settings: settings.sessions, randomBytes: { references.bytes($0) },
            report: store.report)
        let tokens = CardTokens(
            store: store, keys: keys, randomBytes: { references.bytes($0) }, report: store.report)
        let rates = RequestRates()
        api = MerchantAPI(
            gateway: gateway, sessions: sessions, tokens: tokens, merchants: merchants, reports: control.reports,
            rates: rates,
            // Only in a pure sandbox: its merchants' names and passwords are not secrets.
            explainsUnauthorized: isPureSandbox,
            now: { clock.now() })
        let outbox = Outbox(store: store, keys: keys, report: store.report, reportDeadLetter: store.reportDeadLetter)
        radial = RadialAPI(
            gateway: gateway, accountTokens: accountTokens,
            claims: RequestClaims(store: store, keys: keys, report: store.report), outbox: outbox,
            merchants: merchants, reports: control.reports, rates: rates, decryptsBlobs: settings.radialDecryptBlob,
            now: { clock.now() }, machineTime: SystemClock.now)
        let client = NotificationClient(report: { StandardError.offerLine("webhook: \($0)") })
        notifications = NotificationSender(
            outbox: outbox, merchants: merchants, kinds: NotificationKind.all, machineTime: SystemClock.now,
            send: { await client.send($0) }, report: { StandardError.offerLine($0) })
        let directory = directory
        let sandbox = try installation.sandboxPassword.map { try directory.sandbox().controlled(password: $0) }
        if let tls, let sandbox { try tls.acceptMerchantIdentities(of: sandbox.authority, directory) }
        pages = sandbox.map { HostedPages(merchants: merchants, authority: $0.authority, now: { clock.now() }) }
        controlled = control.controlled(
            store: store, merchantReset: MerchantReset(store: store, keys: keys, outbox: outbox), api: api,
            clock: clock, acquirer: acquirer, sandbox: sandbox,
            openAPI: configuration.openAPI, merchants: merchants)
    }

    /// Warns of unknown variables in the environment and of merchants' certificates that expire soon.
    private static func writeWarnings(about installation: Installation, _ clock: SettableClock) {
        let variables = UnknownVariables(besides: Set(installation.settings.flatMap(\.namedVariables)))
        if let warning = variables.warning { StandardError.writeLine(warning) }
        for certificate in installation.certificates {
            if let warning = certificate.warning(at: clock.now()) { StandardError.writeLine(warning) }
        }
    }

    /// Answers requests with the APIs of merchants or the pages for their payers, depending on the path.
    var answer: @Sendable (Request, RequestTrace) -> Answer {
        { [api, radial, pages] request, trace in
            // Most requests are for the merchants' API, so it is tested first.
            if MerchantAPI.isAddressed(by: request) { return api.answer(request, tracing: trace) }
            if RadialAPI.isAddressed(by: request) { return radial.answer(request, tracing: trace) }
            return pages?.answer(request, tracing: trace) ?? api.answer(request, tracing: trace)
        }
    }
}
