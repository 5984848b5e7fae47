import RadialAPI
import Testing
import TestSupport
import Values

/// What stands for account numbers.
struct AccountTokenTests {
    private static func merchant(_ id: String = "TESTMERCHANT") throws -> MerchantID { try MerchantID(id) }

    @Test(arguments: ["4012000033330026", "378282246310005", "30123400000000", "5000000000000000005", "4222222222222"])
    func `a token is as long as its number, with the first six and last four digits`(text: String) async throws {
        let tokens = AccountTokens(store: InMemoryStore(), keys: try .test())
        let token = try await tokens.token(for: AccountNumber(text), of: Self.merchant(), at: TestPayment.instant)
        #expect(token.count == text.count)
        #expect(token.prefix(6) == text.prefix(6) && token.suffix(4) == text.suffix(4))
        let middle = token.dropFirst(6).dropLast(4)
        let isAlphanumeric = middle.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        #expect(isAlphanumeric)
        let hasLetter = middle.contains(where: \.isLetter)
        #expect(hasLetter)
        #expect((try? AccountNumber(token)) == nil)
    }

    @Test func `a number has the same token in every instance, and another one of another merchant`() async throws {
        let store = InMemoryStore()
        let number = try AccountNumber("4012000033330026")
        let first = try await AccountTokens(store: store, keys: .test()).token(
            for: number, of: Self.merchant(), at: TestPayment.instant)
        let other = AccountTokens(store: store, keys: try .test(count: 2))
        #expect(try await other.token(for: number, of: Self.merchant(), at: TestPayment.instant) == first)
        #expect(try await other.token(for: number, of: Self.merchant("TESTOTHER"), at: TestPayment.instant) != first)
    }

    @Test func `only the store tells the number of a token, and only to its merchant`() async throws {
        let store = InMemoryStore()
        let tokens = AccountTokens(store: store, keys: try .test())
        let number = try AccountNumber("4012000033330026")
        let token = try await tokens.token(for: number, of: Self.merchant(), at: TestPayment.instant)
        #expect(try await tokens.accountNumber(of: token, of: Self.merchant()) == number)
        #expect(try await tokens.accountNumber(of: token, of: Self.merchant("TESTOTHER")) == nil)
        let elsewhere = AccountTokens(store: InMemoryStore(), keys: try .test())
        #expect(try await elsewhere.accountNumber(of: token, of: Self.merchant()) == nil)
    }

    @Test(arguments: ["", "401200xxxxxx0026", "4012000033330026", String(repeating: "a", count: 200)])
    func `what is no token stands for nothing`(token: String) async throws {
        let tokens = AccountTokens(store: InMemoryStore(), keys: try .test())
        _ = try await tokens.token(for: AccountNumber("4012000033330026"), of: Self.merchant(), at: TestPayment.instant)
        #expect(try await tokens.accountNumber(of: token, of: Self.merchant()) == nil)
    }

    @Test func `numbers that show the same digits have tokens of their own`() async throws {
        let tokens = AccountTokens(store: InMemoryStore(), keys: try .test())
        // Two in ten of these have the check digit that makes a number of them.
        let numbers = (0..<1000).compactMap { try? AccountNumber("401200\(100_000 + $0)0026") }
        #expect(numbers.count > 50)
        var seen: Set<String> = []
        for number in numbers {
            seen.insert(try await tokens.token(for: number, of: Self.merchant(), at: TestPayment.instant))
        }
        #expect(seen.count == numbers.count)
    }
}
