internal import OpenSSL
public import Values

/// How many sessions there may be, how large and for how long.
public struct SessionSettings: Sendable {
    /// How long a session lasts that nobody changes or uses, in milliseconds; a quarter of an hour unless said.
    public var idleMilliseconds: Int64 = 15 * 60 * 1000
    /// How many sessions a merchant may have at once; 100,000 unless said. Beyond them the oldest that was never used goes for
    /// a new one; if all were used, the new one is refused.
    public var countMax = 100_000
    /// How many bytes of JSON a session may hold; 32 KiB unless said, several times the largest payment token.
    public var fieldsByteCountMax = 32 * 1024
    /// `session.authenticationLimit` of a session whose merchant named none; 5 unless said.
    public var authenticationLimit: Int64 = 5

    /// The settings as they are unless said.
    public init() {}
}

/// Makes, changes and gives sessions. Whatever they hold lies sealed in the store.
public struct Sessions: Sendable {
    /// How often a change is retried because another one was committed first.
    static let attemptsMax = 64

    private let texts: SealedTexts
    private let settings: SessionSettings
    private let randomBytes: @Sendable (Int) -> [UInt8]

    /// The sessions of an installation.
    ///
    /// - Parameters:
    ///   - randomBytes: makes identifiers and versions of. The identifiers are passwords, so nobody may foresee the bytes,
    ///     but where reproducible identifiers are wanted.
    ///   - report: receives what can't be opened or read; the store reports its own failures.
    public init(
        store: any SealedStore, keys: KeyRing, settings: SessionSettings = SessionSettings(),
        randomBytes: (@Sendable (Int) -> [UInt8])? = nil,
        report: @escaping @Sendable (StoreFailure) -> Void = { _ in }
    ) {
        texts = SealedTexts(store: store, keys: keys, report: report)
        self.settings = settings
        self.randomBytes = randomBytes ?? { RandomBytes.generate($0) }
    }

    /// CREATE SESSION: makes an empty session.
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

    /// UPDATE SESSION: stores fields over those that are there. Nothing of them is judged or opened here.
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

    /// RETRIEVE SESSION: the session's present state. This does not extend its life.
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

    /// Notes that an operation has used a session: what may not outlive an authorization is forgotten, and the session lasts
    /// again. One that has expired meanwhile stays expired.
    public func markUsed(_ id: String, of merchant: MerchantID, at instant: Instant) async throws(SessionRefusal) {
        for _ in 0..<Self.attemptsMax {
            guard let session = try await find(id, of: merchant, at: instant) else { return }
            if try await write(session.used(), at: instant) { return }
        }
        throw .busy
    }

    /// Whether a session's identifier, given as a password, authenticates one more request of the merchant; each that it
    /// does is counted, durably, before this returns.
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

    /// Removes sessions that have expired, at most `countMax`, and returns how many: for a program that is idle. A busy one
    /// removes them as it goes.
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

    /// `SESSION0002`, nine digits, a letter from A to N, eight digits, such a letter and a digit: the form of the real
    /// gateway's, with 67 random bits.
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
    /// Random decimal digits, each as likely as the others.
    init(decimalDigits count: Int, from randomBytes: (Int) -> [UInt8]) {
        self = ""
        while utf8.count < count {
            // The bytes from 250 on would make six digits likelier than four.
            for byte in randomBytes(count - utf8.count) where byte < 250 { append(String(byte % 10)) }
        }
    }
}
