import ArgumentParser
import ControlAPI
import Glibc
import HTTPServer
import Notifications
import OpenSSL
import OperationsAPI
import Synchronization

/// `tollgate serve`: runs the gateway.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the gateway until it is told to stop (SIGTERM, SIGINT).",
        usage: "tollgate serve [--config <folder>] [--new] [<setting> ...]",
        discussion: """
            Without merchants in its configuration the gateway is a sandbox with the merchant TESTMERCHANT.

            \(SettingOptions.help)
            """)

    @Option(help: ArgumentHelp("The configuration folder (default: the one that Tollgate ships).", valueName: "folder"))
    var config: String?

    @Flag(
        help: ArgumentHelp(
            "Start with an empty database if the data directory's is missing. Records of used tokens are lost with it: those "
                + "tokens could be accepted again."))
    var new = false

    @OptionGroup var options: SettingOptions

    func run() async throws {
        // A reload requested during the start needs no action: the configuration has not been read yet.
        signal(SIGHUP, SIG_IGN)
        // A write beyond the file size limit must fail, as on a full disk, and not end the process.
        signal(SIGXFSZ, SIG_IGN)
        // The process may exit while a reload still uses OpenSSL.
        OpenSSLLibrary.stayUntilExit()
        let configuration = try ConfigurationDirectory(config)
        let settings = try ServeSettings(
            options: try options.values(), settingsPath: configuration.settingsPath)
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
        let notifications = NotificationPolling(wiring.notifications)

        let ending = Ending()
        wiring.database.keepOpening { [raise = stop.raise] failure in
            ending.set(failure)
            raise()
        }

        await stop.wait()
        operations.readiness.drain()
        notifier.stopping("Finishing the requests in flight")
        for sweep in sweeps { sweep.stop() }
        notifications.stop()
        await listeners.stop(withinSeconds: settings.operations.drainSeconds)
        wiring.database.close()
        watch?.cancel()
        operations.log?.finish(withinMilliseconds: 1000)
        if let failure = ending.failure { throw failure }
    }
}

/// The failure that makes the gateway end by itself, if any.
private final class Ending: Sendable {
    private let reason = Mutex<Failure?>(nil)

    var failure: Failure? { reason.withLock(\.self) }

    func set(_ failure: Failure) { reason.withLock { $0 = failure } }
}
