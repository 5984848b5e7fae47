import JSON
import RadialAPI
import TestSupport
import Testing
import Values
import Vault

/// How many items of each kind a merchant keeps.
struct MerchantLimitTests {
    private static let details: JSONValue = [
        "sourceOfFunds": ["provided": ["card": ["number": "5123450000000008"]]]
    ]

    private let store = InMemoryStore()
    private let one: MerchantID
    private let two: MerchantID

    init() throws {
        one = try MerchantID("ONE")
        two = try MerchantID("TWO")
    }

    @Test func `card tokens are limited for each merchant, and none goes for a new one`() async throws {
        let tokens = CardTokens(store: store, keys: try .test(), countMax: 2)
        let details = try JSONDocument(Self.details.serialized()).root
        func create(_ merchant: MerchantID) async throws -> CardToken {
            try await tokens.create(for: merchant, details, .none, at: TestPayment.instant)
        }
        let kept = [try await create(one), try await create(one)]
        await #expect(throws: SessionRefusal.tooMany(.cardToken, countMax: 2)) { try await create(one) }
        _ = try await create(two)
        for token in kept { #expect(try await tokens.retrieve(token.id, of: one).id == token.id) }
        // A change takes no room, and one that was deleted leaves some.
        try await tokens.markUsed(kept[0].id, of: one, at: TestPayment.instant)
        try await tokens.delete(kept[1].id, of: one)
        _ = try await create(one)
    }

    @Test func `request claims are limited for each merchant, and none is forgotten for a new one`() async throws {
        let claims = RequestClaims(store: store, keys: try .test(), countMax: 2)
        let parameters = SecretText("parameters")
        for id in ["a", "b"] {
            #expect(try await claims.claim(id, of: one, for: parameters, at: TestPayment.instant) == .first)
        }
        #expect(try await claims.claim("c", of: one, for: parameters, at: TestPayment.instant) == .full(countMax: 2))
        #expect(try await claims.claim("c", of: two, for: parameters, at: TestPayment.instant) == .first)
        try await claims.keep([1], to: "a", of: one, for: parameters, at: TestPayment.instant)
        #expect(
            try await claims.claim("a", of: one, for: parameters, at: TestPayment.instant) == .repeated(answer: [1]))
        #expect(
            try await claims.claim("b", of: one, for: parameters, at: TestPayment.instant) == .repeated(answer: nil))
        try await claims.release("b", of: one)
        #expect(try await claims.claim("c", of: one, for: parameters, at: TestPayment.instant) == .first)
    }

    @Test func `account tokens are limited for each merchant, and those that there are stay`() async throws {
        let tokens = AccountTokens(store: store, keys: try .test(), countMax: 1)
        let number = try AccountNumber("5123450000000008")
        let other = try AccountNumber("4508750015741019")
        let token = try await tokens.token(for: number, of: one, at: TestPayment.instant)
        #expect(try await tokens.token(for: number, of: one, at: TestPayment.instant) == token)
        await #expect(throws: StoreFailure.full(.accountToken, countMax: 1)) {
            try await tokens.token(for: other, of: one, at: TestPayment.instant)
        }
        _ = try await tokens.token(for: other, of: two, at: TestPayment.instant)
        #expect(try await tokens.accountNumber(of: token, of: one) == number)
    }
}
