internal import OpenSSL
internal import Synchronization
internal import Values

/// The merchant sessions that were used, and the grants created from them.
///
/// The numbers of both are limited for each merchant, and the oldest are evicted first, so that no client can block
/// another merchant. An evicted session could be used a second time within its five minutes.
final class GrantRegister: Sendable {
    /// The maximum number of sessions, and of grants, that are remembered for one merchant.
    static let countMax = 4096

    /// The permission of a grant: one token for a merchant, for pages of one origin.
    struct Grant: Sendable {
        let merchantIdentifierHash: [UInt8]
        let origin: String
        var isUsed = false
    }

    /// The reason why a grant is refused.
    enum Refusal: Error {
        case unknown, used, otherOrigin
    }

    private struct Entries {
        var used: Set<String> = []
        /// The used sessions with the keys of their grants, oldest first.
        var order: [(session: String, key: [UInt8])] = []

        /// Marks a session as used. Also returns the key of the grant to remove, if the session evicted another one.
        mutating func use(_ session: String, _ key: [UInt8]) -> (isNew: Bool, forgotten: [UInt8]?) {
            guard used.insert(session).inserted else { return (false, nil) }
            order.append((session, key))
            guard order.count > countMax else { return (true, nil) }
            let oldest = order.removeFirst()
            used.remove(oldest.session)
            return (true, oldest.key)
        }
    }

    private struct State {
        var merchants: [[UInt8]: Entries] = [:]
        /// The grants by their SHA-256 hash, so that the lookup time reveals nothing about a guessed grant.
        var grants: [[UInt8]: Grant] = [:]
    }

    private let state = Mutex(State())

    /// Exchanges a session for a grant. A session can be used once.
    ///
    /// - Returns: the grant, 32 random bytes in base64url; nil if the session was used before.
    func redeem(session: String, merchantIdentifierHash: [UInt8], origin: String) -> String? {
        let text = Base64.encoded(RandomBytes.generate(32)).filter { $0 != "=" }
            .replacing("+", with: "-").replacing("/", with: "_")
        let key = SHA256.hash(Array(text.utf8))
        let isNew = state.withLock { state in
            let (isNew, forgotten) = state.merchants[merchantIdentifierHash, default: Entries()].use(session, key)
            guard isNew else { return false }
            if let forgotten { state.grants[forgotten] = nil }
            state.grants[key] = Grant(merchantIdentifierHash: merchantIdentifierHash, origin: origin)
            return true
        }
        return isNew ? text : nil
    }

    /// Returns a grant that pages of this origin may use.
    func grant(_ text: String, origin: String) throws(Refusal) -> Grant {
        guard let grant = state.withLock({ $0.grants[SHA256.hash(Array(text.utf8))] }) else { throw .unknown }
        guard grant.origin == origin else { throw .otherOrigin }
        guard !grant.isUsed else { throw .used }
        return grant
    }

    /// Uses a grant. A grant can be used once.
    ///
    /// - Returns: whether the grant was still unused.
    func use(_ text: String) -> Bool {
        let key = SHA256.hash(Array(text.utf8))
        return state.withLock { state in
            guard state.grants[key]?.isUsed == false else { return false }
            state.grants[key]?.isUsed = true
            return true
        }
    }
}
