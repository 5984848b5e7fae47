internal import OpenSSL
public import Payments
public import Values

/// Checks whether an API key belongs to a store, for APIs that receive the key in a header field of its own.
///
/// An unknown store and a wrong key take the same time. Verdicts that need no slow derivation are available at once.
/// Derivations run outside of the event loop, as for passwords. As long as any store has a key that needs a derivation,
/// every wrong key is checked by a derivation.
public struct APIKeyAuthentication: Sendable {
    /// The verdict on a key.
    public enum Verdict: Equatable, Sendable {
        /// The key is the store's.
        case right
        /// The key is wrong, or there is no such store.
        case wrong
        /// The key was not checked, since too many keys are waiting.
        case busy
    }

    /// A verdict, or a function that determines it.
    public enum Finding: Sendable {
        /// The verdict is known at once.
        case known(Verdict)
        /// The verdict requires waiting.
        case later(@Sendable () async -> Verdict)
    }

    private let remembered: RememberedPasswords
    private let queue: PasswordQueue
    private let decoy = APIPassword(digesting: SecretText(Hexadecimal.encoded(RandomBytes.generate(16))))

    /// Creates an authentication with an empty cache.
    public init() {
        remembered = RememberedPasswords()
        queue = PasswordQueue(remembered)
    }

    /// Checks the key that a client presents for a store.
    ///
    /// - Parameters:
    ///   - store: the store id in the request, whether or not the store exists.
    ///   - candidates: the store's keys; empty if there is no such store.
    ///   - all: the keys of all stores.
    ///   - peer: the client's address; empty if unknown.
    public func finding(
        on key: SecretText, store: String, candidates: [APIPassword], among all: [[APIPassword]], peer: String
    ) -> Finding {
        let presented = PresentedPassword(key)
        var isRight = false
        for candidate in candidates { isRight = candidate.matches(presented, remembered) == true || isRight }
        for _ in candidates.count..<max(Merchant.passwordsMax, candidates.count) {
            _ = decoy.matches(presented, remembered)
        }
        if isRight { return .known(.right) }
        func unknown(_ keys: [APIPassword]) -> [PasswordDerivation] {
            remembered.unknown(among: keys.compactMap(\.derivation))
        }
        let rounds = all.map { unknown($0).count }.max() ?? 0
        guard rounds > 0 else { return .known(.wrong) }
        let attempt = UndecidedPassword(
            merchant: store, password: presented, derivations: unknown(candidates), rounds: rounds, peer: peer)
        let queue = queue
        return .later {
            switch await queue.verdict(on: attempt) {
            case .right: .right
            case .wrong: .wrong
            case .busy: .busy
            }
        }
    }
}
