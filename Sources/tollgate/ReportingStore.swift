import ApplePay
import Payments
import Synchronization

/// A store that tells the operator, on standard error, when it stops working and when it works again: merchants are only
/// told to try later.
struct ReportingStore: PaymentStore, SealedStore {
    private let store: any PaymentStore & SealedStore
    private let state: WorkingState
    /// How often it failed.
    let failures = StoreFailureCounts()

    init(_ store: any PaymentStore & SealedStore) {
        self.store = store
        state = WorkingState(failures)
    }

    func recall(_ transaction: TransactionID, of order: OrderKey) async throws(StoreFailure) -> Recollection {
        do { return state.worked(.reading, try await store.recall(transaction, of: order)) } catch {
            throw state.failed(.reading, error)
        }
    }

    func history(of order: OrderKey) async throws(StoreFailure) -> OrderHistory? {
        do { return state.worked(.reading, try await store.history(of: order)) } catch {
            throw state.failed(.reading, error)
        }
    }

    func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome {
        do { return state.worked(.writing, try await store.commit(commit)) } catch {
            throw state.failed(.writing, error)
        }
    }

    func prune(
        _ retention: OrderRetention, at instant: Instant, countMax: Int
    ) async throws(StoreFailure) -> Int {
        do { return state.worked(.writing, try await store.prune(retention, at: instant, countMax: countMax)) } catch {
            throw state.failed(.writing, error)
        }
    }

    func reset() async throws(StoreFailure) {
        do { state.worked(.writing, try await store.reset()) } catch { throw state.failed(.writing, error) }
    }
}

extension ReportingStore {
    /// Tells of what was read and is not what was written. One damaged record says nothing of the others.
    var report: @Sendable (StoreFailure) -> Void { { state.reportDamage($0) } }

    func item(_ name: [UInt8]) async throws(StoreFailure) -> SealedItem? {
        do { return state.worked(.reading, try await store.item(name)) } catch { throw state.failed(.reading, error) }
    }

    func put(
        _ item: SealedItem, at instant: Instant, expiringMax: Int
    ) async throws(StoreFailure) -> SealedOutcome {
        do {
            return state.worked(.writing, try await store.put(item, at: instant, expiringMax: expiringMax))
        } catch { throw state.failed(.writing, error) }
    }

    func remove(_ name: [UInt8]) async throws(StoreFailure) -> Bool {
        do { return state.worked(.writing, try await store.remove(name)) } catch { throw state.failed(.writing, error) }
    }

    func removeExpired(at instant: Instant, countMax: Int) async throws(StoreFailure) -> Int {
        do {
            return state.worked(.writing, try await store.removeExpired(at: instant, countMax: countMax))
        } catch { throw state.failed(.writing, error) }
    }
}

/// Whether the store worked when it was last asked. Reading and writing are told apart: of a full disk one can still read.
private final class WorkingState: Sendable {
    enum Access: String {
        case reading
        case writing
    }

    private let failures: StoreFailureCounts
    private let failing = Mutex<Set<Access>>([])

    init(_ failures: StoreFailureCounts) { self.failures = failures }

    func reportDamage(_ failure: StoreFailure) {
        failures.count(.damaged)
        StandardError.offerLine("store: damaged, the request gets 500: \(failure)")
    }

    func worked<Value>(_ access: Access, _ value: Value) -> Value {
        if failing.withLock({ $0.remove(access) }) != nil {
            StandardError.offerLine("store: \(access.rawValue) works again")
        }
        return value
    }

    func failed(_ access: Access, _ failure: StoreFailure) -> StoreFailure {
        guard case .unavailable = failure else {
            reportDamage(failure)
            return failure
        }
        failures.count(access == .reading ? .reading : .writing)
        if failing.withLock({ $0.insert(access).inserted }) {
            StandardError.offerLine("store: \(access.rawValue) failed, requests get 503: \(failure)")
        }
        return failure
    }
}
