internal import Payments
internal import Synchronization

/// The scripts that wait for their operations.
///
/// An operation claims the first script that concerns it before it is carried out, uses it when the acquirer is asked,
/// and settles it with its reply. A claim that was not used is given back, so that exactly as many operations are
/// steered as were asked for, however many requests come at once.
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

    private struct Claim {
        let entry: Entry
        var isUsed = false
    }

    private struct State {
        /// In the order in which they came.
        var entries: [Entry] = []
        var claims: [TransactionKey: Claim] = [:]
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

    /// Removes all scripts. Operations under way keep theirs.
    func removeAll() {
        state.withLock { state in
            state.entries = []
            state.lastRemovedID = state.lastID
        }
    }

    /// Claims a script for an operation; nothing if none concerns it, or the same operation is under way.
    func claim(for key: TransactionKey) -> OutcomeScript? {
        state.withLock { state in
            guard !state.entries.isEmpty, state.claims[key] == nil,
                let index = state.entries.firstIndex(where: { $0.script.concerns(key.order) })
            else { return nil }
            let entry = state.entries[index]
            state.claims[key] = Claim(entry: entry)
            if entry.remaining > 1 {
                state.entries[index].remaining -= 1
            } else {
                state.entries.remove(at: index)
            }
            return entry.script
        }
    }

    /// The script that an operation has claimed, which is used with this; always the same while it is under way.
    func use(by key: TransactionKey) -> OutcomeScript? {
        state.withLock { state in
            guard state.claims[key] != nil else { return nil }
            state.claims[key]?.isUsed = true
            return state.claims[key]?.entry.script
        }
    }

    /// Ends a claim. One that was not used, or whose operation was refused after all, is given back.
    ///
    /// - Returns: whether the operation was steered by its script.
    func settle(_ key: TransactionKey, isCarriedOut: Bool) -> Bool {
        state.withLock { state in
            guard let claim = state.claims.removeValue(forKey: key) else { return false }
            guard !claim.isUsed || !isCarriedOut else { return true }
            guard claim.entry.id > state.lastRemovedID else { return false }
            if let index = state.entries.firstIndex(where: { $0.id == claim.entry.id }) {
                state.entries[index].remaining += 1
            } else {
                var entry = claim.entry
                entry.remaining = 1
                let index = state.entries.firstIndex { $0.id > entry.id } ?? state.entries.endIndex
                state.entries.insert(entry, at: index)
            }
            return false
        }
    }
}

/// A transaction among all of the installation.
struct TransactionKey: Hashable, Sendable {
    let order: OrderKey
    let transaction: TransactionID
}
