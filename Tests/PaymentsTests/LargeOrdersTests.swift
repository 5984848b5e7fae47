import Testing
import Values

@testable import Payments

/// How many large orders are retrieved at once.
struct LargeOrdersTests {
    private static let one = try? MerchantID("ONE")
    private static let other = try? MerchantID("OTHER")

    @Test func `a merchant's large orders take a bounded share, and nobody else's`() throws {
        let (one, other) = (try #require(Self.one), try #require(Self.other))
        let orders = LargeOrders()
        let half = LargeOrders.byteCountMax / 2
        let first = orders.permit(half, of: one)
        var second = orders.permit(half, of: one)
        #expect(first != nil && second != nil)
        #expect(orders.permit(1, of: one) == nil)
        #expect(orders.permit(half, of: other) != nil)
        second = nil
        #expect(orders.permit(half, of: one) != nil)
        withExtendedLifetime(first) {}
    }

    @Test func `an order that an earlier version let grow is retrieved by itself`() throws {
        let one = try #require(Self.one)
        let orders = LargeOrders()
        let permit = orders.permit(LargeOrders.byteCountMax * 10, of: one)
        #expect(permit != nil)
        #expect(orders.permit(1, of: one) == nil)
        withExtendedLifetime(permit) {}
    }
}
