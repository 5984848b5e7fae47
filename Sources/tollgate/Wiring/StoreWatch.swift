import OperationsAPI
internal import Payments
import Synchronization

/// Whether a store works, for readiness probes.
///
/// A store on a full disk can still be read. So if no transaction was committed in the last 5 s, a check writes as much
/// as a transaction needs. It does so at most once a second, regardless of the number of probes. A corrupt store is
/// reported as corrupt until an integrity check succeeds.
struct StoreWatch: Sendable {
    /// How long after a commit the store is assumed to be writable.
    private static let trustNanoseconds: UInt64 = 5_000_000_000
    /// How long a finding is cached.
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

    /// The store's fault; nil if it works.
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

    /// Starts an integrity check, unless one is in flight. It isn't awaited: it takes longer than any probe waits.
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
