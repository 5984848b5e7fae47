import Testing

@testable import tollgate_bench

/// What may become of one token.
struct TokenLogTests {
    private static let token = 7

    /// A log of an order that was begun with the token.
    private static func order(_ name: String, cents: Int = 1000, sentAt begun: UInt64 = 10) throws -> (
        OrderLog, [ShownTransaction]
    ) {
        var log = OrderLog(order: name)
        let command = ModelOrder.Command.begin(isPayment: true, cents: cents, token: token)
        let number = log.add(OrderLog.Request(reference: name, transaction: "1", command: command))
        log.exchanges.append(OrderLog.Exchange(subject: .request(number), begun: begun))
        var model = ModelOrder()
        let entry = try #require(model.entry(for: command, as: "1"))
        let shown = ShownTransaction(
            order: name, state: model.add(entry), id: "1", type: entry.type, cents: cents,
            isApproved: entry.isApproved, reference: name, bytes: [], lasting: [])
        return (log, [shown])
    }

    private static func fault(_ token: TokenLog) -> String? {
        do throws(Contradiction) {
            try token.check()
            return nil
        } catch {
            return error.summary
        }
    }

    @Test func `a token that paid for one order, and was refused for the others, is right`() throws {
        var token = TokenLog(number: Self.token)
        let (log, shown) = try Self.order("a")
        token.note(shown, of: log)
        token.note(shown, of: log)
        token.noteRefusal(order: "b", ended: 20)
        token.noteRefusal(order: "a", ended: 30)
        #expect(token.isSpent)
        #expect(Self.fault(token) == nil)
    }

    @Test func `a token that nobody was refused and nobody was credited with is right`() {
        #expect(Self.fault(TokenLog(number: Self.token)) == nil)
    }

    @Test func `a token that paid for two orders is credited twice`() throws {
        var token = TokenLog(number: Self.token)
        for name in ["a", "b"] {
            let (log, shown) = try Self.order(name)
            token.note(shown, of: log)
        }
        #expect(Self.fault(token) == "token 7 is credited twice")
    }

    @Test(arguments: [575_700, 585_800])
    func `a token that was declined or timed out is accepted for no second order`(cents: Int) throws {
        var token = TokenLog(number: Self.token)
        for (name, cents) in [("a", cents), ("b", 575_700)] {
            let (log, shown) = try Self.order(name, cents: cents)
            token.note(shown, of: log)
        }
        #expect(Self.fault(token) == "token 7 was accepted for two orders")
    }

    @Test func `a token isn't refused as used before it is`() throws {
        var token = TokenLog(number: Self.token)
        token.noteRefusal(order: "b", ended: 5)
        #expect(Self.fault(token) == "token 7 is refused as used, and made no transaction")
        let (log, shown) = try Self.order("a", sentAt: 10)
        token.note(shown, of: log)
        #expect(Self.fault(token) == "token 7 was refused before it was sent to where it was used")
    }

    @Test func `a token that was declined may be tried again for its order`() throws {
        var token = TokenLog(number: Self.token)
        let (log, shown) = try Self.order("a", cents: 575_700)
        token.note(shown, of: log)
        token.noteRefusal(order: "b", ended: 20)
        #expect(!token.isSpent)
        #expect(Self.fault(token) == nil)
        token.noteRefusal(order: "a", ended: 20)
        #expect(Self.fault(token) == "token 7 is refused for the order that it is bound to")
    }

    @Test func `a token of another number isn't counted`() throws {
        var token = TokenLog(number: 8)
        for name in ["a", "b"] {
            let (log, shown) = try Self.order(name)
            token.note(shown, of: log)
        }
        #expect(!token.isSpent)
        #expect(Self.fault(token) == nil)
    }
}
