@testable import PostgresStore

extension PostgresStore {
    /// A store that waits as long as it takes: a busy machine is no fault of the server's.
    convenience init(patiently url: String, limits: Limits = Limits()) async throws {
        try await self.init(
            at: ServerAddress(url: url), limits: limits,
            timing: Timing(callerMilliseconds: 120_000, answerMilliseconds: 60_000, connectMilliseconds: 60_000))
    }
}
