public import JSON
internal import OpenSSL
public import Values

/// Makes, changes and gives the tokens that stand for cards. What they stand for lies sealed in the store.
///
/// Every card that is stored gets a token of its own, whether or not the merchant has one for it already: what the real
/// gateway's documentation calls the usual way. So nothing is kept by which a card could be recognised.
public struct CardTokens: Sendable {
    /// How many tokens a merchant has at most, unless said: more than any test needs, some 500 MB of a disk.
    public static let countMaxDefault = 1_000_000

    private let texts: SealedTexts
    private let countMax: Int
    private let randomBytes: @Sendable (Int) -> [UInt8]

    /// The paths that a token keeps.
    static let keptPaths: Set<String> = [
        "sourceOfFunds", "sourceOfFunds.type", "sourceOfFunds.provided", "sourceOfFunds.provided.card",
        "sourceOfFunds.provided.card.number", "sourceOfFunds.provided.card.nameOnCard",
        "sourceOfFunds.provided.card.expiry", "sourceOfFunds.provided.card.expiry.month",
        "sourceOfFunds.provided.card.expiry.year",
    ]

    /// The tokens of an installation.
    ///
    /// - Parameters:
    ///   - countMax: how many a merchant has at most. Tokens don't expire, so further ones are refused.
    ///   - randomBytes: makes the tokens of.
    ///   - report: receives what can't be opened or read; the store reports its own failures.
    public init(
        store: any SealedStore, keys: KeyRing, countMax: Int = countMaxDefault,
        randomBytes: (@Sendable (Int) -> [UInt8])? = nil,
        report: @escaping @Sendable (StoreFailure) -> Void = { _ in }
    ) {
        texts = SealedTexts(store: store, keys: keys, report: report)
        self.countMax = countMax
        self.randomBytes = randomBytes ?? { RandomBytes.generate($0) }
    }

    /// Stores a card under a new token.
    ///
    /// - Parameter details: an object with the card's fields at the paths of a request, checked; what a token doesn't keep is
    ///   left out.
    public func create(
        for merchant: MerchantID, _ details: JSONNode, _ verificationStrategy: CardToken.VerificationStrategy,
        at instant: Instant
    ) async throws(SessionRefusal) -> CardToken {
        for _ in 0..<Sessions.attemptsMax {
            let token = CardToken(
                merchant: merchant, id: Self.identifier(from: randomBytes), fields: Self.kept(details),
                verificationStrategy: verificationStrategy, lastUpdated: instant, lastUsed: instant, revision: 1)
            if try await write(token, at: instant) { return token }
        }
        throw .busy
    }

    /// Stores a card in place of the one that a token stood for.
    public func replace(
        _ id: String, of merchant: MerchantID, _ details: JSONNode,
        _ verificationStrategy: CardToken.VerificationStrategy, at instant: Instant
    ) async throws(SessionRefusal) -> CardToken {
        for _ in 0..<Sessions.attemptsMax {
            let before = try await retrieve(id, of: merchant)
            let token = CardToken(
                merchant: merchant, id: id, fields: Self.kept(details), verificationStrategy: verificationStrategy,
                lastUpdated: max(instant, before.lastUpdated), lastUsed: before.lastUsed,
                revision: before.revision + 1)
            if try await write(token, at: instant) { return token }
        }
        throw .busy
    }

    /// A token of a merchant's.
    public func retrieve(_ id: String, of merchant: MerchantID) async throws(SessionRefusal) -> CardToken {
        guard id.utf8.count <= Self.identifierByteCountMax else { throw .tokenNotFound }
        let found: SealedTexts.Found?
        do throws(StoreFailure) {
            found = try await texts.find(SealedOwner(.cardToken, merchant: merchant, id: id))
        } catch { throw SessionRefusal(error) }
        guard let found else { throw .tokenNotFound }
        do throws(RecordFault) {
            return try CardToken(record: found.text, merchant: merchant, id: id, revision: found.revision)
        } catch { throw .storeUnavailable(texts.damage("token: \(error)")) }
    }

    /// Notes that an operation has used a token. A token that was deleted meanwhile stays deleted.
    public func markUsed(_ id: String, of merchant: MerchantID, at instant: Instant) async throws(SessionRefusal) {
        for _ in 0..<Sessions.attemptsMax {
            let token: CardToken
            do throws(SessionRefusal) { token = try await retrieve(id, of: merchant) } catch {
                guard error == .tokenNotFound else { throw error }
                return
            }
            if try await write(token.used(at: instant), at: instant) { return }
        }
        throw .busy
    }

    /// Forgets a token and the card that it stood for.
    public func delete(_ id: String, of merchant: MerchantID) async throws(SessionRefusal) {
        guard id.utf8.count <= Self.identifierByteCountMax else { throw .tokenNotFound }
        let wasThere: Bool
        do throws(StoreFailure) {
            wasThere = try await texts.remove(SealedOwner(.cardToken, merchant: merchant, id: id))
        } catch { throw SessionRefusal(error) }
        guard wasThere else { throw .tokenNotFound }
    }

    /// Four bytes of UTF-8 for each of 40 characters.
    private static let identifierByteCountMax = 160

    private static func kept(_ details: JSONNode) -> StoredFields {
        StoredFields(details) { _, path in keptPaths.contains(path) }
    }

    private func write(_ token: CardToken, at instant: Instant) async throws(SessionRefusal) -> Bool {
        do throws(StoreFailure) {
            return try await texts.write(
                token.record, of: token.owner, revision: token.revision, expiry: nil,
                limit: GroupLimit(countMax: countMax), at: instant)
        } catch { throw SessionRefusal(error) }
    }

    /// A 9, which no issuer of payment cards begins with (ISO/IEC 7812-1), 14 random digits, and their check digit.
    private static func identifier(from randomBytes: (Int) -> [UInt8]) -> String {
        let digits = "9" + String(decimalDigits: 14, from: randomBytes)
        guard let whole = (0...9).lazy.map({ digits + "\($0)" }).first(where: { (try? AccountNumber($0)) != nil })
        else { preconditionFailure("one of ten digits is the check digit") }
        return whole
    }
}
