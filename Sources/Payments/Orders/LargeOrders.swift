internal import Synchronization
internal import Values

/// Limits how many bytes of large orders are read, built into replies and sent at the same time, for each merchant.
final class LargeOrders: Sendable {
    /// The maximum number of bytes of particulars of a merchant's large orders at the same time: two orders of the
    /// maximum size. A single order may be larger, if an earlier version stored it.
    static let byteCountMax = 2 * (Order.particularsBytesMax + Order.refundParticularsBytesMax)
    /// The minimum size of a large order, in bytes.
    static let largeByteCount: Int64 = 64 << 10

    private let byteCounts = Mutex<[MerchantID: Int64]>([:])

    /// Admits an order; nil if the merchant's other orders leave no room for it.
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

/// The permit to read and send a large order; it ends when it is deallocated.
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
    /// Requests the permit to retrieve an order with all its transactions. Call it before the retrieval, and keep the
    /// permit until the reply is sent. Nil for an order that is not large or doesn't exist.
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
