import Payments
import Synchronization
import Values
import Vault

/// A store that reports on standard error when it stops working and when it has recovered. Merchants only get an answer
/// to retry later.
struct ReportingStore: PaymentStore, SealedStore, OrderListing {
    private let store: any PaymentStore & SealedStore & OrderListing
    private let state: WorkingState
    /// The numbers of its failures.
    let failures = StoreFailureCounts()

    init(_ store: any PaymentStore & SealedStore & OrderListing) {
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

    func orders(_ query: OrderQuery) async throws(StoreFailure) -> OrderPage? {
        do { return state.worked(.reading, try await store.orders(query)) } catch {
            throw state.failed(.reading, error)
        }
    }

    func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome {
        do { return state.worked(.committing, try await store.commit(commit)) } catch {
            throw state.failed(.committing, error)
        }
    }

    func prune(
        _ retention: OrderRetention, at instant: Instant, countMax: Int
    ) async throws(StoreFailure) -> Int {
        do { return state.worked(.removing, try await store.prune(retention, at: instant, countMax: countMax)) } catch {
            throw state.failed(.removing, error)
        }
    }

    func reset() async throws(StoreFailure) {
        do { state.worked(.removing, try await store.reset()) } catch { throw state.failed(.removing, error) }
    }

    func reset(_ merchant: MerchantID, groups: [[UInt8]]) async throws(StoreFailure) {
        do { state.worked(.removing, try await store.reset(merchant, groups: groups)) } catch {
            throw state.failed(.removing, error)
        }
    }
}

extension ReportingStore {
    /// Reports data that was read but differs from what was written. One damaged record proves nothing about the
    /// others.
    var report: @Sendable (StoreFailure) -> Void { { state.reportDamage($0) } }

    /// Reports messages that became dead letters because they can't be read.
    var reportDeadLetter: @Sendable (String) -> Void { { state.reportDeadLetter($0) } }

    func item(_ name: [UInt8]) async throws(StoreFailure) -> SealedItem? {
        do { return state.worked(.opening, try await store.item(name)) } catch { throw state.failed(.opening, error) }
    }

    func put(
        _ item: SealedItem, at instant: Instant, in group: SealedGroup?
    ) async throws(StoreFailure) -> SealedOutcome {
        do {
            return state.worked(.sealing, try await store.put(item, at: instant, in: group))
        } catch { throw state.failed(.sealing, error) }
    }

    func remove(_ name: [UInt8]) async throws(StoreFailure) -> Bool {
        do { return state.worked(.removing, try await store.remove(name)) } catch {
            throw state.failed(.removing, error)
        }
    }

    func removeExpired(at instant: Instant, countMax: Int) async throws(StoreFailure) -> Int {
        do {
            return state.worked(.removing, try await store.removeExpired(at: instant, countMax: countMax))
        } catch { throw state.failed(.removing, error) }
    }
}

extension ReportingStore {
    /// The time of the last successful commit of a transaction, in nanoseconds of the monotonic clock. Nil if there was
    /// none, or if a write has failed since.
    var lastWrite: UInt64? { state.lastWrite }

    /// Whether the store was found corrupt, and no integrity check has succeeded since.
    var isCorrupt: Bool { state.isCorrupt }

    /// Whether an access that requests need has failed, and no access of the same kind has succeeded since.
    var isFailing: Bool { state.isFailing }

    func check(_ aspect: StoreCheck) async throws(StoreFailure) {
        let kinds: [WorkingState.Access] =
            switch aspect {
            // A store's check covers orders and sealed items.
            case .reading: [.reading, .opening]
            case .writing: [.committing, .sealing]
            case .integrity: [.integrity]
            }
        do throws(StoreFailure) {
            try await store.check(aspect)
            for kind in kinds { state.worked(kind, ()) }
        } catch { throw state.failed(kinds[0], error) }
    }
}

/// Whether the last access of each kind succeeded. Kinds that can fail independently are tracked separately: a full disk
/// can still be read, and a server may accept sealed items but no orders. Only a success of the same kind ends a failure.
private final class WorkingState: Sendable {
    enum Access {
        /// Reads an order or its transactions.
        case reading
        /// Reads a sealed item.
        case opening
        /// Commits a transaction.
        case committing
        /// Writes a sealed item.
        case sealing
        /// Removes orders or sealed items. It may need less space than a transaction, or another privilege.
        case removing
        /// Checks the integrity of the whole store, which the other kinds don't prove.
        case integrity

        /// The name of the access in reports to the operator.
        var word: String {
            switch self {
            case .reading, .opening: "reading"
            case .committing, .sealing: "writing"
            case .removing: "removing"
            case .integrity: "integrity"
            }
        }

        fileprivate var isOfRequests: Bool { self != .removing && self != .integrity }
    }

    private let failures: StoreFailureCounts
    private let failing = Mutex<Set<Access>>([])
    /// The time of the last successful commit of a transaction; 0 if there was none, or if a write has failed since.
    private let written = Atomic<UInt64>(0)

    init(_ failures: StoreFailureCounts) { self.failures = failures }

    var lastWrite: UInt64? {
        let written = written.load(ordering: .relaxed)
        return written == 0 ? nil : written
    }

    var isCorrupt: Bool { failing.withLock { $0.contains(.integrity) } }
    var isFailing: Bool { failing.withLock { $0.contains(where: \.isOfRequests) } }

    func reportDamage(_ failure: StoreFailure) {
        failures.count(.damaged)
        StandardError.offerLine("store: damaged, the request gets 500: \(failure.detail)")
    }

    func reportDeadLetter(_ line: String) {
        failures.count(.damaged)
        StandardError.offerLine("store: \(line)")
    }

    @discardableResult
    func worked<Value>(_ access: Access, _ value: Value) -> Value {
        if access == .committing { written.store(SystemClock.monotonicNanoseconds(), ordering: .relaxed) }
        let isOver = failing.withLock { failing in
            failing.remove(access) != nil && !failing.contains { $0.word == access.word }
        }
        if isOver { StandardError.offerLine("store: \(access == .integrity ? "whole" : "\(access.word) works") again") }
        return value
    }

    func failed(_ access: Access, _ failure: StoreFailure) -> StoreFailure {
        switch failure {
        // A merchant's limit is not a failure of the store, and no store throws it.
        case .full: break
        case .damaged: reportDamage(failure)
        case .corrupt:
            failures.count(.damaged)
            if failing.withLock({ $0.insert(.integrity).inserted }) {
                StandardError.offerLine("store: corrupt, requests that meet it get 500: \(failure.detail)")
            }
        case .unavailable:
            failures.count(access == .reading || access == .opening ? .reading : .writing)
            if access == .committing || access == .sealing { written.store(0, ordering: .relaxed) }
            // An integrity check that couldn't run proves nothing.
            guard access != .integrity else { break }
            let begins = failing.withLock { failing in
                let isKnown = failing.contains { $0.word == access.word }
                return failing.insert(access).inserted && !isKnown
            }
            if begins {
                StandardError.offerLine("store: \(access.word) failed, requests get 503: \(failure.detail)")
            }
        }
        return failure
    }
}
