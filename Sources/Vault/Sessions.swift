internal import OpenSSL
public import Values

/// The limits on sessions: their number, size and lifetime.
public struct SessionSettings: Sendable {
    /// The lifetime of a session since its last change or use, in milliseconds; 15 minutes by default.
    public var idleMilliseconds: Int64 = 15 * 60 * 1000
    /// The maximum number of sessions of a merchant at one time; 100,000 by default. Beyond it, a new session replaces
    /// the oldest one that was never used. If all were used, the new session is refused.
    public var countMax = 100_000
    /// The maximum size of a session's fields in bytes of JSON; by default 32 KiB, several times the largest payment
    /// token.
    public var fieldsByteCountMax = 32 * 1024
    /// `session.authenticationLimit` if the merchant gives none; 5 by default.
    public var authenticationLimit: Int64 = 5

    /// Creates the default settings.
    public init() {}
}

/// Creates, changes and retrieves sessions. Their content is sealed in the store.
public struct Sessions: Sendable {
    /// The maximum number of attempts at a change when concurrent changes are committed first.
    static let attemptsMax = 64

    private let texts: SealedTexts
    private let settings: SessionSettings
    private let randomBytes: @Sendable (Int) -> [UInt8]

    /// Creates access to the sessions of an installation.
    ///
    /// - Parameters:
    ///   - randomBytes: the source of random bytes for identifiers and versions. Identifiers are passwords, so the
    ///     bytes must be unpredictable, except where reproducible identifiers are required.
    ///   - report: receives a failure for every session that can't be opened or read. The store reports its own
    ///     failures.
    public init(
        store: any SealedStore, keys: KeyRing, settings: SessionSettings = SessionSettings(),
        randomBytes: (@Sendable (Int) -> [UInt8])? = nil,
        report: @escaping @Sendable (StoreFailure) -> Void = { _ in }
    ) {
        texts = SealedTexts(store: store, keys: keys, report: report)
        self.settings = settings
        self.randomBytes = randomBytes ?? { RandomBytes.generate($0) }
    }

    /// CREATE SESSION: creates an empty session.
    public func create(
        for merchant: MerchantID, authenticationLimit: Int64?, at instant: Instant
    ) async throws(SessionRefusal) -> Session {
        for _ in 0..<Self.attemptsMax {
            let session = Session(
                merchant: merchant, id: Self.identifier(from: randomBytes),
                version: Session.version(randomBytes(4), count: 1), updateStatus: .noUpdate,
                authenticationLimit: authenticationLimit ?? settings.authenticationLimit, authenticationCount: 0,
                fields: .none, revision: 1)
            if try await write(session, at: instant) { return session }
        }
        throw .busy
    }

    /// UPDATE SESSION: merges fields into the stored ones. The fields are neither validated nor decrypted here.
    ///
    /// - Parameter version: the version that the session must have, if the request names one.
    public func update(
        _ id: String, of merchant: MerchantID, expecting version: String?, with change: StoredFields,
        at instant: Instant
    ) async throws(SessionRefusal) -> Session {
        for _ in 0..<Self.attemptsMax {
            let session = try await retrieve(id, of: merchant, expecting: version, at: instant)
            let updated = session.updated(with: change, versionBytes: randomBytes(4))
            guard updated.fields.byteCount <= settings.fieldsByteCountMax else { throw .sessionTooLarge }
            if try await write(updated, at: instant) { return updated }
        }
        throw .busy
    }

    /// RETRIEVE SESSION: returns the session's present state. This does not extend its lifetime.
    public func retrieve(
        _ id: String, of merchant: MerchantID, expecting version: String? = nil, at instant: Instant
    ) async throws(SessionRefusal) -> Session {
        guard let session = try await find(id, of: merchant, at: instant) else { throw .sessionNotFound }
        guard version == nil || version == session.version else { throw .sessionVersionDiffers }
        return session
    }

    /// The session for an operation that names it as a source of its fields.
    public func source(
        _ id: String, of merchant: MerchantID, expecting version: String?, at instant: Instant
    ) async throws(SessionRefusal) -> Session {
        let session = try await retrieve(id, of: merchant, expecting: version, at: instant)
        guard session.updateStatus == .success else { throw .sessionNotUpdated }
        return session
    }

    /// Records that an operation used a session: removes the fields that must not outlive an authorization, and renews
    /// the lifetime. Has no effect on a session that has expired.
    public func markUsed(_ id: String, of merchant: MerchantID, at instant: Instant) async throws(SessionRefusal) {
        for _ in 0..<Self.attemptsMax {
            guard let session = try await find(id, of: merchant, at: instant) else { return }
            if try await write(session.used(), at: instant) { return }
        }
        throw .busy
    }

    /// Whether a session's identifier, used as a password, authenticates one more request of the merchant. Each
    /// authenticated request is durably counted before this returns.
    public func authenticates(
        _ password: SecretText, as merchant: MerchantID, at instant: Instant
    ) async throws(SessionRefusal) -> Bool {
        guard password.utf8Count <= Self.identifierByteCountMax else { return false }
        let id = password.revealed()
        for _ in 0..<Self.attemptsMax {
            guard let session = try await find(id, of: merchant, at: instant) else { return false }
            guard let counted = session.authenticating() else { return false }
            if try await write(counted, at: instant) { return true }
        }
        throw .busy
    }

    /// Removes at most `countMax` expired sessions, and returns how many it removed. For idle programs: in a busy one,
    /// every write to the store removes expired sessions.
    public func removeExpired(at instant: Instant, countMax: Int) async throws(SessionRefusal) -> Int {
        do throws(StoreFailure) { return try await texts.removeExpired(at: instant, countMax: countMax) } catch {
            throw SessionRefusal(error)
        }
    }

    private static let identifierByteCountMax = 40

    private func find(
        _ id: String, of merchant: MerchantID, at instant: Instant
    ) async throws(SessionRefusal) -> Session? {
        guard id.utf8.count <= Self.identifierByteCountMax else { return nil }
        let found: SealedTexts.Found?
        do throws(StoreFailure) {
            found = try await texts.find(SealedOwner(.session, merchant: merchant, id: id))
        } catch { throw SessionRefusal(error) }
        guard let found, let expiry = found.expiry, instant < expiry
        else { return nil }
        do throws(RecordFault) {
            return try Session(record: found.text, merchant: merchant, id: id, revision: found.revision)
        } catch { throw .storeUnavailable(texts.damage("session: \(error)")) }
    }

    /// Writes a session with a new expiry; false if another change was committed first.
    private func write(_ session: Session, at instant: Instant) async throws(SessionRefusal) -> Bool {
        do throws(StoreFailure) {
            return try await texts.write(
                session.record, of: session.owner, revision: session.revision,
                expiry: instant.advanced(byMilliseconds: settings.idleMilliseconds),
                limit: GroupLimit(countMax: settings.countMax, replacesUnused: true), at: instant)
        } catch { throw SessionRefusal(error) }
    }

    /// `SESSION0002`, nine digits, a letter from A to N, eight digits, a letter from A to N, and a digit. This is the
    /// real gateway's form, and has 67 random bits.
    private static func identifier(from randomBytes: (Int) -> [UInt8]) -> String {
        "SESSION0002" + String(decimalDigits: 9, from: randomBytes) + letter(from: randomBytes)
            + String(decimalDigits: 8, from: randomBytes) + letter(from: randomBytes)
            + String(decimalDigits: 1, from: randomBytes)
    }

    private static func letter(from randomBytes: (Int) -> [UInt8]) -> String {
        String(UnicodeScalar(UInt8(ascii: "A") + randomBytes(1)[0] % 14))
    }
}

extension String {
    /// Creates random decimal digits, uniformly distributed.
    init(decimalDigits count: Int, from randomBytes: (Int) -> [UInt8]) {
        self = ""
        while utf8.count < count {
            // Bytes from 250 on are skipped: they would make the digits 0 to 5 more likely than 6 to 9.
            for byte in randomBytes(count - utf8.count) where byte < 250 { append(String(byte % 10)) }
        }
    }
}
