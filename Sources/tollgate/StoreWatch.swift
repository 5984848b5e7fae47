import OperationsAPI
import Payments
import Synchronization

/// Whether a store works, for those who ask whether the gateway is ready.
///
/// A store from which all can be read may be on a full disk; so one to which no transaction was committed of late is written
/// to, as much as a transaction needs, once a second at most, however often it is asked for. One that was found corrupt is so
/// until it was read through.
struct StoreWatch: Sendable {
    /// For how long a commit tells that the next one will succeed, too.
    private static let trustNanoseconds: UInt64 = 5_000_000_000
    /// For how long what was found stands.
    private static let pauseNanoseconds: UInt64 = 1_000_000_000

    private struct State {
        var isCheckingIntegrity = false
        var check: Task<StoreFault?, Never>?
        var checked: UInt64 = 0
    }

    private let store: ReportingStore
    private let state = SharedState()

    /// Watches a store.
    init(_ store: ReportingStore) { self.store = store }

    /// What is wrong with the store, if something is.
    func fault() async -> StoreFault? {
        let now = SystemClock.monotonicNanoseconds()
        let check = state.value.withLock { state in
            if let check = state.check, now - state.checked < Self.pauseNanoseconds { return check }
            let check = Task { await self.checkedFault() }
            (state.check, state.checked) = (check, now)
            return check
        }
        return await check.value
    }

    private func checkedFault() async -> StoreFault? {
        let isReadable = (try? await store.check(.reading)) != nil
        if store.isCorrupt {
            beginIntegrityCheck()
            return .corrupt
        }
        guard isReadable else { return .unreadable }
        if !store.isFailing, let written = store.lastWrite,
            SystemClock.monotonicNanoseconds() - written < Self.trustNanoseconds
        {
            return nil
        }
        let isWritable = (try? await store.check(.writing)) != nil
        return store.isCorrupt ? .corrupt : isWritable ? nil : .unwritable
    }

    /// Reads the store through, unless that is under way: longer than anybody waits who asks.
    private func beginIntegrityCheck() {
        let begins = state.value.withLock { state in
            defer { state.isCheckingIntegrity = true }
            return !state.isCheckingIntegrity
        }
        guard begins else { return }
        Task {
            try? await store.check(.integrity)
            state.value.withLock { $0.isCheckingIntegrity = false }
        }
    }

    private final class SharedState: Sendable {
        let value = Mutex(State())
    }
}
