public import Values
public import Vault

/// A durable store of orders and transactions.
///
/// An instance serves any number of concurrent callers. A commit with the outcome `committed` is on disk.
public protocol PaymentStore: Sendable {
    /// Reads the order's present state and, if it exists, the transaction as it was answered, from one snapshot.
    func recall(_ transaction: TransactionID, of order: OrderKey) async throws(StoreFailure) -> Recollection

    /// Reads the order's present state with all its transactions, from one snapshot; nil if there is no such order.
    func history(of order: OrderKey) async throws(StoreFailure) -> OrderHistory?

    /// Reads the order's present state and the data that later operations depend on, from one snapshot; nil if there is
    /// no such order. Doesn't read the particulars that replies echo.
    func ledger(of order: OrderKey) async throws(StoreFailure) -> OrderLedger?

    /// Writes a commit atomically. Returns once it is durable, or without any effect.
    func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome

    /// Removes orders that are too old, or too many, at `instant`, with all their transactions: at most `countMax`
    /// orders, in the order of their last transactions. Returns the number of removed orders once the removal is
    /// durable; if it is `countMax`, there may be more.
    ///
    /// A credited token stays recorded permanently; a token that moved no money is free again once its order is
    /// removed. With an order, the sealed items that no other order holds are removed. An item that follows orders but
    /// was never held by one is removed once it is older than the maximum age of orders; it counts as one order. No
    /// commit waits for long: the rows to remove are searched concurrently with the commits, and are removed in steps
    /// between them. An order that receives a commit at the same time is either kept or removed as a whole; a decision
    /// that was based on a removed order gets `orderMoved`.
    ///
    /// Orders that were answered while the system clock was wrong may be kept longer than their instants imply, but
    /// never shorter.
    func prune(
        _ retention: OrderRetention, at instant: Instant, countMax: Int
    ) async throws(StoreFailure) -> Int

    /// Removes everything, as if the store were new. Returns once that is durable.
    func reset() async throws(StoreFailure)

    /// Removes one merchant's orders with their transactions and held items, the tokens that these orders credited, and the
    /// sealed items of its groups. Returns once that is durable; a failed reset may be repeated.
    ///
    /// Commits of other merchants don't wait for long: the rows are read concurrently with commits, and removed in steps
    /// between them. An order that the merchant itself commits at the same time is either removed or kept as a whole, with
    /// its token. Shared digests stay credited, since other merchants may have used them. A token whose order was pruned
    /// before may stay credited, too.
    ///
    /// - Parameter groups: the names of the merchant's groups of sealed items.
    func reset(_ merchant: MerchantID, groups: [[UInt8]]) async throws(StoreFailure)

    /// Checks one aspect of the store; throws if it fails.
    func check(_ aspect: StoreCheck) async throws(StoreFailure)
}

extension PaymentStore {
    /// Builds the ledger from the history; the default for stores without a cheaper way.
    public func ledger(of order: OrderKey) async throws(StoreFailure) -> OrderLedger? {
        try await history(of: order).map {
            OrderLedger(order: $0.order, entries: $0.transactions.map { LedgerEntry($0) })
        }
    }
}

/// The stored state that a request may be a repetition of.
public struct Recollection: Equatable, Sendable {
    /// The order's present state.
    public let order: Order?
    /// The transaction, if it was answered.
    public let transaction: RecordedTransaction?

    /// Creates a recollection.
    public init(order: Order?, transaction: RecordedTransaction?) {
        self.order = order
        self.transaction = transaction
    }
}

/// A transaction with the fingerprint of the request that created it.
public struct RecordedTransaction: Equatable, Sendable {
    /// The transaction as it was answered.
    public let transaction: Transaction
    /// The HMAC-SHA256 of the request's parameters, 32 bytes.
    public let fingerprint: [UInt8]

    /// A transaction and its fingerprint.
    public init(transaction: Transaction, fingerprint: [UInt8]) {
        self.transaction = transaction
        self.fingerprint = fingerprint
    }
}

/// An order with its transactions.
public struct OrderHistory: Equatable, Sendable {
    /// The order's present state.
    public let order: Order
    /// Its transactions, oldest first.
    public let transactions: [Transaction]

    /// An order's history.
    public init(order: Order, transactions: [Transaction]) {
        self.order = order
        self.transactions = transactions
    }
}

/// An order with the data that decisions on later operations need.
public struct OrderLedger: Equatable, Sendable {
    /// The order's present state.
    public let order: Order
    /// Its transactions, oldest first.
    public let entries: [LedgerEntry]

    /// An order's ledger.
    public init(order: Order, entries: [LedgerEntry]) {
        self.order = order
        self.entries = entries
    }
}

/// The part of a transaction that belongs to its order's ledger.
public struct LedgerEntry: Equatable, Sendable {
    /// The transaction's identifier within the order.
    public let id: TransactionID
    /// The transaction type.
    public let type: TransactionType
    /// The approved amount, in minor units.
    public let approvedMinorUnits: Int64
    /// The transaction that this transaction builds on.
    public let targetTransactionID: TransactionID?
    /// The outcome.
    public let gatewayCode: GatewayCode

    /// An entry.
    public init(
        id: TransactionID, type: TransactionType, approvedMinorUnits: Int64, targetTransactionID: TransactionID?,
        gatewayCode: GatewayCode
    ) {
        self.id = id
        self.type = type
        self.approvedMinorUnits = approvedMinorUnits
        self.targetTransactionID = targetTransactionID
        self.gatewayCode = gatewayCode
    }

    /// The entry of a transaction.
    public init(_ transaction: Transaction) {
        self.init(
            id: transaction.id, type: transaction.type, approvedMinorUnits: transaction.approvedMinorUnits,
            targetTransactionID: transaction.targetTransactionID, gatewayCode: transaction.gatewayCode)
    }
}

/// All changes that a transaction makes.
public struct Commit: Sendable {
    /// The transaction, with the order's state after it.
    public let transaction: Transaction
    /// The HMAC-SHA256 of the request's parameters, 32 bytes.
    public let fingerprint: [UInt8]
    /// The use of the token that paid, or of the data decrypted from it; nil if there is none.
    public let token: TokenUse?
    /// The items that the order holds after the commit, with different names.
    public let items: [HeldItem]

    /// Creates a commit. The order's version is one more than the version that the decision was based on.
    public init(transaction: Transaction, fingerprint: [UInt8], token: TokenUse?, items: [HeldItem] = []) {
        self.transaction = transaction
        self.fingerprint = fingerprint
        self.token = token
        self.items = items
    }

    /// The order's state after the transaction.
    public var order: Order { transaction.order }
    /// The version that the order must still have; 0 if the order must not exist yet.
    public var versionBefore: Int64 { order.version - 1 }
}

/// A transaction's use of a payment token, or of the data decrypted from a token.
public struct TokenUse: Equatable, Sendable {
    /// Digests that no other use may have: HMAC-SHA256s of 32 bytes each.
    public let digests: [[UInt8]]
    /// Digests that other uses may have only if they share them in the same way. None of them is also in `digests`. A
    /// use that is not credited doesn't record them.
    public let sharedDigests: [SharedDigest]
    /// Whether money may have moved, so that no later use of the token is allowed.
    public let isCredited: Bool

    /// The kinds of uses that share a digest. Stores record the raw value.
    public enum Sharing: UInt8, Sendable {
        /// Payments of parts of a token for several merchants.
        case parts = 1
        /// Requests with a cryptogram that was sent without its token.
        case cryptogram = 2
        /// Payments by tokens that contain the same cryptogram; their `transactionId`s distinguish the tokens.
        case token = 3
    }

    /// A digest that uses of one kind may share.
    public struct SharedDigest: Equatable, Sendable {
        /// An HMAC-SHA256 of 32 bytes.
        public let digest: [UInt8]
        /// The kind of uses that may share the digest.
        public let sharing: Sharing

        /// A digest that is shared.
        public init(_ digest: [UInt8], _ sharing: Sharing) {
            self.digest = digest
            self.sharing = sharing
        }
    }

    /// A use of a token.
    public init(digests: [[UInt8]], sharedDigests: [SharedDigest] = [], isCredited: Bool) {
        self.digests = digests
        self.sharedDigests = sharedDigests
        self.isCredited = isCredited
    }

    /// All digests, each with its sharing; the sharing is nil if no other use may have the digest.
    public var all: [(digest: [UInt8], sharing: Sharing?)] {
        digests.map { ($0, nil) } + sharedDigests.map { ($0.digest, $0.sharing) }
    }
}

/// The outcome of a commit. Only `committed` has an effect; if several others apply, it is the first of them.
public enum CommitOutcome: Equatable, Sendable {
    /// The whole commit is durable.
    case committed
    /// The order already has a transaction with this identifier.
    case transactionExists
    /// The order has another version than the one decided on, exists unexpectedly, or doesn't exist.
    case orderMoved
    /// The token is credited to another transaction, of any order and merchant.
    case tokenCredited
    /// The token was first presented for another order.
    case tokenPresentedElsewhere
    /// A new item's name is taken, or an item that the order was to keep doesn't exist.
    case itemMoved
    /// The group of this name already has its maximum number of items.
    case groupFull(name: [UInt8])
}
