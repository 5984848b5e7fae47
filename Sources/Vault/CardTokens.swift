public import JSON
internal import OpenSSL
public import Values

/// Creates, changes and retrieves card tokens. The cards are sealed in the store.
///
/// Every stored card gets a new token, even if the merchant has one for the same card. The real gateway's documentation
/// calls this the usual way. So the store needs no value by which a card could be recognized.
public struct CardTokens: Sendable {
    /// The default maximum number of tokens for one merchant: more than any test needs, and about 500 MB on disk.
    public static let countMaxDefault = 1_000_000

    private let texts: SealedTexts
    private let countMax: Int
    private let randomBytes: @Sendable (Int) -> [UInt8]

    /// The paths of the fields that a token stores.
    static let keptPaths: Set<String> = [
        "sourceOfFunds", "sourceOfFunds.type", "sourceOfFunds.provided", "sourceOfFunds.provided.card",
        "sourceOfFunds.provided.card.number", "sourceOfFunds.provided.card.nameOnCard",
        "sourceOfFunds.provided.card.expiry", "sourceOfFunds.provided.card.expiry.month",
        "sourceOfFunds.provided.card.expiry.year",
    ]

    /// Creates access to the tokens of an installation.
    ///
    /// - Parameters:
    ///   - countMax: the maximum number of tokens for one merchant. Tokens don't expire, so a full merchant gets no new
    ///     ones.
    ///   - randomBytes: the source of random bytes for tokens.
    ///   - report: receives a failure for every token that can't be opened or read. The store reports its own failures.
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
    /// - Parameter details: an object with the card's fields at the paths of a request, already checked. Fields that a
    ///   token doesn't store are omitted.
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

    /// Stores another card under an existing token, in place of the previous card.
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

    /// Retrieves a token of a merchant.
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

    /// Records that an operation used a token. Has no effect if the token has been deleted.
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

    /// Deletes a token and its card.
    public func delete(_ id: String, of merchant: MerchantID) async throws(SessionRefusal) {
        guard id.utf8.count <= Self.identifierByteCountMax else { throw .tokenNotFound }
        let wasThere: Bool
        do throws(StoreFailure) {
            wasThere = try await texts.remove(SealedOwner(.cardToken, merchant: merchant, id: id))
        } catch { throw SessionRefusal(error) }
        guard wasThere else { throw .tokenNotFound }
    }

    /// The maximum size of an identifier: 40 characters of up to four bytes of UTF-8 each.
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

    /// A 9, with which no payment card number begins (ISO/IEC 7812-1), then 14 random digits and their check digit.
    private static func identifier(from randomBytes: (Int) -> [UInt8]) -> String {
        let digits = "9" + String(decimalDigits: 14, from: randomBytes)
        guard let whole = (0...9).lazy.map({ digits + "\($0)" }).first(where: { (try? AccountNumber($0)) != nil })
        else { preconditionFailure("one of ten digits is the check digit") }
        return whole
    }
}
