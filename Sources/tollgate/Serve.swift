import ApplePay
import ArgumentParser
import ControlAPI
import Glibc
import HTTPServer
import MerchantAPI
import OpenSSL
import Payments
import SQLiteStore

/// `tollgate serve`: the gateway.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the gateway until it is told to stop (SIGTERM, SIGINT).",
        discussion: "Without merchants in its configuration the gateway is a sandbox with the merchant TESTMERCHANT.")

    @Option(help: ArgumentHelp("The address to listen on (default: 127.0.0.1).", valueName: "address"))
    var host: String?

    @Option(help: ArgumentHelp("The port; 0 lets the system choose (default: 8080).", valueName: "port"))
    var port: String?

    @Option(help: ArgumentHelp("The data directory (default: .tollgate).", valueName: "folder"))
    var data: String?

    @Option(help: ArgumentHelp("The configuration folder (default: the one that Tollgate ships).", valueName: "folder"))
    var config: String?

    @Option(help: ArgumentHelp("true or false: whether there is a sandbox merchant.", valueName: "truth"))
    var sandbox: String?

    @Option(help: ArgumentHelp("Start the gateway's clock at this instant in UTC; it then runs on.", valueName: "time"))
    var clock: String?

    @Option(help: ArgumentHelp("How long a session lasts that nobody uses (default: 900).", valueName: "seconds"))
    var sessionSeconds: String?

    @Option(
        help: ArgumentHelp("A port for the control API alone, with a bearer token; see README.", valueName: "port"))
    var controlPort: String?

    @Option(help: ArgumentHelp("The file whose first line is that bearer token.", valueName: "file"))
    var controlTokenFile: String?

    /// How long requests under way may take once the gateway is told to stop.
    private static let drainSeconds = 10.0

    func run() async throws {
        let configuration = try ConfigurationDirectory(config)
        var options: [String: String] = [:]
        options["host"] = host
        options["port"] = port
        options["data"] = data
        options["sandbox"] = sandbox
        options["clock"] = clock
        options["sessionSeconds"] = sessionSeconds
        options["controlPort"] = controlPort
        options["controlTokenFile"] = controlTokenFile
        let settings = try ServeSettings(options: options, settingsPath: configuration.settingsPath)
        let directory = try DataDirectory(settings.dataPath)
        try directory.lock()
        let clock = directory.clock(startingAt: settings.clock)

        let installation = try Installation(configuration, settings, directory)
        for certificate in installation.certificates {
            if let warning = certificate.warning(at: clock.now()) { StandardError.writeLine(warning) }
        }
        // The key comes first: a database without one is a loss that must be told.
        let keys = try directory.keys()
        let database: SQLiteStore
        do { database = try SQLiteStore(path: directory.databasePath) } catch { throw Failure(error.explanation) }
        guard try database.isKept(under: keys.recognition.mark) else {
            throw Failure(
                "\(directory.keysPath) is not the key of \(directory.databasePath), whose used tokens it would not "
                    + "recognise: bring both back from one copy, or remove both to begin anew")
        }
        let store = ReportingStore(database)
        let merchants = MerchantDirectory(installation.merchants)
        let acquirer = CurrentAcquirer(try configuration.acquirer())
        let reload = ConfigurationReload(
            configuration, directory, installation, merchants: merchants, acquirer: acquirer, clock: clock)
        let control = try SandboxControl(settings, hasSandbox: installation.sandboxPassword != nil)
        let references = control.references
        let gateway = Gateway(
            store: store, acquirer: control.acquirer(acquirer), keys: keys,
            references: ReferenceNumbers(references), report: ReportingStore.report)
        let sessions = Sessions(
            store: store, keys: keys, settings: settings.sessions, randomBytes: { references.bytes($0) },
            report: ReportingStore.report)
        let tokens = CardTokens(
            store: store, keys: keys, randomBytes: { references.bytes($0) }, report: ReportingStore.report)
        let api = MerchantAPI(
            gateway: gateway, sessions: sessions, tokens: tokens, merchants: merchants, reports: control.reports,
            now: { clock.now() })
        let controlled = control.controlled(
            store: store, clock: clock, acquirer: acquirer,
            sandbox: try installation.sandboxPassword.map { try directory.sandbox().controlled(password: $0) },
            openAPIPath: configuration.openAPIPath, merchants: merchants)
        var limits = HTTPServerConfiguration()
        limits.connectionsMax = DescriptorLimit.connectionsMax(wanted: limits.connectionsMax)
        let server = HTTPServer(
            configuration: limits, refusalResponse: MerchantAPI.refusalResponse,
            clock: { clock.now().secondsSinceEpoch },
            handler: control.handler(around: { api.answer($0) }, controlled))

        let stop = await StopSignal()
        await stop.atHangUp { reload.reloadNow() }
        let address: BoundAddress
        do { address = try server.start(host: settings.host, port: settings.port) } catch {
            throw Failure("\(BoundAddress(host: settings.host, port: settings.port)): \(error.explanation)")
        }
        let listener = try control.start(controlled, host: settings.host, merchantPort: address.port)
        StandardOutput.writeLine("listening on http://\(address)")
        Banner(
            address, settings, directory, installation,
            control: control.summary(merchantAddress: address, listener)
        ).print()
        reload.start()
        let sweep = SessionSweep(sessions, at: { clock.now() })
        await stop.wait()
        sweep.stop()
        await listener?.server.stop(withinSeconds: 0)
        await server.stop(withinSeconds: Self.drainSeconds)
    }
}

extension SQLiteStore.OpenFailure {
    /// Why the store can't be opened, in words.
    var explanation: String {
        switch self {
        case .file(let detail), .database(let detail): detail
        case .newerSchema(let path): "\(path): a later version of Tollgate has written it; run that version"
        }
    }
}

extension HTTPServerError {
    /// Why the gateway can't listen, in words.
    var explanation: String {
        switch self {
        case .unknownHost: "no such address or name; see --host"
        case .systemCall(let call, let number):
            "can't listen there: \(String(cString: strerror(number))) (\(call)); see --host and --port"
        case .notListening(let descriptor): "descriptor \(descriptor) is no TCP socket that listens"
        case .stopped: "stopped before it could listen"
        }
    }
}
