internal import Dispatch
package import Payments
internal import Synchronization

/// A password whose verdict needs a slow derivation.
package struct UndecidedPassword: Sendable {
    /// The merchant's name in the request; there may be no such merchant.
    package let merchant: String
    /// The password that the request presents.
    package let password: PresentedPassword
    /// The derivations to compare with; empty if the merchant has none, or does not exist.
    package let derivations: [PasswordDerivation]
    /// The number of derivations to make. It hides from the response time how many derivations there are.
    package let rounds: Int
    /// The client's address; empty if unknown.
    package let peer: String

    /// Creates a password with everything that its verdict needs.
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

/// Makes the derivations for undecided passwords: one at a time, on a queue of its own, outside of the event loops.
///
/// Wrong passwords must not be a cheap way to slow a gateway down. So derivations use at most one core, at a low
/// priority. The number of waiting passwords is bounded, in total and per peer, and their order is that of
/// ``PasswordLine``. The same password for the same merchant needs one derivation, however often it is presented. If the
/// queue is full, or an attempt is removed for a peer with precedence, the caller is told to retry, which reveals nothing
/// about the password. After a merchant's password was right, it needs no queue: see ``RememberedPasswords``.
package final class PasswordQueue: Sendable {
    /// The maximum number of waiting passwords; the last one waits about 7 s.
    static let waitingMax = 32
    /// The maximum number of waiting passwords of one peer.
    static let waitingMaxOfPeer = 4

    /// The verdict on a password.
    package enum Verdict {
        case right
        case wrong
        /// Too many passwords are waiting, or there was not enough memory for the derivation.
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

    /// Creates a queue that records right passwords in `remembered`.
    package init(_ remembered: RememberedPasswords) { self.remembered = remembered }

    /// Determines whether a password is right. Returns to the caller's executor.
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

    /// Checks the next waiting password. Called once for each attempt that was added; does nothing if none is waiting,
    /// since attempts may have been removed.
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
                // The same password may have been found right while this attempt was waiting.
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
