import JSON
import TestSupport
import Testing
import Values
import Vault

struct CardTokenTests {
    private static let instant = TestPayment.instant
    private static let kept: JSONValue = [
        "sourceOfFunds": [
            "provided": [
                "card": [
                    "expiry": ["month": "05", "year": "39"], "nameOnCard": "J", "number": "5123450000000008",
                ]
            ], "type": "CARD",
        ]
    ]
    private static let details: JSONValue = [
        "order": ["reference": "r"], "session": ["id": "s"],
        "sourceOfFunds": [
            "provided": [
                "card": [
                    "devicePayment": ["paymentToken": "t"], "expiry": ["month": "05", "year": "39"], "nameOnCard": "J",
                    "number": "5123450000000008", "securityCode": "100", "storedOnFile": "STORED",
                ]
            ], "token": "9", "type": "CARD",
        ],
    ]

    private let tokens: CardTokens
    private let store = InMemoryStore()
    private let merchant: MerchantID
    private let other: MerchantID

    init() throws {
        tokens = CardTokens(store: store, keys: try .test())
        merchant = try MerchantID("TESTMERCHANT")
        other = try MerchantID("TESTOTHER")
    }

    private func created() async throws -> CardToken {
        try await tokens.create(for: merchant, try StoredFields.of(Self.details).root, .basic, at: Self.instant)
    }

    @Test func `a token is a card number that no issuer gives, and another one for each request`() async throws {
        var ids: Set<String> = []
        for _ in 0..<100 {
            let id = try await created().id
            #expect(id.utf8.count == 16 && id.hasPrefix("9"))
            #expect(throws: Never.self) { try AccountNumber(id) }
            ids.insert(id)
        }
        #expect(ids.count == 100)
    }

    @Test func `a token keeps the card, and neither its security code nor anything of a device`() async throws {
        let token = try await created()
        for found in [token, try await tokens.retrieve(token.id, of: merchant)] {
            #expect(found.fields.root.value == Self.kept)
            #expect(found.lastUpdated == Self.instant && found.lastUsed == Self.instant)
            #expect(found.verificationStrategy == .basic)
        }
    }

    @Test func `a token belongs to one merchant`() async throws {
        let token = try await created()
        let root = try StoredFields.of(Self.details).root
        for (id, merchant) in [(token.id, other), ("9751187013099186", merchant), ("", merchant)] {
            await #expect(throws: SessionRefusal.tokenNotFound) { try await tokens.retrieve(id, of: merchant) }
            await #expect(throws: SessionRefusal.tokenNotFound) { try await tokens.delete(id, of: merchant) }
            await #expect(throws: SessionRefusal.tokenNotFound) {
                try await tokens.replace(id, of: merchant, root, .basic, at: Self.instant)
            }
            try await tokens.markUsed(id, of: merchant, at: Self.instant)
        }
        #expect(try await tokens.retrieve(token.id, of: merchant).id == token.id)
    }

    @Test func `a token stands for the card that it was last given`() async throws {
        let token = try await created()
        let later = Self.instant.advanced(byMilliseconds: 1000)
        let other: JSONValue = ["sourceOfFunds": ["provided": ["card": ["number": "4508750015741019"]]]]
        _ = try await tokens.replace(token.id, of: merchant, try StoredFields.of(other).root, .none, at: later)
        let found = try await tokens.retrieve(token.id, of: merchant)
        #expect(found.fields.root.value == other)
        #expect(found.lastUpdated == later && found.lastUsed == Self.instant)
        #expect(found.verificationStrategy == .none)
    }

    @Test func `a use is noted, and is never earlier than the one before`() async throws {
        let token = try await created()
        for (milliseconds, shown) in [(1000, 1000), (500, 1000)] as [(Int64, Int64)] {
            try await tokens.markUsed(
                token.id, of: merchant, at: Self.instant.advanced(byMilliseconds: milliseconds))
            let found = try await tokens.retrieve(token.id, of: merchant)
            #expect(found.lastUsed == Self.instant.advanced(byMilliseconds: shown))
            #expect(found.lastUpdated == Self.instant)
            #expect(found.fields.root.value == Self.kept)
        }
    }

    @Test func `a deleted token is gone`() async throws {
        let token = try await created()
        try await tokens.delete(token.id, of: merchant)
        await #expect(throws: SessionRefusal.tokenNotFound) { try await tokens.retrieve(token.id, of: merchant) }
        await #expect(throws: SessionRefusal.tokenNotFound) { try await tokens.delete(token.id, of: merchant) }
    }

    @Test func `a rotation loses no token`() async throws {
        let token = try await created()
        let rotated = CardTokens(store: store, keys: try .test(count: 2))
        #expect(try await rotated.retrieve(token.id, of: merchant).fields.root.value == Self.kept)
    }
}
