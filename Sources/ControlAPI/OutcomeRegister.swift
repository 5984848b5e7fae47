internal import Payments
internal import Synchronization

/// The scripts that are waiting for their operations.
///
/// When the acquirer is asked to answer an operation, it claims the first script that matches. If the operation is
/// refused afterwards, the claim is released. So exactly the requested number of operations is scripted, even with
/// concurrent requests.
public final class OutcomeRegister: Sendable {
    /// The maximum number of waiting scripts.
    public static let countMax = 256
    /// The maximum number of operations of one script.
    public static let operationsMax = 10_000

    private struct Entry {
        let id: Int
        let script: OutcomeScript
        var remaining: Int
    }

    private struct State {
        /// In the order in which the scripts were added.
        var entries: [Entry] = []
        var claims: [TransactionKey: Entry] = [:]
        var lastID = 0
        /// The id of the last script at the time when all scripts were removed.
        var lastRemovedID = 0
    }

    private let state = Mutex(State())

    /// Creates a register without scripts.
    public init() {}

    /// Adds a script for the next `count` operations; returns false if the maximum number of scripts is waiting.
    func add(_ script: OutcomeScript, count: Int) -> Bool {
        state.withLock { state in
            guard state.entries.count < Self.countMax else { return false }
            state.lastID += 1
            state.entries.append(Entry(id: state.lastID, script: script, remaining: count))
            return true
        }
    }

    /// The waiting scripts, in the order in which they were added, each with its number of remaining operations.
    var waiting: [(script: OutcomeScript, remaining: Int)] {
        state.withLock { $0.entries.map { ($0.script, $0.remaining) } }
    }

    /// Removes all scripts. Operations in flight keep the scripts that they have claimed.
    func removeAll() {
        state.withLock { state in
            state.entries = []
            state.lastRemovedID = state.lastID
        }
    }

    /// Claims a script for an operation; nil if no script matches, or if a concurrent repetition of the request has a
    /// claim.
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
    /// - Returns: the script that was applied to the operation, if any.
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
