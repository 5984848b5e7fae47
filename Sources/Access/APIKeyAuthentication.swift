internal import OpenSSL
public import Payments
public import Values

/// Finds out whether an API key is a store's, for APIs that send one in a header field of its own.
///
/// An unknown store and a wrong key cost the same time. What can be answered at once is; where a key can only be judged by a slow
/// derivation, that is done beside the event loop, as for passwords, and as long as any store has such a key so is every wrong
/// one judged.
public struct APIKeyAuthentication: Sendable {
    /// A key's state.
    public enum Verdict: Equatable, Sendable {
        /// It is the store's.
        case right
        /// It isn't, or there is no such store.
        case wrong
        /// So many keys wait to be judged that this one wasn't.
        case busy
    }

    /// A verdict, or how to come to one.
    public enum Finding: Sendable {
        /// Known at once.
        case known(Verdict)
        /// Known after some waiting.
        case later(@Sendable () async -> Verdict)
    }

    private let remembered: RememberedPasswords
    private let queue: PasswordQueue
    private let decoy = APIPassword(digesting: SecretText(Hexadecimal.encoded(RandomBytes.generate(16))))

    /// An authentication that remembers nothing yet.
    public init() {
        remembered = RememberedPasswords()
        queue = PasswordQueue(remembered)
    }

    /// Judges the key that someone presents for a store.
    ///
    /// - Parameters:
    ///   - store: the id that is named, whether there is such a store or not.
    ///   - candidates: the store's keys; none if there is no such store.
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
