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

    /// The requests that wait for each id that is locked.
    private let waiting = Mutex<[Key: [CheckedContinuation<Void, Never>]]>([:])

    /// The number of waiting requests.
    var waitingCount: Int { waiting.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    /// Acquires the lock for a request id. Waits while another request holds it.
    func lock(_ id: String, of merchant: MerchantID) async -> Key {
        let key = Key(merchant: merchant, id: id)
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                guard waiting[key] == nil else {
                    waiting[key]?.append(continuation)
                    return false
                }
                waiting[key] = []
                return true
            }
            if isFree { continuation.resume() }
        }
        return key
    }

    /// Releases the lock, or passes it to the request that has waited longest.
    func unlock(_ key: Key) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard waiting[key]?.isEmpty == false else {
                waiting[key] = nil
                return nil
            }
            return waiting[key]?.removeFirst()
        }
        next?.resume()
    }
}
