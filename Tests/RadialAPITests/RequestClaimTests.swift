import RadialAPI
import Testing
import TestSupport
import Values
import Vault

/// Requests that are carried out once, by their names.
struct RequestClaimTests {
    private static func claims(_ store: InMemoryStore = InMemoryStore()) throws -> RequestClaims {
        RequestClaims(store: store, keys: try .test())
    }
    private static let one = SecretText("one")
    private static let other = SecretText("other")

    @Test func `of requests under one name only the first one's content counts`() async throws {
        let claims = try Self.claims()
        let merchant = try MerchantID("A")
        #expect(try await claims.claim("r", of: merchant, for: Self.one, at: TestPayment.instant) == .first)
        #expect(
            try await claims.claim("r", of: merchant, for: Self.one, at: TestPayment.instant) == .repeated(answer: nil))
        #expect(try await claims.claim("r", of: merchant, for: Self.other, at: TestPayment.instant) == .differs)
        #expect(try await claims.claim("r", of: MerchantID("B"), for: Self.other, at: TestPayment.instant) == .first)
        #expect(try await claims.claim("s", of: merchant, for: Self.other, at: TestPayment.instant) == .first)
    }

    @Test func `what was answered is given again`() async throws {
        let claims = try Self.claims()
        let merchant = try MerchantID("A")
        _ = try await claims.claim("r", of: merchant, for: Self.one, at: TestPayment.instant)
        try await claims.keep([1, 2, 3], to: "r", of: merchant, for: Self.one, at: TestPayment.instant)
        try await claims.keep([4], to: "r", of: merchant, for: Self.one, at: TestPayment.instant)
        #expect(
            try await claims.claim("r", of: merchant, for: Self.one, at: TestPayment.instant)
                == .repeated(answer: [1, 2, 3]))
        #expect(try await claims.claim("r", of: merchant, for: Self.other, at: TestPayment.instant) == .differs)
    }

    @Test func `a released name may be used by another request`() async throws {
        let claims = try Self.claims()
        let merchant = try MerchantID("A")
        _ = try await claims.claim("r", of: merchant, for: Self.one, at: TestPayment.instant)
        try await claims.release("r", of: merchant)
        #expect(try await claims.claim("r", of: merchant, for: Self.other, at: TestPayment.instant) == .first)
    }

    @Test func `of many at one time one is first`() async throws {
        let store = InMemoryStore()
        let merchant = try MerchantID("A")
        let keys = try KeyRing.test()
        let firsts = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<16 {
                group.addTask {
                    let claims = RequestClaims(store: store, keys: keys)
                    return
                        (try? await claims.claim(
                            "r", of: merchant, for: SecretText("\(index)"), at: TestPayment.instant)) == .first
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(firsts == 1)
    }
}
