import Synchronization

/// Reports clients that speak TLS to a plaintext listener, at most one line a minute.
final class UnexpectedTLSReport: Sendable {
    /// The minimum time between two lines, in nanoseconds.
    static let pause: UInt64 = 60 * 1_000_000_000

    private struct State {
        var lastLine: UInt64?
        var untold = 0
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> UInt64
    private let report: @Sendable (String) -> Void

    /// - Parameters:
    ///   - now: nanoseconds of a monotonic clock.
    ///   - report: writes a line.
    init(now: @escaping @Sendable () -> UInt64, report: @escaping @Sendable (String) -> Void) {
        self.now = now
        self.report = report
    }

    /// Records a client that spoke TLS.
    func note(_ address: String) {
        let now = now()
        let untold = state.withLock { state -> Int? in
            if let last = state.lastLine, now - last < Self.pause {
                state.untold += 1
                return nil
            }
            defer { state = State(lastLine: now, untold: 0) }
            return state.untold
        }
        guard let untold else { return }
        report(
            "\(address) speaks TLS to a port without it: ask for http://, or serve with --tls-certificate and --tls-key"
                + (untold > 0 ? " (\(untold) more since the last such line)" : ""))
    }
}
