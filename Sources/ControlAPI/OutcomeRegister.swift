internal import Payments
internal import Synchronization

/// The scripts that wait for their operations.
///
/// The acquirer claims the first script that concerns an operation when it is asked, and the claim of an operation that was
/// refused after all is released, so that exactly as many operations are steered as were asked for, however many requests
/// come at once.
public final class OutcomeRegister: Sendable {
    /// How many scripts wait at most.
    public static let countMax = 256
    /// How many operations one script is for at most.
    public static let operationsMax = 10_000

    private struct Entry {
        let id: Int
        let script: OutcomeScript
        var remaining: Int
    }

    private struct State {
        /// In the order in which they came.
        var entries: [Entry] = []
        var claims: [TransactionKey: Entry] = [:]
        var lastID = 0
        /// The last script that was there when all were removed.
        var lastRemovedID = 0
    }

    private let state = Mutex(State())

    /// A register without scripts.
    public init() {}

    /// Adds a script for the next `count` operations; false if as many wait as may.
    func add(_ script: OutcomeScript, count: Int) -> Bool {
        state.withLock { state in
            guard state.entries.count < Self.countMax else { return false }
            state.lastID += 1
            state.entries.append(Entry(id: state.lastID, script: script, remaining: count))
            return true
        }
    }

    /// The scripts that wait, in the order in which they came, with how many operations each is still for.
    var waiting: [(script: OutcomeScript, remaining: Int)] {
        state.withLock { $0.entries.map { ($0.script, $0.remaining) } }
    }

    /// Removes all scripts. Operations in flight keep theirs.
    func removeAll() {
        state.withLock { state in
            state.entries = []
            state.lastRemovedID = state.lastID
        }
    }

    /// Claims a script for an operation; nil if none matches it, or a repetition of the request has one.
    func claim(for key: TransactionKey) -> OutcomeScript? {
        state.withLock { state in
            guard !state.entries.isEmpty, state.claims[key] == nil,
                let index = state.entries.firstIndex(where: { $0.script.concerns(key.order) })
            else { return nil }
            let entry = state.entries[index]
            state.claims[key] = entry
            if entry.remaining > 1 {
                state.entries[index].remaining -= 1
            } else {
                state.entries.remove(at: index)
            }
            return entry.script
        }
    }

    /// Ends a claim. If the operation was not carried out, the script waits again, in its old place.
    ///
    /// - Returns: the script that the operation was carried out by.
    func conclude(_ key: TransactionKey, isCommitted: Bool) -> OutcomeScript? {
        state.withLock { state in
            guard let claim = state.claims.removeValue(forKey: key) else { return nil }
            guard !isCommitted else { return claim.script }
            guard claim.id > state.lastRemovedID else { return nil }
            if let index = state.entries.firstIndex(where: { $0.id == claim.id }) {
                state.entries[index].remaining += 1
            } else {
                var entry = claim
                entry.remaining = 1
                let index = state.entries.firstIndex { $0.id > entry.id } ?? state.entries.endIndex
                state.entries.insert(entry, at: index)
            }
            return nil
        }
    }
}
