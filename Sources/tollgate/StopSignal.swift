import Dispatch
import Glibc
import Synchronization

/// Waits for SIGTERM or SIGINT, of which the first asks the gateway to finish and a second one ends it at once.
///
/// SIGHUP does something else; but where the program was begun at a terminal which is gone by then, it is that which the
/// signal says, and asks the gateway to finish.
struct StopSignal {
    private let flag = RaisedFlag()
    private let sources: [any DispatchSourceSignal]
    private let hangUp = HangUpSource()

    /// Listens, and returns once no signal can be lost any more: until then one ends the program.
    init() async {
        sources = [SIGTERM, SIGINT].map { DispatchSource.makeSignalSource(signal: $0, queue: .global()) }
        // A peer that is gone must cost its own connection, not the process.
        signal(SIGPIPE, SIG_IGN)
        for source in sources {
            source.setEventHandler { [flag] in flag.raise() }
            // Dispatch takes a signal over some time after a source is activated.
            await Self.activate(source)
        }
    }

    /// Does something at each SIGHUP from now on, which until then ends the program.
    func atHangUp(_ body: @escaping @Sendable () -> Void) async {
        let hadTerminal = isatty(STDIN_FILENO) == 1
        // Dispatch hears of no signal that is ignored.
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

    /// Asks the gateway to finish, as a first signal does.
    var raise: @Sendable () -> Void { { [flag] in flag.raise(isSignal: false) } }

    /// Returns once a signal has come.
    func wait() async { await flag.wait() }
}

/// What listens for SIGHUP, once anything does: a source that is there must be activated before it may go.
private final class HangUpSource {
    var source: (any DispatchSourceSignal)?
}

/// Whether a signal has come, and who waits for it.
private final class RaisedFlag: Sendable {
    private struct State {
        var isRaised = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// - Parameter isSignal: whether it ends the program, if it was raised before.
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
