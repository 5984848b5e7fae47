@testable import PostgresStore

extension PostgresStore {
    /// A store that waits as long as it takes: a busy machine is no fault of the server's.
    ///
    /// - Parameters:
    ///   - answerMilliseconds: after how long it gives a connection up that nothing comes from, to ask on another one.
    ///   - callerMilliseconds: after how long it refuses callers, once it is open.
    convenience init(
        patiently url: String, limits: Limits = Limits(), answerMilliseconds: Int = 600_000,
        callerMilliseconds: Int = 600_000
    ) async throws {
        try await self.init(
            at: ServerAddress(url: url), limits: limits,
            timing: Timing(
                callerMilliseconds: callerMilliseconds, answerMilliseconds: answerMilliseconds,
                connectMilliseconds: 600_000, idleMilliseconds: 120_000))
    }
}
