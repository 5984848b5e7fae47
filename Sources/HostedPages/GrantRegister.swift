internal import OpenSSL
internal import Synchronization
internal import Values

/// Which merchant sessions were used, and which grants came of them.
///
/// Each merchant has a bounded number of either, and the oldest goes first, so that no client can stop another merchant's. A
/// session that is so forgotten could be used again within its five minutes.
final class GrantRegister: Sendable {
    /// The most sessions, and the most grants, of one merchant that are remembered.
    static let countMax = 4096

    /// What a grant allows: one token for a merchant, to the pages of an origin.
    struct Grant: Sendable {
        let merchantIdentifierHash: [UInt8]
        let origin: String
        var isUsed = false
    }

    /// Why a grant allows nothing.
    enum Refusal: Error {
        case unknown, used, otherOrigin
    }

    private struct Entries {
        var used: Set<String> = []
        /// The used sessions with the keys of their grants, the oldest first.
        var order: [(session: String, key: [UInt8])] = []

        /// Uses a session up. Returns the key of a grant that is to be forgotten, too.
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
        /// By the SHA-256 of the grant, so that a search takes no time that depends on a guess.
        var grants: [[UInt8]: Grant] = [:]
    }

    private let state = Mutex(State())

    /// Uses a session up.
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

    /// Finds a grant that a page of an origin may use.
    func grant(_ text: String, origin: String) throws(Refusal) -> Grant {
        guard let grant = state.withLock({ $0.grants[SHA256.hash(Array(text.utf8))] }) else { throw .unknown }
        guard grant.origin == origin else { throw .otherOrigin }
        guard !grant.isUsed else { throw .used }
        return grant
    }

    /// Uses a grant up.
    ///
    /// - Returns: whether it could still be used.
    func use(_ text: String) -> Bool {
        let key = SHA256.hash(Array(text.utf8))
        return state.withLock { state in
            guard state.grants[key]?.isUsed == false else { return false }
            state.grants[key]?.isUsed = true
            return true
        }
    }
}
