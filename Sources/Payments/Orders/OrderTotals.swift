/// The running totals of an order, in minor units of its currency.
public struct OrderTotals: Equatable, Sendable {
    /// `totalAuthorizedAmount`.
    public let authorizedMinorUnits: Int64
    /// `totalCapturedAmount`.
    public let capturedMinorUnits: Int64
    /// `totalRefundedAmount`.
    public let refundedMinorUnits: Int64
    /// `totalDisbursedAmount`.
    public let disbursedMinorUnits: Int64

    /// Creates totals; all are 0 by default.
    public init(
        authorizedMinorUnits: Int64 = 0, capturedMinorUnits: Int64 = 0, refundedMinorUnits: Int64 = 0,
        disbursedMinorUnits: Int64 = 0
    ) {
        self.authorizedMinorUnits = authorizedMinorUnits
        self.capturedMinorUnits = capturedMinorUnits
        self.refundedMinorUnits = refundedMinorUnits
        self.disbursedMinorUnits = disbursedMinorUnits
    }
}

extension OrderTotals {
    /// The totals after a transaction of this type, of which this amount was approved; for a void, `approved` is the
    /// voided amount.
    func after(_ type: TransactionType, approvedMinorUnits approved: Int64) -> OrderTotals {
        var (authorized, captured, refunded) = (authorizedMinorUnits, capturedMinorUnits, refundedMinorUnits)
        switch type {
        case .verification: break
        case .authorization: authorized = approved
        case .payment: (authorized, captured) = (approved, approved)
        // The authorized amount is never less than the captured amount, even if only a part of the new amount was
        // approved.
        case .authorizationUpdate: authorized = max(approved, captured)
        case .capture: captured += approved
        case .refund: refunded += approved
        case .voidAuthorization, .voidPayment: (authorized, captured) = (0, 0)
        case .voidCapture: captured -= approved
        case .voidRefund: refunded -= approved
        }
        return OrderTotals(
            authorizedMinorUnits: authorized, capturedMinorUnits: captured, refundedMinorUnits: refunded,
            disbursedMinorUnits: disbursedMinorUnits)
    }

    /// The status of an order with these totals, if anything of it was approved.
    var status: OrderStatus {
        if refundedMinorUnits > capturedMinorUnits { return .excessivelyRefunded }
        if refundedMinorUnits > 0 { return refundedMinorUnits < capturedMinorUnits ? .partiallyRefunded : .refunded }
        if capturedMinorUnits > 0 { return capturedMinorUnits < authorizedMinorUnits ? .partiallyCaptured : .captured }
        return authorizedMinorUnits > 0 ? .authorized : .cancelled
    }
}
