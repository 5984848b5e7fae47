public import Values

/// An order: the amount that a merchant requests from a payer, and how much of it has been paid.
///
/// A value type: every commit replaces the whole order, and `version` identifies the state on which a decision was
/// based.
public struct Order: Equatable, Sendable {
    /// The maximum number of transactions of an order, so that its history is bounded. Tollgate's limit; the real
    /// gateway's is not public.
    public static let transactionsMax = 500
    /// The number of additional transactions if they are VOIDs or REFUNDs of a transaction: one for each transaction up
    /// to the maximum, so that every transaction can be reversed.
    public static let reversalsMax = 500

    /// The merchant and the order's identifier.
    public let key: OrderKey
    /// The total that was requested; a partial approval authorizes less.
    public let amount: Amount
    /// The order's status.
    public let status: OrderStatus
    /// The amounts that were authorized, captured, refunded and disbursed.
    public let totals: OrderTotals
    /// When the order's first transaction was answered.
    public let creationTime: Instant
    /// When the order's last transaction was answered; never before `creationTime`.
    public let lastUpdatedTime: Instant
    /// The wallet with which the payer pays.
    public let walletProvider: WalletProvider?
    /// Whether the payer was authenticated.
    public let authenticationStatus: AuthenticationStatus?
    /// The number of transactions so far, 1 after the first.
    public let version: Int64
    /// The number of bytes of JSON of all its transactions' particulars; nil in a record of an earlier version, until
    /// the store that reads the record has counted them.
    public let particularsByteCount: Int64?

    /// Creates an order with its state after its last transaction.
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

    /// The same order with another number of bytes of particulars.
    public func counting(particularsByteCount: Int64) -> Order {
        Order(
            key: key, amount: amount, status: status, totals: totals, creationTime: creationTime,
            lastUpdatedTime: lastUpdatedTime, walletProvider: walletProvider,
            authenticationStatus: authenticationStatus, version: version, particularsByteCount: particularsByteCount)
    }

    /// The merchant of the order.
    public var merchant: MerchantID { key.merchant }
    /// The order's identifier, unique for the merchant.
    public var id: OrderID { key.order }
    /// The currency of the order and of all its totals.
    public var currency: Currency { amount.currency }
    /// Whether the order has the maximum number of transactions.
    public var isFull: Bool { version >= Self.transactionsMax }
    /// Whether the order has no room even for a VOID or a REFUND of a transaction.
    var isFullOfReversals: Bool { version >= Self.transactionsMax + Self.reversalsMax }
}
