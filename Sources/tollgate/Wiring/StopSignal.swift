import Dispatch
import Glibc
import Synchronization

/// Waits for SIGTERM or SIGINT. The first signal makes the gateway stop; a second one ends the process at once.
///
/// SIGHUP runs another action. But if the program was started at a terminal that has since closed, SIGHUP makes the
/// gateway stop.
struct StopSignal {
    private let flag = RaisedFlag()
    private let sources: [any DispatchSourceSignal]
    private let hangUp = HangUpSource()

    /// Installs the handlers, and returns once no signal can be lost. Until then, a signal ends the program.
    init() async {
        sources = [SIGTERM, SIGINT].map { DispatchSource.makeSignalSource(signal: $0, queue: .global()) }
        // A write to a closed connection must fail, not end the process.
        signal(SIGPIPE, SIG_IGN)
        for source in sources {
            source.setEventHandler { [flag] in flag.raise() }
            // Dispatch starts to handle a signal some time after its source is activated.
            await Self.activate(source)
        }
    }

    /// Runs `body` at each SIGHUP from now on. Until this returns, SIGHUP may end the program.
    func atHangUp(_ body: @escaping @Sendable () -> Void) async {
        let hadTerminal = isatty(STDIN_FILENO) == 1
        // Dispatch does not receive ignored signals.
        signal(SIGHUP, SIG_DFL)
        let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
        source.setEventHandler { [flag] in
            if hadTerminal, isatty(STDIN_FILENO) == 0 { flag.raise() } else { body() }
        }
        hangUp.source = source
        await Self.activate(source)
    }

    private static func activate(_ source: any DispatchSourceSignal) async {
        await withCheckedContinuation { continuation in
            source.setRegistrationHandler { continuation.resume() }
            source.activate()
        }
    }

    /// Makes the gateway stop, as a first signal does.
    var raise: @Sendable () -> Void { { [flag] in flag.raise(isSignal: false) } }

    /// Returns once a stop was requested.
    func wait() async { await flag.wait() }
}

/// Holds the source for SIGHUP, once there is one. A dispatch source must be activated before it is released.
private final class HangUpSource {
    var source: (any DispatchSourceSignal)?
}

/// Whether a stop was requested, and the continuation that waits for it.
private final class RaisedFlag: Sendable {
    private struct State {
        var isRaised = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// - Parameter isSignal: whether the process ends at once if the flag was raised before.
    func raise(isSignal: Bool = true) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.isRaised, isSignal { _exit(130) }
            state.isRaised = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isRaised = state.withLock { state in
                if !state.isRaised { state.waiting = continuation }
                return state.isRaised
            }
            if isRaised { continuation.resume() }
        }
    }
}
