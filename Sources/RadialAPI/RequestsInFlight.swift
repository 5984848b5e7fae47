internal import Synchronization
internal import Values

/// Serializes requests with the same store and `requestId` within this process. Waiters proceed in the order of their
/// arrival.
final class RequestsInFlight: Sendable {
    /// The key of a lock: a request's id and store.
    struct Turn: Hashable, Sendable {
        fileprivate let merchant: MerchantID
        fileprivate let id: String
    }

    /// The waiters of each request that is being carried out.
    private let waiting = Mutex<[Turn: [CheckedContinuation<Void, Never>]]>([:])

    /// How many requests are waiting.
    var waitingCount: Int { waiting.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    /// Acquires the lock for a request id. Waits while another request holds it.
    func turn(of id: String, _ merchant: MerchantID) async -> Turn {
        let turn = Turn(merchant: merchant, id: id)
        guard !isFirst(turn) else { return turn }
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                guard waiting[turn] != nil else {
                    waiting[turn] = []
                    return true
                }
                waiting[turn]?.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
        return turn
    }

    private func isFirst(_ turn: Turn) -> Bool {
        waiting.withLock { waiting in
            guard waiting[turn] == nil else { return false }
            waiting[turn] = []
            return true
        }
    }

    /// Releases the lock, or passes it to the request that has waited longest.
    func end(_ turn: Turn) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard waiting[turn]?.isEmpty == false else {
                waiting[turn] = nil
                return nil
            }
            return waiting[turn]?.removeFirst()
        }
        next?.resume()
    }
}
