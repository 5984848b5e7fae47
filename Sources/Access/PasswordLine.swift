/// The order in which waiting passwords are checked, for all peers.
///
/// A peer is a newcomer if none of its other passwords is waiting and its last one was not wrong. Newcomers are
/// preferred: the youngest and the oldest alternate. So a newcomer among many, each with an address of its own, waits for
/// at most one check, and no newcomer waits forever. Every fourth check is for the other peers, of which the one with the
/// fewest failures is first.
struct PasswordLine<Attempt: Hashable & Sendable>: Sendable {
    /// The result of adding an attempt to the queue.
    enum Place: Equatable {
        /// The attempt is waiting, and must be checked.
        case first
        /// The same attempt is already waiting, and is checked once for both.
        case joined
        /// The queue is full.
        case none
    }

    private struct Entry {
        let attempt: Attempt
        /// All peers that presented the password.
        var peers: [String]
        var isNewcomer: Bool
    }

    private enum Turn: CaseIterable { case youngest, oldest, youngestAgain, others }

    /// The maximum number of failed peers that are remembered.
    static var failuresMax: Int { 1024 }

    private let waitingMax: Int
    private let waitingMaxOfPeer: Int
    /// The waiting attempts, the youngest last.
    private var waiting: [Entry] = []
    /// The attempts that are being checked.
    private var judged: [Entry] = []
    private var failures: [String: Int] = [:]
    /// The peers that failed, the latest last.
    private var failed: [String] = []
    private var turn = 0

    init(waitingMax: Int, waitingMaxOfPeer: Int) {
        self.waitingMax = waitingMax
        self.waitingMaxOfPeer = waitingMaxOfPeer
    }

    /// Adds an attempt.
    ///
    /// - Returns: its place, and the attempt that was removed to make room, if any.
    mutating func enter(_ attempt: Attempt, of peer: String) -> (place: Place, displaced: Attempt?) {
        let count = (waiting + judged).count { $0.peers.contains(peer) }
        let isNewcomer = count == 0 && failures[peer] == nil
        if let index = waiting.firstIndex(where: { $0.attempt == attempt }) {
            waiting[index].peers.append(peer)
            waiting[index].isNewcomer = waiting[index].isNewcomer || isNewcomer
            return (.joined, nil)
        }
        if let index = judged.firstIndex(where: { $0.attempt == attempt }) {
            judged[index].peers.append(peer)
            return (.joined, nil)
        }
        guard count < waitingMaxOfPeer else { return (.none, nil) }
        var displaced: Attempt?
        if waiting.count + judged.count >= waitingMax {
            guard isNewcomer, let index = displaceable else { return (.none, nil) }
            displaced = waiting.remove(at: index).attempt
        }
        waiting.append(Entry(attempt: attempt, peers: [peer], isNewcomer: isNewcomer))
        return (.first, displaced)
    }

    /// Returns the attempt to check now; it is being checked until ``finish(_:isWrong:)``. Nil if none is waiting.
    mutating func next() -> Attempt? {
        guard !waiting.isEmpty else { return nil }
        let order: [Int?] =
            switch Turn.allCases[turn % Turn.allCases.count] {
            case .youngest, .youngestAgain: [youngestNewcomer, bestOther]
            case .oldest: [oldestNewcomer, bestOther]
            case .others: [bestOther, oldestNewcomer]
            }
        turn += 1
        guard let index = order.compactMap(\.self).first else { preconditionFailure("each is a newcomer or another") }
        let entry = waiting.remove(at: index)
        judged.append(entry)
        return entry.attempt
    }

    /// Records the verdict on an attempt.
    ///
    /// - Parameter isWrong: nil if there is no verdict.
    mutating func finish(_ attempt: Attempt, isWrong: Bool?) {
        guard let index = judged.firstIndex(where: { $0.attempt == attempt }) else { return }
        for peer in judged.remove(at: index).peers {
            switch isWrong {
            case true?: noteFailure(of: peer)
            case false?:
                failures[peer] = nil
                failed.removeAll { $0 == peer }
            case nil: break
            }
        }
    }

    private var youngestNewcomer: Int? { waiting.lastIndex(where: \.isNewcomer) }
    private var oldestNewcomer: Int? { waiting.firstIndex(where: \.isNewcomer) }

    private var bestOther: Int? {
        waiting.indices.filter { !waiting[$0].isNewcomer }.min { failureCount($0) < failureCount($1) }
    }

    /// The index of the attempt to remove for a newcomer: the worst attempt of other peers, or else the oldest
    /// newcomer's.
    private var displaceable: Int? {
        waiting.indices.filter { !waiting[$0].isNewcomer }.max { failureCount($0) < failureCount($1) } ?? oldestNewcomer
    }

    private func failureCount(_ index: Int) -> Int { waiting[index].peers.map { failures[$0] ?? 0 }.min() ?? 0 }

    private mutating func noteFailure(of peer: String) {
        failures[peer, default: 0] += 1
        failed.removeAll { $0 == peer }
        failed.append(peer)
        if failed.count > Self.failuresMax { failures[failed.removeFirst()] = nil }
    }
}
