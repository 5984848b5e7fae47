internal import Synchronization

/// The operations that this process is performing, by transaction. Of concurrent requests for the same transaction,
/// only one at a time asks the acquirer.
final class OperationsInFlight: Sendable {
    /// One operation, from its look-up to its end.
    struct Visit: Sendable {
        let key: TransactionKey
        /// The number of holds on the transaction that had ended at the last look-up.
        fileprivate var endedHolds: Int
        fileprivate var isHolding = false
    }

    private struct Place {
        var visitorCount = 0
        var endedHolds = 0
        var isHeld = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let places = Mutex<[TransactionKey: Place]>([:])

    /// Registers an operation before its transaction is looked up.
    func arrive(at key: TransactionKey) -> Visit {
        places.withLock { places in
            places[key, default: Place()].visitorCount += 1
            return Visit(key: key, endedHolds: places[key]?.endedHolds ?? 0)
        }
    }

    /// Holds the transaction until ``leave(_:)``.
    ///
    /// - Returns: true if it is held. False if another operation has held it since the last look-up and has ended:
    ///   the transaction must be looked up again.
    func hold(_ visit: inout Visit) async -> Bool {
        let (key, seen) = (visit.key, visit.endedHolds)
        visit.isHolding = places.withLock { places in
            guard var place = places[key], !place.isHeld, place.endedHolds == seen else { return false }
            place.isHeld = true
            places[key] = place
            return true
        }
        if !visit.isHolding {
            await waitUntilFree(key)
            visit.endedHolds = places.withLock { $0[key]?.endedHolds ?? 0 }
        }
        return visit.isHolding
    }

    private func waitUntilFree(_ key: TransactionKey) async {
        await withCheckedContinuation { continuation in
            let mustWait = places.withLock { places in
                guard places[key]?.isHeld == true else { return false }
                places[key]?.waiting.append(continuation)
                return true
            }
            if !mustWait { continuation.resume() }
        }
    }

    /// Ends an operation. Operations that wait for the transaction continue.
    func leave(_ visit: Visit) {
        let waiting = places.withLock { places -> [CheckedContinuation<Void, Never>] in
            guard var place = places[visit.key] else { return [] }
            place.visitorCount -= 1
            var waiting: [CheckedContinuation<Void, Never>] = []
            if visit.isHolding {
                place.isHeld = false
                place.endedHolds += 1
                swap(&waiting, &place.waiting)
            }
            places[visit.key] = place.visitorCount > 0 ? place : nil
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
