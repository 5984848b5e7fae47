internal import Payments
internal import Synchronization
internal import Values

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
        /// The number of remaining operations; nil if the script waits until it is removed.
        var remaining: Int?
    }

    /// A script that an operation in flight has claimed.
    private struct Claim {
        let entry: Entry
        /// Whether the script was removed since.
        var isRemoved = false
    }

    private struct State {
        /// In the order in which the scripts were added.
        var entries: [Entry] = []
        var claims: [TransactionKey: Claim] = [:]
        var lastID = 0

        /// Removes scripts, claimed ones, too. Returns false if there was none.
        mutating func remove(where isRemoved: (Entry) -> Bool) -> Bool {
            let count = entries.count
            entries.removeAll(where: isRemoved)
            let claimed = claims.filter { !$1.isRemoved && isRemoved($1.entry) }.keys
            for key in claimed { claims[key]?.isRemoved = true }
            return entries.count < count || !claimed.isEmpty
        }
    }

    private let state = Mutex(State())

    /// Creates a register without scripts.
    public init() {}

    /// Adds a script for the next `count` operations, or for all until it is removed if `count` is 0.
    ///
    /// - Returns: the script's id; nil if the maximum number of scripts is waiting.
    func add(_ script: OutcomeScript, count: Int) -> Int? {
        state.withLock { state in
            guard state.entries.count < Self.countMax else { return nil }
            state.lastID += 1
            state.entries.append(Entry(id: state.lastID, script: script, remaining: count == 0 ? nil : count))
            return state.lastID
        }
    }

    /// The waiting scripts, in the order in which they were added, each with its number of remaining operations, 0 if it
    /// waits until it is removed.
    var waiting: [(id: Int, script: OutcomeScript, remaining: Int)] {
        state.withLock { $0.entries.map { ($0.id, $0.script, $0.remaining ?? 0) } }
    }

    /// Removes all scripts. Operations in flight keep the scripts that they have claimed.
    func removeAll() { state.withLock { _ = $0.remove { _ in true } } }

    /// Removes the scripts that are only for one merchant, as ``removeAll()`` does all.
    func removeAll(of merchant: MerchantID) { state.withLock { _ = $0.remove { $0.script.merchant == merchant } } }

    /// Removes one script, as ``removeAll()`` does all; returns false if none has the id.
    func remove(id: Int) -> Bool { state.withLock { $0.remove { $0.id == id } } }

    /// Claims a script for an operation; nil if no script matches, or if a concurrent repetition of the request has a
    /// claim.
    func claim(for command: AcquirerCommand) -> OutcomeScript? {
        state.withLock { state in
            guard !state.entries.isEmpty, state.claims[command.key] == nil,
                let index = state.entries.firstIndex(where: { $0.script.concerns(command) })
            else { return nil }
            let entry = state.entries[index]
            state.claims[command.key] = Claim(entry: entry)
            switch entry.remaining {
            case nil: break
            case 1: state.entries.remove(at: index)
            case let remaining?: state.entries[index].remaining = remaining - 1
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
            guard !isCommitted else { return claim.entry.script }
            guard !claim.isRemoved, claim.entry.remaining != nil else { return nil }
            var entry = claim.entry
            if let index = state.entries.firstIndex(where: { $0.id == entry.id }) {
                state.entries[index].remaining = (state.entries[index].remaining ?? 0) + 1
            } else {
                entry.remaining = 1
                let index = state.entries.firstIndex { $0.id > entry.id } ?? state.entries.endIndex
                state.entries.insert(entry, at: index)
            }
            return nil
        }
    }
}
