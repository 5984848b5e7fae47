internal import Synchronization
internal import Values

/// How much of large orders is read, built into replies and sent at once, for each merchant.
final class LargeOrders: Sendable {
    /// The most bytes of particulars of one merchant's large orders at once: two orders that are as large as they may be.
    /// One order may be larger, if an earlier version has kept it.
    static let byteCountMax = 2 * (Order.particularsBytesMax + Order.refundParticularsBytesMax)
    /// From how many bytes on an order is a large one.
    static let largeByteCount: Int64 = 64 << 10

    private let byteCounts = Mutex<[MerchantID: Int64]>([:])

    /// Admits an order; nil if others of its merchant have taken all that there is.
    func permit(_ byteCount: Int64, of merchant: MerchantID) -> LargeOrderPermit? {
        let isAdmitted = byteCounts.withLock { byteCounts in
            let taken = byteCounts[merchant] ?? 0
            guard taken == 0 || taken + byteCount <= Self.byteCountMax else { return false }
            byteCounts[merchant] = taken + byteCount
            return true
        }
        return isAdmitted ? LargeOrderPermit(byteCount, of: merchant, from: self) : nil
    }

    fileprivate func giveBack(_ byteCount: Int64, of merchant: MerchantID) {
        byteCounts.withLock { byteCounts in
            let rest = (byteCounts[merchant] ?? 0) - byteCount
            byteCounts[merchant] = rest > 0 ? rest : nil
        }
    }
}

/// Permits a large order to be read and sent, until nobody holds it any more.
public final class LargeOrderPermit: Sendable {
    private let byteCount: Int64
    private let merchant: MerchantID
    private let orders: LargeOrders

    fileprivate init(_ byteCount: Int64, of merchant: MerchantID, from orders: LargeOrders) {
        self.byteCount = byteCount
        self.merchant = merchant
        self.orders = orders
    }

    deinit { orders.giveBack(byteCount, of: merchant) }
}

extension Gateway {
    /// Permits an order to be retrieved with all its transactions, and what was made of it to be sent: to be asked before, and
    /// held until all was sent. Nil for an order that is not large, and for one that is not there.
    public func permit(
        toRetrieve order: OrderKey, timing stages: borrowing StageClock = StageClock()
    ) async throws(Refusal) -> LargeOrderPermit? {
        guard let byteCount = try await self.order(order, stages)?.particularsByteCount,
            byteCount >= LargeOrders.largeByteCount
        else { return nil }
        guard let permit = largeOrders.permit(byteCount, of: order.merchant) else { throw .largeOrdersBusy }
        return permit
    }
}
