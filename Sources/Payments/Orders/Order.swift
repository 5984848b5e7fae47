public import Values

/// An order: what a merchant asks of one payer, and how far it has been paid.
///
/// A value; every commit replaces it as a whole, and `version` tells on which one a decision was made.
public struct Order: Equatable, Sendable {
    /// The most transactions that an order may have, so that its history stays of a bounded length. Our choice: what the
    /// real gateway allows is not public.
    public static let transactionsMax = 500
    /// How many more it may have that are a VOID, or a REFUND of a transaction: one for each of the others, so that every
    /// transaction can be undone.
    public static let reversalsMax = 500

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
    /// How many bytes of JSON the particulars of its transactions have; nil in a record of an earlier version, until the
    /// store that has read it counts them.
    public let particularsByteCount: Int64?

    /// An order's state after its last transaction.
    public init(
        key: OrderKey, amount: Amount, status: OrderStatus, totals: OrderTotals, creationTime: Instant,
        lastUpdatedTime: Instant, walletProvider: WalletProvider?, authenticationStatus: AuthenticationStatus?,
        version: Int64, particularsByteCount: Int64? = 0
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
        self.particularsByteCount = particularsByteCount
    }

    /// The same order with another count of bytes.
    public func counting(particularsByteCount: Int64) -> Order {
        Order(
            key: key, amount: amount, status: status, totals: totals, creationTime: creationTime,
            lastUpdatedTime: lastUpdatedTime, walletProvider: walletProvider,
            authenticationStatus: authenticationStatus, version: version, particularsByteCount: particularsByteCount)
    }

    /// Whose order it is.
    public var merchant: MerchantID { key.merchant }
    /// Its identifier among the merchant's.
    public var id: OrderID { key.order }
    /// The currency of the order and of all its totals.
    public var currency: Currency { amount.currency }
    /// Whether it has as many transactions as an order may have.
    public var isFull: Bool { version >= Self.transactionsMax }
    /// Whether not even a VOID or a REFUND of a transaction has room.
    var isFullOfReversals: Bool { version >= Self.transactionsMax + Self.reversalsMax }
}
