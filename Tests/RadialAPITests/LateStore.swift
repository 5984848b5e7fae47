import Payments
import TestSupport
import Values
import Vault

/// A store whose commits take effect, and are answered too late to say so.
struct LateStore: PaymentStore {
    let ledger: InMemoryStore

    func recall(_ transaction: TransactionID, of order: OrderKey) async throws(StoreFailure) -> Recollection {
        try await ledger.recall(transaction, of: order)
    }
    func history(of order: OrderKey) async throws(StoreFailure) -> OrderHistory? { try await ledger.history(of: order) }
    func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome {
        _ = try await ledger.commit(commit)
        throw .unavailable(detail: "late")
    }
    func prune(
        _ retention: OrderRetention, at instant: Instant, countMax: Int
    ) async throws(StoreFailure) -> Int { try await ledger.prune(retention, at: instant, countMax: countMax) }
    func reset() async throws(StoreFailure) { try await ledger.reset() }
    func reset(_ merchant: MerchantID, groups: [[UInt8]]) async throws(StoreFailure) {
        try await ledger.reset(merchant, groups: groups)
    }
}
