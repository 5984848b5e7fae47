internal import Synchronization

/// Carries the script of a request's operation from the acquirer, which uses it, to the code that sends the reply.
final class SteeredReply: Sendable {
    /// That of the request which the task answers.
    @TaskLocal static var current: SteeredReply?

    private let noted = Mutex<OutcomeScript?>(nil)

    /// The script that decided the operation; nil if none did.
    var script: OutcomeScript? { noted.withLock { $0 } }

    /// Notes by which script the operation was carried out.
    func note(_ script: OutcomeScript) { noted.withLock { $0 = script } }
}
