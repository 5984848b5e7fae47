internal import Synchronization

/// Carries the script of a request's operation from the acquirer, which uses it, to the code that sends the reply.
final class SteeredReply: Sendable {
    /// The value for the request that the current task answers.
    @TaskLocal static var current: SteeredReply?

    private let noted = Mutex<OutcomeScript?>(nil)

    /// The script that was applied to the operation, if any.
    var script: OutcomeScript? { noted.withLock { $0 } }

    /// Records the script that was applied to the operation.
    func note(_ script: OutcomeScript) { noted.withLock { $0 = script } }
}
