internal import Dispatch
package import Payments
internal import Synchronization

/// A password that is neither right nor wrong until something was derived from it.
package struct UndecidedPassword: Sendable {
    /// The merchant whose password it is said to be; there may be none of this name.
    package let merchant: String
    /// The password that the request presents.
    package let password: PresentedPassword
    /// The derivations of which it may be the password; none if the merchant has none, or there is no such merchant.
    package let derivations: [PasswordDerivation]
    /// How many derivations are made, so that the time doesn't tell how many there were.
    package let rounds: Int
    /// The client's address; empty if unknown.
    package let peer: String

    /// A password with all that its verdict needs.
    package init(
        merchant: String, password: PresentedPassword, derivations: [PasswordDerivation], rounds: Int, peer: String
    ) {
        self.merchant = merchant
        self.password = password
        self.derivations = derivations
        self.rounds = rounds
        self.peer = peer
    }
}

/// Makes the derivations that undecided passwords need: one at a time, on a queue of its own, beside the event loops.
///
/// A wrong password must not be a cheap way to keep a gateway from its work. So derivations never take more than one core,
/// at a low priority; few may wait, and fewer of one peer, in the order of ``PasswordLine``; the same password of the same
/// merchant waits for one derivation, however often it is presented. A caller that finds too many waiting, or gives way to
/// a peer with a better claim, is asked to retry, which reveals nothing of the password. Once a merchant's password was
/// right, none of this concerns it: see ``RememberedPasswords``.
package final class PasswordQueue: Sendable {
    /// How many passwords wait at most; the last one some 7 s.
    static let waitingMax = 32
    /// How many passwords of one peer wait at most.
    static let waitingMaxOfPeer = 4

    /// Whether a password is right, if that could be found out.
    package enum Verdict {
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
        var line = PasswordLine<Key>(waitingMax: waitingMax, waitingMaxOfPeer: waitingMaxOfPeer)
        var waiting: [Key: (attempt: UndecidedPassword, callers: [CheckedContinuation<Verdict, Never>])] = [:]
    }

    private let remembered: RememberedPasswords
    private let decoy = PasswordDerivation.decoy()
    private let queue = DispatchQueue(label: "tollgate.passwords", qos: .utility)
    private let state = Mutex(State())

    /// A queue that records right passwords in `remembered`.
    package init(_ remembered: RememberedPasswords) { self.remembered = remembered }

    /// Whether a password is right. Returns to the caller's executor.
    package func verdict(on attempt: UndecidedPassword) async -> Verdict {
        let key = Key(merchant: attempt.merchant, password: attempt.password)
        return await withCheckedContinuation { continuation in
            let (place, displaced) = state.withLock { state in
                let (place, displaced) = state.line.enter(key, of: attempt.peer)
                switch place {
                case .first: state.waiting[key] = (attempt, [continuation])
                case .joined: state.waiting[key]?.callers.append(continuation)
                case .none: break
                }
                return (place, displaced.flatMap { state.waiting.removeValue(forKey: $0) })
            }
            for caller in displaced?.callers ?? [] { caller.resume(returning: .busy) }
            switch place {
            case .first: queue.async { self.judgeNext() }
            case .joined: break
            case .none: continuation.resume(returning: .busy)
            }
        }
    }

    /// Called as often as attempts came to wait; those that had to go leave it nothing to do.
    private func judgeNext() {
        let next = state.withLock { state -> (Key, UndecidedPassword)? in
            guard let key = state.line.next(), let attempt = state.waiting[key]?.attempt else { return nil }
            return (key, attempt)
        }
        guard let (key, attempt) = next else { return }
        let verdict = judge(attempt)
        let callers = state.withLock { state in
            state.line.finish(key, isWrong: verdict == .busy ? nil : verdict == .wrong)
            return state.waiting.removeValue(forKey: key)?.callers ?? []
        }
        for caller in callers { caller.resume(returning: verdict) }
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
}
