/// In which order undecided passwords are judged, of whatever peers.
///
/// A peer of whom nothing else waits, and whose last password was not wrong, is a newcomer. Newcomers go first: the youngest and
/// the oldest in turn, so that one who comes among many, each from an address of its own, waits for one judgement at most, and
/// none is forgotten. Every fourth turn is for the others, of whom the peer with the fewest failures goes first.
struct PasswordLine<Attempt: Hashable & Sendable>: Sendable {
    /// Whether an attempt got a place in the queue.
    enum Place: Equatable {
        /// It waits, and has to be judged.
        case first
        /// The same one waits already, and is judged once for both.
        case joined
        /// There is no room.
        case none
    }

    private struct Entry {
        let attempt: Attempt
        /// All who presented it.
        var peers: [String]
        var isNewcomer: Bool
    }

    private enum Turn: CaseIterable { case youngest, oldest, youngestAgain, others }

    /// How many peers that failed are remembered.
    static var failuresMax: Int { 1024 }

    private let waitingMax: Int
    private let waitingMaxOfPeer: Int
    /// The youngest last.
    private var waiting: [Entry] = []
    /// Those that are being judged.
    private var judged: [Entry] = []
    private var failures: [String: Int] = [:]
    /// Who failed, the latest last.
    private var failed: [String] = []
    private var turn = 0

    init(waitingMax: Int, waitingMaxOfPeer: Int) {
        self.waitingMax = waitingMax
        self.waitingMaxOfPeer = waitingMaxOfPeer
    }

    /// Takes an attempt in.
    ///
    /// - Returns: its place, and the attempt that had to go for it, if one had to.
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

    /// The attempt to judge now, until ``finish(_:isWrong:)``; nil if none waits.
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

    /// Records a verdict.
    ///
    /// - Parameter isWrong: nil if there was none.
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

    /// Which one goes for a newcomer: the worst of the others, else the oldest newcomer.
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
