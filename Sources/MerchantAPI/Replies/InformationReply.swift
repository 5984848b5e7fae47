internal import HTTP
internal import Synchronization
internal import Values

/// The reply to CHECK_GATEWAY, created once a second because probes and load balancers request it often.
final class InformationReply: Sendable {
    private struct Made {
        let second: Int64
        let response: Response
    }

    private let latest = Mutex<Made?>(nil)

    /// The reply at an instant.
    func response(at instant: Instant) -> Response {
        let second = instant.secondsSinceEpoch
        return latest.withLock { latest in
            if let latest, latest.second == second { return latest.response }
            let response = Response.information(at: instant)
            latest = Made(second: second, response: response)
            return response
        }
    }
}
