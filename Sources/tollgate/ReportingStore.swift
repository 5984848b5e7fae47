import Payments
import Synchronization

/// A store that tells the operator, on standard error, when it stops working and when it works again: merchants are only
/// told to try later.
struct ReportingStore: PaymentStore {
    private let store: any PaymentStore
    private let state = WorkingState()

    init(_ store: any PaymentStore) { self.store = store }

    func recall(_ transaction: TransactionID, of order: OrderKey) async throws(StoreFailure) -> Recollection {
        do { return state.worked(try await store.recall(transaction, of: order)) } catch { throw state.failed(error) }
    }

    func history(of order: OrderKey) async throws(StoreFailure) -> OrderHistory? {
        do { return state.worked(try await store.history(of: order)) } catch { throw state.failed(error) }
    }

    func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome {
        do { return state.worked(try await store.commit(commit), isWriting: true) } catch {
            throw state.failed(error, isWriting: true)
        }
    }
}

/// Whether the store worked when it was last asked. Reading and writing are told apart: of a full disk one can still read.
private final class WorkingState: Sendable {
    private let failing = Mutex((reading: false, writing: false))

    func worked<Value>(_ value: Value, isWriting: Bool = false) -> Value {
        let wasFailing = failing.withLock { failing in
            defer { if isWriting { failing.writing = false } else { failing.reading = false } }
            return isWriting ? failing.writing : failing.reading
        }
        if wasFailing { StandardError.writeLine("store: \(isWriting ? "writing" : "reading") works again") }
        return value
    }

    func failed(_ failure: StoreFailure, isWriting: Bool = false) -> StoreFailure {
        guard case .unavailable = failure else {
            // One damaged record says nothing of the others.
            StandardError.writeLine("store: damaged, the request gets 500: \(failure)")
            return failure
        }
        let wasFailing = failing.withLock { failing in
            defer { if isWriting { failing.writing = true } else { failing.reading = true } }
            return isWriting ? failing.writing : failing.reading
        }
        if !wasFailing {
            StandardError.writeLine("store: \(isWriting ? "writing" : "reading") failed, requests get 503: \(failure)")
        }
        return failure
    }
}
