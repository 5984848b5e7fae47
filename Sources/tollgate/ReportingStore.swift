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

    func ledger(of order: OrderKey) async throws(StoreFailure) -> OrderLedger? {
        do { return state.worked(.reading, try await store.ledger(of: order)) } catch {
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

    /// Tells of messages that were set aside, as they can't be read.
    var reportSetAside: @Sendable (String) -> Void { { state.reportSetAside($0) } }

    func item(_ name: [UInt8]) async throws(StoreFailure) -> SealedItem? {
        do { return state.worked(.reading, try await store.item(name)) } catch { throw state.failed(.reading, error) }
    }

    func put(
        _ item: SealedItem, at instant: Instant, in group: SealedGroup?
    ) async throws(StoreFailure) -> SealedOutcome {
        do {
            return state.worked(.writing, try await store.put(item, at: instant, in: group))
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

extension ReportingStore {
    /// When it was last written to, in nanoseconds of the monotonic clock; nothing if it never was or can't be.
    var lastWrite: UInt64? { state.lastWrite }

    /// Whether it was found corrupt, and not whole since.
    var isCorrupt: Bool { state.isCorrupt }

    func check(_ aspect: StoreCheck) async throws(StoreFailure) {
        let access: WorkingState.Access =
            switch aspect {
            case .reading: .reading
            case .writing: .writing
            case .integrity: .integrity
            }
        do { state.worked(access, try await store.check(aspect)) } catch { throw state.failed(access, error) }
    }
}

/// Whether the store worked when it was last asked. Reading and writing are told apart: of a full disk one can still read.
private final class WorkingState: Sendable {
    enum Access: String {
        case reading
        case writing
        /// Whether it is whole, which reading and writing say nothing of.
        case integrity
    }

    private let failures: StoreFailureCounts
    private let failing = Mutex<Set<Access>>([])
    /// 0 if it never was, or failed since.
    private let written = Atomic<UInt64>(0)

    init(_ failures: StoreFailureCounts) { self.failures = failures }

    var lastWrite: UInt64? {
        let written = written.load(ordering: .relaxed)
        return written == 0 ? nil : written
    }

    var isCorrupt: Bool { failing.withLock { $0.contains(.integrity) } }

    func reportDamage(_ failure: StoreFailure) {
        failures.count(.damaged)
        StandardError.offerLine("store: damaged, the request gets 500: \(failure.detail)")
    }

    func reportSetAside(_ line: String) {
        failures.count(.damaged)
        StandardError.offerLine("store: \(line)")
    }

    func worked<Value>(_ access: Access, _ value: Value) -> Value {
        if access == .writing { written.store(SystemClock.monotonicNanoseconds(), ordering: .relaxed) }
        if failing.withLock({ $0.remove(access) }) != nil {
            StandardError.offerLine("store: \(access == .integrity ? "whole" : "\(access.rawValue) works") again")
        }
        return value
    }

    func failed(_ access: Access, _ failure: StoreFailure) -> StoreFailure {
        switch failure {
        // A merchant's limit is no failure of the store's, and no store throws it.
        case .full: break
        case .damaged: reportDamage(failure)
        case .corrupt:
            failures.count(.damaged)
            if failing.withLock({ $0.insert(.integrity).inserted }) {
                StandardError.offerLine("store: corrupt, requests that meet it get 500: \(failure.detail)")
            }
        case .unavailable:
            failures.count(access == .writing ? .writing : .reading)
            if access == .writing { written.store(0, ordering: .relaxed) }
            // That it couldn't be read through says neither that it is whole nor that it isn't.
            guard access != .integrity else { break }
            if failing.withLock({ $0.insert(access).inserted }) {
                StandardError.offerLine("store: \(access.rawValue) failed, requests get 503: \(failure.detail)")
            }
        }
        return failure
    }
}
