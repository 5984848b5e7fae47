public import ApplePay

/// An order: what a merchant asks of one payer, and how far it has been paid.
///
/// A value; every commit replaces it as a whole, and `version` tells on which one a decision was made.
public struct Order: Equatable, Sendable {
    /// The merchant and the order's identifier.
    public let key: OrderKey
    /// The total that was asked for, of which a partial approval authorizes less.
    public let amount: Amount
    /// Where the order stands.
    public let status: OrderStatus
    /// What was authorized, captured, refunded and disbursed.
    public let totals: OrderTotals
    /// When its first transaction was answered.
    public let creationTime: Instant
    /// When its last transaction was answered; never before `creationTime`.
    public let lastUpdatedTime: Instant
    /// The wallet by which it is paid.
    public let walletProvider: WalletProvider?
    /// Whether the payer was authenticated.
    public let authenticationStatus: AuthenticationStatus?
    /// How many transactions the order has had, 1 after the first.
    public let version: Int64

    /// An order as it stands.
    public init(
        key: OrderKey, amount: Amount, status: OrderStatus, totals: OrderTotals, creationTime: Instant,
        lastUpdatedTime: Instant, walletProvider: WalletProvider?, authenticationStatus: AuthenticationStatus?,
        version: Int64
    ) {
        precondition(version >= 1, "an order exists from its first transaction on")
        self.key = key
        self.amount = amount
        self.status = status
        self.totals = totals
        self.creationTime = creationTime
        self.lastUpdatedTime = lastUpdatedTime
        self.walletProvider = walletProvider
        self.authenticationStatus = authenticationStatus
        self.version = version
    }

    /// Whose order it is.
    public var merchant: MerchantID { key.merchant }
    /// Its identifier among the merchant's.
    public var id: OrderID { key.order }
    /// The currency of the order and of all its totals.
    public var currency: Currency { amount.currency }
}

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

    /// Totals; each is 0 unless said.
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

/// `order.status`.
public enum OrderStatus: String, CaseIterable, Sendable {
    /// Authorized, nothing captured.
    case authorized = "AUTHORIZED"
    /// Its authorization or payment was voided.
    case cancelled = "CANCELLED"
    /// All that was authorized is captured.
    case captured = "CAPTURED"
    /// More was refunded than captured.
    case excessivelyRefunded = "EXCESSIVELY_REFUNDED"
    /// Its last attempt failed; another may be made.
    case failed = "FAILED"
    /// Begun, without an answer that settles it; another attempt may be made.
    case initiated = "INITIATED"
    /// A part of what was authorized is captured.
    case partiallyCaptured = "PARTIALLY_CAPTURED"
    /// A part of what was captured is refunded.
    case partiallyRefunded = "PARTIALLY_REFUNDED"
    /// All that was captured is refunded.
    case refunded = "REFUNDED"
    /// The card was found good; no payment was asked for yet.
    case verified = "VERIFIED"

    /// Whether an AUTHORIZE, PAY or VERIFY may still be tried.
    ///
    /// After VERIFY it may: Mastercard describes VERIFIED as "No payment has yet been initiated or made". A cancelled
    /// order stays so.
    public var awaitsAuthorization: Bool {
        switch self {
        case .failed, .initiated, .verified: true
        case .authorized, .cancelled, .captured, .excessivelyRefunded, .partiallyCaptured, .partiallyRefunded,
            .refunded:
            false
        }
    }
}
