import Glibc
import Histogram
import Payments
import Vault

/// Commits that are prepared before the measurement, and then executed by concurrent tasks. Each task waits until its
/// commit is durable before it starts the next one.
struct LedgerLoad: Sendable {
    private let commits: [Commit]
    private let committers: Int
    private static let attemptsMax = 10

    init(_ commits: [Commit], committers: Int) {
        self.commits = commits
        self.committers = committers
    }

    /// Executes all commits.
    func run(on store: any PaymentStore) async throws -> LoadGenerator.Run {
        let start = Monotonic.nanoseconds
        var latencies = Histogram<UInt64>(highestTrackableValue: 60_000_000_000, numberOfSignificantValueDigits: .three)
        try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for committer in 0..<committers {
                group.addTask { try await commit(each: committer, on: store) }
            }
            for try await part in group { for nanoseconds in part { latencies.record(nanoseconds) } }
        }
        return LoadGenerator.Run(
            seconds: Double(Monotonic.nanoseconds - start) / 1e9, requests: commits.count, latencies: latencies)
    }

    private func commit(each committer: Int, on store: any PaymentStore) async throws -> [UInt64] {
        var latencies: [UInt64] = []
        for number in stride(from: committer, to: commits.count, by: committers) {
            let start = Monotonic.nanoseconds
            let outcome = try await outcome(of: commits[number], on: store)
            latencies.append(Monotonic.nanoseconds - start)
            guard outcome == .committed else { throw BenchFailure("a commit that nothing stands against: \(outcome)") }
        }
        return latencies
    }

    /// Executes a commit, and retries if the store is too busy to answer in time. The commit may then exist already.
    private func outcome(of commit: Commit, on store: any PaymentStore) async throws -> CommitOutcome {
        for attempt in 0..<Self.attemptsMax {
            let result = await Self.result(of: commit, on: store)
            switch result {
            case .success(.transactionExists) where attempt > 0: return .committed
            case .success(let outcome): return outcome
            case .failure: continue
            }
        }
        return try await store.commit(commit)
    }

    private static func result(
        of commit: Commit, on store: any PaymentStore
    ) async -> Result<CommitOutcome, StoreFailure> {
        do throws(StoreFailure) { return .success(try await store.commit(commit)) } catch { return .failure(error) }
    }
}
