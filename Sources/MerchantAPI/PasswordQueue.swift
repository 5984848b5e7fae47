internal import Dispatch
internal import Payments
internal import Synchronization

/// A password that is neither right nor wrong until something was derived from it.
struct UndecidedPassword: Sendable {
    /// The merchant whose password it is said to be; there may be none of this name.
    let merchant: String
    let password: PresentedPassword
    /// The derivations of which it may be the password; none if the merchant has none, or there is no such merchant.
    let derivations: [PasswordDerivation]
    /// How many derivations are made, so that the time doesn't tell how many there were.
    let rounds: Int
    /// Who asks; empty if that is not known.
    let peer: String
}

/// Makes the derivations that undecided passwords need: one at a time, on a queue of its own, beside the event loops.
///
/// A wrong password must not be a cheap way to keep a gateway from its work. So derivations never take more than one core,
/// at a low priority; few may wait, and fewer of one peer; the same password of the same merchant waits for one derivation,
/// however often it is presented; and who comes when too many wait is told to come again, which tells nothing of the
/// password. Once a merchant's password was right, none of this concerns it: see ``RememberedPasswords``.
final class PasswordQueue: Sendable {
    /// How many passwords wait at most; the last one some 7 s.
    static let waitingMax = 32
    /// How many passwords of one peer wait at most.
    static let waitingMaxOfPeer = 4

    enum Verdict {
        case right
        case wrong
        /// Too many wait, or there was no memory for the derivation.
        case busy
    }

    private struct Key: Hashable {
        let merchant: String
        let password: PresentedPassword
    }

    private struct State {
        var waiting: [Key: [CheckedContinuation<Verdict, Never>]] = [:]
        var countOfPeer: [String: Int] = [:]
    }

    private let remembered: RememberedPasswords
    private let decoy = PasswordDerivation.decoy()
    private let queue = DispatchQueue(label: "tollgate.passwords", qos: .utility)
    private let state = Mutex(State())

    init(_ remembered: RememberedPasswords) { self.remembered = remembered }

    /// Whether a password is right. Returns to the caller's executor.
    func verdict(on attempt: UndecidedPassword) async -> Verdict {
        let key = Key(merchant: attempt.merchant, password: attempt.password)
        return await withCheckedContinuation { continuation in
            enum Place { case first, joined, none }
            let place = state.withLock { state -> Place in
                if state.waiting[key] != nil {
                    state.waiting[key]?.append(continuation)
                    return .joined
                }
                guard state.waiting.count < Self.waitingMax,
                    state.countOfPeer[attempt.peer, default: 0] < Self.waitingMaxOfPeer
                else { return .none }
                state.waiting[key] = [continuation]
                state.countOfPeer[attempt.peer, default: 0] += 1
                return .first
            }
            switch place {
            case .first: queue.async { self.finish(key, of: attempt.peer, self.judge(attempt)) }
            case .joined: break
            case .none: continuation.resume(returning: .busy)
            }
        }
    }

    private func judge(_ attempt: UndecidedPassword) -> Verdict {
        var isRight = false
        do {
            for derivation in attempt.derivations {
                // Another attempt may have been right while this one waited.
                if let known = remembered.isRight(attempt.password, of: derivation) {
                    isRight = isRight || known
                } else if try derivation.matches(attempt.password.text) {
                    remembered.remember(attempt.password, of: derivation)
                    isRight = true
                }
            }
            for _ in attempt.derivations.count..<max(attempt.derivations.count, attempt.rounds) {
                _ = try decoy.matches(attempt.password.text)
            }
        } catch {
            return .busy
        }
        return isRight ? .right : .wrong
    }

    private func finish(_ key: Key, of peer: String, _ verdict: Verdict) {
        let waiting = state.withLock { state in
            let count = state.countOfPeer[peer, default: 1] - 1
            state.countOfPeer[peer] = count == 0 ? nil : count
            return state.waiting.removeValue(forKey: key) ?? []
        }
        for continuation in waiting { continuation.resume(returning: verdict) }
    }
}
