internal import Synchronization
internal import Values

/// Serializes requests with the same store and `requestId` within this process. Waiters proceed in the order of their
/// arrival.
final class RequestsInFlight: Sendable {
    /// A request's id and store.
    struct Key: Hashable, Sendable {
        fileprivate let merchant: MerchantID
        fileprivate let id: String
    }

    /// The lock of each id, and how many requests hold it or wait for it.
    private let locks = Mutex<[Key: (semaphore: FairSemaphore, requestCount: Int)]>([:])

    /// How many requests are waiting.
    var waitingCount: Int { locks.withLock { $0.values.reduce(0) { $0 + $1.semaphore.waitingCount } } }

    /// Acquires the lock for a request id. Waits while another request holds it.
    func lock(_ id: String, of merchant: MerchantID) async -> Key {
        let key = Key(merchant: merchant, id: id)
        let semaphore = locks.withLock { locks in
            let lock = locks[key] ?? (FairSemaphore(permits: 1), 0)
            locks[key] = (lock.semaphore, lock.requestCount + 1)
            return lock.semaphore
        }
        await semaphore.acquire()
        return key
    }

    /// Releases the lock, or passes it to the request that has waited longest.
    func unlock(_ key: Key) {
        let semaphore = locks.withLock { locks -> FairSemaphore? in
            guard let lock = locks[key] else { return nil }
            locks[key] = lock.requestCount > 1 ? (lock.semaphore, lock.requestCount - 1) : nil
            return lock.semaphore
        }
        semaphore?.release()
    }
}
