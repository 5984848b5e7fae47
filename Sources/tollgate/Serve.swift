import ArgumentParser
import ControlAPI
import Glibc
import HTTPServer
import OpenSSL
import OperationsAPI
import Synchronization

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

    @Option(
        help: ArgumentHelp(
            "The folder with installation.key and sandbox/, which gateways on one database share (default: the data directory).",
            valueName: "folder"))
    var keysFolder: String?

    @Option(
        help: ArgumentHelp(
            "A PostgreSQL database to keep orders in (default: a file in the data directory); see README.",
            valueName: "url"))
    var storeURL: String?

    @Option(help: ArgumentHelp("A file whose first line is that URL.", valueName: "file"))
    var storeURLFile: String?

    @Option(help: ArgumentHelp("How many connections to that database there may be (default: 4).", valueName: "count"))
    var storeConnectionsMax: String?

    @Option(help: ArgumentHelp("The configuration folder (default: the one that Tollgate ships).", valueName: "folder"))
    var config: String?

    @Option(help: ArgumentHelp("true or false: whether there is a sandbox merchant.", valueName: "truth"))
    var sandbox: String?

    @Option(help: ArgumentHelp("Start the gateway's clock at this instant in UTC; it then runs on.", valueName: "time"))
    var clock: String?

    @Option(help: ArgumentHelp("How long a session lasts that nobody uses (default: 900).", valueName: "seconds"))
    var sessionSeconds: String?

    @Option(
        help: ArgumentHelp(
            "After how many days without a transaction an order goes (default: none).", valueName: "days"))
    var keepOrdersDays: String?

    @Option(
        help: ArgumentHelp(
            "Beyond how many orders the oldest go, if they are over a day old (default: none).", valueName: "count"))
    var keepOrdersMax: String?

    @Option(
        help: ArgumentHelp("A port for the control API alone, with a bearer token; see README.", valueName: "port"))
    var controlPort: String?

    @Option(help: ArgumentHelp("The file whose first line is that bearer token.", valueName: "file"))
    var controlTokenFile: String?

    @Option(help: ArgumentHelp("The address for health and metrics (default: 127.0.0.1).", valueName: "address"))
    var operationsHost: String?

    @Option(
        help: ArgumentHelp("The port for them (default: 9464, or another one if that is taken).", valueName: "port"))
    var operationsPort: String?

    @Option(
        help: ArgumentHelp(
            "Where the access log goes: a file, - (standard output) or off (default: -).", valueName: "file"))
    var accessLog: String?

    @Option(
        help: ArgumentHelp("How long requests under way may take at the end (default: 8).", valueName: "seconds"))
    var drainSeconds: String?

    @Option(
        help: ArgumentHelp(
            "Where the sandbox store of Radial's API is told of its settlements (default: nowhere).", valueName: "URL"))
    var radialWebhook: String?

    @Option(help: ArgumentHelp("true or false: whether Radial's DecryptBlob is answered.", valueName: "truth"))
    var radialDecryptBlob: String?

    @Flag(
        help: ArgumentHelp(
            "Begin anew in a data directory whose database is gone; its used tokens are forgotten."))
    var new = false

    @OptionGroup var tls: TLSOptions

    func run() async throws {
        // Whoever asks for a reload meanwhile gets it: everything is still to be read.
        signal(SIGHUP, SIG_IGN)
        // A file that has reached the limit on files' sizes is to fail like one on a full disk.
        signal(SIGXFSZ, SIG_IGN)
        // The gateway may end while files are read anew.
        OpenSSLLibrary.stayUntilExit()
        let configuration = try ConfigurationDirectory(config)
        let options = DeclaredOptions.settings(of: self, except: ["config", "new"])
            .merging(DeclaredOptions.settings(of: tls)) { option, _ in option }
        let settings = try ServeSettings(options: options, settingsPath: configuration.settingsPath)
        let notifier = ServiceNotifier()
        let sockets = try ServiceSockets()
        try PlaintextRule.check(settings, sockets)
        let wiring = try await Wiring(settings, configuration, isNew: new)
        let stop = await StopSignal()
        let (reload, tls, operations) = (wiring.reload, wiring.tls, wiring.operations)
        let listeners = try Listeners(wiring, inheriting: sockets)
        let status = "Listening on \(listeners.address)"
        await stop.atHangUp {
            notifier.reloading()
            operations.reopenLog()
            tls?.reloadNow()
            reload.reloadNow { notifier.ready(status) }
        }
        StandardOutput.writeLine("listening on \(listeners.url)")
        Banner(wiring, listeners).print()
        operations.log?.begin()
        reload.start()
        tls?.start()
        notifier.ready(status)
        let watch = notifier.watch(operations.servers.all)
        let sweeps = wiring.sweeps()
        let sending = SettlementStatusSending(wiring.delivery)

        let ending = Ending()
        wiring.database.keepOpening { [raise = stop.raise] failure in
            ending.set(failure)
            raise()
        }

        await stop.wait()
        operations.readiness.drain()
        notifier.stopping("Finishing the requests under way")
        for sweep in sweeps { sweep.stop() }
        sending.stop()
        await listeners.stop(withinSeconds: settings.operations.drainSeconds)
        wiring.database.close()
        watch?.cancel()
        operations.log?.finish(withinMilliseconds: 1000)
        if let failure = ending.failure { throw failure }
    }
}

/// Why a gateway ends by itself, if it does.
private final class Ending: Sendable {
    private let reason = Mutex<Failure?>(nil)

    var failure: Failure? { reason.withLock(\.self) }

    func set(_ failure: Failure) { reason.withLock { $0 = failure } }
}
