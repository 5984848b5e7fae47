internal import Synchronization

/// Takes the script of a request's operation from the acquirer, which uses it, to whoever sends the reply.
final class SteeredReply: Sendable {
    /// That of the request which the task answers.
    @TaskLocal static var current: SteeredReply?

    private let noted = Mutex<OutcomeScript?>(nil)

    /// The script that the operation was carried out by; nothing if none was.
    var script: OutcomeScript? { noted.withLock { $0 } }

    /// Notes by which script the operation was carried out.
    func note(_ script: OutcomeScript) { noted.withLock { $0 = script } }
}
