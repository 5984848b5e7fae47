import JSON
import Synchronization
import TestSupport
import Testing
import Values
import Vault

struct SessionTests {
    private static let instant = TestPayment.instant
    private static let card: JSONValue = [
        "order": ["reference": "r"],
        "sourceOfFunds": [
            "provided": [
                "card": [
                    "devicePayment": ["cryptogramFormat": "3DSECURE", "onlinePaymentCryptogram": "c"],
                    "expiry": ["month": "5", "year": "39"], "number": "5123450000000008", "securityCode": "100",
                ]
            ]
        ],
    ]

    private let store = InMemoryStore()
    private let merchant: MerchantID
    private let other: MerchantID

    init() throws {
        merchant = try MerchantID("TESTMERCHANT")
        other = try MerchantID("TESTOTHER")
    }

    private func sessions(
        keys: Int = 1, _ change: (inout SessionSettings) -> Void = { _ in }
    ) throws -> Sessions {
        var settings = SessionSettings()
        change(&settings)
        return Sessions(store: store, keys: try .test(count: keys), settings: settings)
    }

    private func created(_ sessions: Sessions) async throws -> Session {
        try await sessions.create(for: merchant, authenticationLimit: nil, at: Self.instant)
    }

    private func update(
        _ sessions: Sessions, _ session: Session, _ value: JSONValue = card, expecting version: String? = nil,
        at instant: Instant = instant
    ) async throws -> Session {
        try await sessions.update(
            session.id, of: merchant, expecting: version, with: try StoredFields.of(value), at: instant)
    }

    @Test func `a new session has the real gateway's form, holds nothing and is like no other`() async throws {
        let sessions = try sessions()
        var ids: Set<String> = []
        for _ in 0..<200 {
            let session = try await created(sessions)
            let form = /SESSION0002[0-9]{9}[A-N][0-9]{7,8}[A-N][0-9]{1,2}/
            #expect(try form.wholeMatch(in: session.id) != nil)
            #expect(session.id.utf8.count == 31)
            #expect(try /[0-9a-f]{8}01/.wholeMatch(in: session.version) != nil)
            #expect(session.updateStatus == .noUpdate)
            #expect(session.authenticationLimit == 5)
            #expect(session.fields.root.count == 0)
            ids.insert(session.id)
        }
        #expect(ids.count == 200)
    }

    @Test func `identifiers are reproducible where their bytes are`() async throws {
        let ids = try await ([1, 1, 2] as [UInt64]).asyncMap { seed in
            let generator = Mutex(SeededGenerator(seed: seed))
            let sessions = Sessions(
                store: InMemoryStore(), keys: try .test(),
                randomBytes: { count in
                    generator.withLock { generator in
                        (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                    }
                })
            return try await created(sessions).id
        }
        #expect(ids[0] == ids[1])
        #expect(ids[0] != ids[2])
    }

    @Test func `updates overwrite and add, and each counts`() async throws {
        let sessions = try sessions()
        let session = try await created(sessions)
        let first = try await update(sessions, session)
        #expect(first.version.hasSuffix("02"))
        #expect(first.updateStatus == .success)
        let second = try await update(
            sessions, session,
            ["sourceOfFunds": ["provided": ["card": ["expiry": ["month": "6", "year": .null]]]], "order": .null])
        #expect(second.version.hasSuffix("03"))
        #expect(second.fields.value(at: "order.reference")?.string == "r")
        #expect(second.fields.value(at: "sourceOfFunds.provided.card.expiry")?.value == ["month": "6", "year": "39"])
        let read = try await sessions.retrieve(session.id, of: merchant, at: Self.instant)
        #expect(read.version == second.version)
        #expect(read.fields.root.value == second.fields.root.value)
    }

    @Test func `the count of updates restarts after two hundred and fifty-five`() async throws {
        let sessions = try sessions()
        var session = try await created(sessions)
        for _ in 0..<255 { session = try await update(sessions, session, [:]) }
        #expect(session.version.hasSuffix("00"))
    }

    @Test func `a session of another merchant, an expired one and none are the same`() async throws {
        let sessions = try sessions()
        let session = try await created(sessions)
        let fields = try StoredFields.of(Self.card)
        let late = Self.instant.advanced(byMilliseconds: 15 * 60 * 1000)
        for (id, merchant, instant) in [
            (session.id, other, Self.instant), (session.id, merchant, late), ("", merchant, Self.instant),
            (session.id.lowercased(), merchant, Self.instant), (session.id + " ", merchant, Self.instant),
            (String(repeating: "x", count: 10_000), merchant, Self.instant),
        ] {
            await #expect(throws: SessionRefusal.sessionNotFound) {
                try await sessions.retrieve(id, of: merchant, at: instant)
            }
            await #expect(throws: SessionRefusal.sessionNotFound) {
                try await sessions.update(id, of: merchant, expecting: nil, with: fields, at: instant)
            }
            await #expect(throws: SessionRefusal.sessionNotFound) {
                try await sessions.source(id, of: merchant, expecting: nil, at: instant)
            }
            #expect(try await !sessions.authenticates(SecretText(id), as: merchant, at: instant))
            try await sessions.markUsed(id, of: merchant, at: instant)
        }
        let before = late.advanced(byMilliseconds: -1)
        #expect(try await sessions.retrieve(session.id, of: merchant, at: before).version == session.version)
    }

    @Test func `every change extends a session, and reading doesn't`() async throws {
        let sessions = try sessions { $0.idleMilliseconds = 1000 }
        let session = try await created(sessions)
        let later = { Self.instant.advanced(byMilliseconds: $0) }
        _ = try await update(sessions, session, at: later(900))
        try await sessions.markUsed(session.id, of: merchant, at: later(1800))
        #expect(try await sessions.authenticates(SecretText(session.id), as: merchant, at: later(2700)))
        _ = try await sessions.retrieve(session.id, of: merchant, at: later(3600))
        await #expect(throws: SessionRefusal.sessionNotFound) {
            try await sessions.retrieve(session.id, of: merchant, at: later(3700))
        }
    }

    @Test func `a version that is not the session's is refused and changes nothing`() async throws {
        let sessions = try sessions()
        let session = try await created(sessions)
        let updated = try await update(sessions, session, expecting: session.version)
        for version in [session.version, "", updated.version.uppercased() + "x", "0000000002"] {
            await #expect(throws: SessionRefusal.sessionVersionDiffers) {
                try await update(sessions, session, ["order": ["reference": "x"]], expecting: version)
            }
            await #expect(throws: SessionRefusal.sessionVersionDiffers) {
                try await sessions.source(session.id, of: merchant, expecting: version, at: Self.instant)
            }
        }
        let read = try await sessions.source(session.id, of: merchant, expecting: updated.version, at: Self.instant)
        #expect(read.fields.value(at: "order.reference")?.string == "r")
    }

    @Test func `a session that was never updated is no source`() async throws {
        let sessions = try sessions()
        let session = try await created(sessions)
        await #expect(throws: SessionRefusal.sessionNotUpdated) {
            try await sessions.source(session.id, of: merchant, expecting: nil, at: Self.instant)
        }
    }

    @Test func `a use forgets what may not outlive an authorization, and not the version`() async throws {
        let sessions = try sessions()
        let session = try await update(sessions, try await created(sessions))
        try await sessions.markUsed(session.id, of: merchant, at: Self.instant)
        let used = try await sessions.source(session.id, of: merchant, expecting: session.version, at: Self.instant)
        #expect(
            used.fields.value(at: "sourceOfFunds.provided.card")?.value == [
                "devicePayment": ["cryptogramFormat": "3DSECURE"], "expiry": ["month": "5", "year": "39"],
                "number": "5123450000000008",
            ])
    }

    @Test func `a use forgets what proves another provider's authentication, and keeps the rest`() async throws {
        let sessions = try sessions()
        let session = try await update(
            sessions, try await created(sessions),
            [
                "3DSecure": ["acsEci": "02", "authenticationToken": "kBM9Q1JAbKRIYwMFlxJCBREAAAAA"],
                "authentication": ["3ds": ["acsEci": "02", "authenticationToken": "kBM9Q1JAbKRIYwMFlxJCBREAAAAA"]],
            ])
        try await sessions.markUsed(session.id, of: merchant, at: Self.instant)
        let used = try await sessions.source(session.id, of: merchant, expecting: nil, at: Self.instant)
        #expect(used.fields.value(at: "3DSecure")?.value == ["acsEci": "02"])
        #expect(used.fields.value(at: "authentication")?.value == ["3ds": ["acsEci": "02"]])
    }

    @Test(arguments: [nil, 0, 1, 3] as [Int64?])
    func `a session authenticates as often as it may`(limit: Int64?) async throws {
        let sessions = try sessions { $0.authenticationLimit = 2 }
        let session = try await sessions.create(for: merchant, authenticationLimit: limit, at: Self.instant)
        let password = SecretText(session.id)
        for _ in 0..<(limit ?? 2) {
            #expect(try await !sessions.authenticates(password, as: other, at: Self.instant))
            #expect(try await sessions.authenticates(password, as: merchant, at: Self.instant))
        }
        #expect(try await !sessions.authenticates(password, as: merchant, at: Self.instant))
        let read = try await sessions.retrieve(session.id, of: merchant, at: Self.instant)
        #expect(read.version == session.version)
    }

    @Test func `a session holds no more than it may, and keeps what it had`() async throws {
        let sessions = try sessions { $0.fieldsByteCountMax = 100 }
        let session = try await created(sessions)
        let fits = try await update(sessions, session, ["a": .string(String(repeating: "x", count: 92))])
        #expect(fits.fields.byteCount == 100)
        await #expect(throws: SessionRefusal.sessionTooLarge) {
            try await update(sessions, session, ["b": 1])
        }
        #expect(try await sessions.retrieve(session.id, of: merchant, at: Self.instant).version == fits.version)
    }

    @Test func `one merchant's sessions take no room from another's`() async throws {
        let sessions = try sessions { $0.countMax = 2 }
        for _ in 0..<2 { _ = try await update(sessions, try await created(sessions)) }
        _ = try await sessions.create(for: other, authenticationLimit: nil, at: Self.instant)
    }

    @Test func `the oldest session that was never used makes room for a new one`() async throws {
        let sessions = try sessions { $0.countMax = 3 }
        let used = try await update(sessions, try await created(sessions))
        let oldest = try await sessions.create(for: merchant, authenticationLimit: nil, at: Self.instant)
        let younger = try await sessions.create(
            for: merchant, authenticationLimit: nil, at: Self.instant.advanced(byMilliseconds: 1))
        let newest = try await sessions.create(
            for: merchant, authenticationLimit: nil, at: Self.instant.advanced(byMilliseconds: 2))
        await #expect(throws: SessionRefusal.sessionNotFound) {
            try await sessions.retrieve(oldest.id, of: merchant, at: Self.instant)
        }
        for session in [used, younger, newest] {
            #expect(try await sessions.retrieve(session.id, of: merchant, at: Self.instant).id == session.id)
        }
    }

    @Test func `there are no more used sessions than may be, until some have expired`() async throws {
        let sessions = try sessions { $0.countMax = 2 }
        let first = try await update(sessions, try await created(sessions))
        _ = try await update(sessions, try await created(sessions))
        await #expect(throws: SessionRefusal.tooMany(.session, countMax: 2)) { try await created(sessions) }
        #expect(try await update(sessions, first).updateStatus == .success)
        let late = Self.instant.advanced(byMilliseconds: 15 * 60 * 1000)
        _ = try await sessions.create(for: merchant, authenticationLimit: nil, at: late)
        #expect(try await sessions.removeExpired(at: late, countMax: 10) == 0)
    }

    @Test func `a rotation loses no session, and the next change seals again`() async throws {
        let session = try await update(try sessions(), try await created(try sessions()))
        let rotated = try sessions(keys: 2)
        let read = try await rotated.retrieve(session.id, of: merchant, at: Self.instant)
        #expect(read.fields.root.value == Self.card)
        _ = try await update(rotated, session, [:])
        await #expect(throws: SessionRefusal.storeUnavailable(.damaged(detail: "sealed text: unknownKey"))) {
            try await sessions().retrieve(session.id, of: merchant, at: Self.instant)
        }
    }
}

extension Sequence where Element: Sendable {
    fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async throws -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
