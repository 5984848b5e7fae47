import Payments
import Values

/// Generates commits like the gateway's, for a store that was loaded.
struct LedgerCommits {
    private let sample: LedgerSample
    private let orders: LedgerOrders
    private var chance: SeededGenerator
    private var captured: Int

    /// Finds the number of loaded orders that have already been captured. Orders are captured in a fixed sequence.
    init(_ sample: LedgerSample, _ orders: LedgerOrders, in store: any PaymentStore) async throws {
        self.sample = sample
        self.orders = orders
        chance = SeededGenerator(seed: .random(in: 0...(.max)))
        let merchant = try LedgerSample.merchant
        let capture = try TransactionID("2")
        var (low, high) = (0, orders.count)
        while low < high {
            let middle = (low + high) / 2
            let key = OrderKey(merchant: merchant, order: try OrderID(orders.name(orders.mixed(middle))))
            if try await store.recall(capture, of: key).transaction != nil { low = middle + 1 } else { high = middle }
        }
        captured = low
    }

    /// Authorizations of new orders, each with a new token.
    mutating func authorizations(_ count: Int) throws -> [Commit] {
        let merchant = try LedgerSample.merchant
        return try (0..<count).map { _ in
            let key = OrderKey(merchant: merchant, order: try OrderID(LedgerOrders.newName(&chance)))
            return Commit(
                transaction: sample.authorization(of: key), fingerprint: LedgerOrders.newDigest(&chance),
                token: TokenUse(digests: [LedgerOrders.newDigest(&chance)], isCredited: true))
        }
    }

    /// Captures of loaded orders, each of a different order.
    mutating func captures(_ count: Int) throws -> [Commit] {
        let merchant = try LedgerSample.merchant
        return try (0..<count).map { _ in
            guard captured < orders.count else { throw BenchFailure("every loaded order is captured") }
            let key = OrderKey(merchant: merchant, order: try OrderID(orders.name(orders.mixed(captured))))
            captured += 1
            return Commit(
                transaction: sample.capture(of: key), fingerprint: LedgerOrders.newDigest(&chance), token: nil)
        }
    }
}
