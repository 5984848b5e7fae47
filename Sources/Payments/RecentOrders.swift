internal import Synchronization

/// Some of the orders that were lately committed to, those of whoever asks again soon among them.
///
/// It remembers each by a number in a place of its own, until another order takes the place: it may not know of one that is
/// there, and may know of one that is not, about once in two thousand million times.
final class RecentOrders: Sendable {
    /// 64 KiB.
    private static let countMax = 1 << 14

    private let marks = Mutex([UInt32](repeating: 0, count: RecentOrders.countMax))

    /// Whether the order is remembered.
    func contains(_ key: OrderKey) -> Bool {
        let (place, mark) = Self.mark(of: key)
        return marks.withLock { $0[place] == mark }
    }

    /// Remembers an order.
    func insert(_ key: OrderKey) {
        let (place, mark) = Self.mark(of: key)
        marks.withLock { $0[place] = mark }
    }

    /// Where an order is remembered and as what, which is never 0. Both differ from process to process, so that nobody can
    /// make orders of one place.
    private static func mark(of key: OrderKey) -> (place: Int, mark: UInt32) {
        let hash = UInt(bitPattern: key.hashValue)
        return (Int(hash % UInt(countMax)), UInt32(truncatingIfNeeded: hash >> 32) | 1)
    }
}
