internal import Payments
internal import Synchronization

/// The requests that this process is carrying out, by store and `requestId`: of one name only one at a time, and the others
/// wait for its end, first come, first served.
final class RequestsInFlight: Sendable {
    /// What a request is one of a time of.
    struct Turn: Hashable, Sendable {
        fileprivate let merchant: MerchantID
        fileprivate let id: String
    }

    /// Those who wait, for each that is being carried out.
    private let waiting = Mutex<[Turn: [CheckedContinuation<Void, Never>]]>([:])

    /// How many wait.
    var waitingCount: Int { waiting.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    /// Waits until no other request of the name is being carried out.
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

    /// Ends a turn; it is whose who has waited for it longest.
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
