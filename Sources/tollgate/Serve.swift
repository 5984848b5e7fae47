import ArgumentParser
import ControlAPI

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

    @OptionGroup var tls: TLSOptions

    /// How long requests under way may take once the gateway is told to stop.
    private static let drainSeconds = 10.0

    func run() async throws {
        let configuration = try ConfigurationDirectory(config)
        var options = tls.settings
        options["host"] = host
        options["port"] = port
        options["data"] = data
        options["sandbox"] = sandbox
        options["clock"] = clock
        options["sessionSeconds"] = sessionSeconds
        options["controlPort"] = controlPort
        options["controlTokenFile"] = controlTokenFile
        let settings = try ServeSettings(options: options, settingsPath: configuration.settingsPath)
        let wiring = try Wiring(settings, configuration)
        let stop = await StopSignal()
        let (reload, tls, clock) = (wiring.reload, wiring.tls, wiring.clock)
        await stop.atHangUp {
            reload.reloadNow()
            tls?.reloadNow()
        }
        let listeners = try Listeners(wiring)
        StandardOutput.writeLine("listening on \(listeners.url)")
        Banner(wiring, listeners).print()
        reload.start()
        tls?.start()
        let sweep = SessionSweep(wiring.sessions, at: { clock.now() })
        await stop.wait()
        sweep.stop()
        await listeners.stop(withinSeconds: Self.drainSeconds)
    }
}
