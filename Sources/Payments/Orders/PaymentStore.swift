public import Values
public import Vault

/// Where orders and transactions are kept, durably.
///
/// One instance serves any number of concurrent callers. What `commit` has answered with `committed` is on disk.
public protocol PaymentStore: Sendable {
    /// The order's present state and, if it exists, the transaction as it was answered, from one snapshot.
    func recall(_ transaction: TransactionID, of order: OrderKey) async throws(StoreFailure) -> Recollection

    /// The order's present state with all its transactions, from one snapshot; nil if there is no such order.
    func history(of order: OrderKey) async throws(StoreFailure) -> OrderHistory?

    /// The order's present state with what later operations need, from one snapshot; nil if there is no such
    /// order. What replies echo is not read.
    func ledger(of order: OrderKey) async throws(StoreFailure) -> OrderLedger?

    /// Writes all of a commit or nothing. Returns once it is durable, or has had no effect.
    func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome

    /// Removes orders that are too old, or too many, at `instant`, with all their transactions: at most `countMax`, those
    /// whose last transaction is the oldest first. Returns how many went once that is durable; if they were `countMax`, there
    /// may be more.
    ///
    /// A credited token stays so permanently. One that moved no money is free once its order has gone. With an order go
    /// the sealed items that no other one holds; an item that follows orders and that none ever held goes once it is older
    /// than an order may become, and is counted like an order. No commit waits for long: what is to go is found beside the commits, and goes in steps between them. An order that is committed to at
    /// the same time stays or goes as a whole; what was decided on one that went finds that the order has moved.
    ///
    /// Orders that were answered while the clock was wrong may stay for longer, never shorter, than their instants say.
    func prune(
        _ retention: OrderRetention, at instant: Instant, countMax: Int
    ) async throws(StoreFailure) -> Int

    /// Forgets everything, as if the store were new. Returns once that is durable.
    func reset() async throws(StoreFailure)

    /// Removes one merchant's orders with their transactions and held items, the tokens that these orders credited, and the
    /// sealed items of its groups. Returns once that is durable; a failed reset may be repeated.
    ///
    /// No commit of another merchant waits for long: the rows are found beside the commits, and are removed in steps between
    /// them. An order that the merchant itself commits meanwhile is removed or kept as a whole with its token. Shared digests
    /// stay credited, since other merchants may have used them, and so may a token whose order was pruned before.
    ///
    /// - Parameter groups: the names of the merchant's groups of sealed items.
    func reset(_ merchant: MerchantID, groups: [[UInt8]]) async throws(StoreFailure)

    /// Returns if the store works in this respect.
    func check(_ aspect: StoreCheck) async throws(StoreFailure)
}

extension PaymentStore {
    /// The ledger, taken from the history: for a store that knows no better.
    public func ledger(of order: OrderKey) async throws(StoreFailure) -> OrderLedger? {
        try await history(of: order).map {
            OrderLedger(order: $0.order, entries: $0.transactions.map { LedgerEntry($0) })
        }
    }
}

/// What a store remembers of a request that may have been answered before.
public struct Recollection: Equatable, Sendable {
    /// The order's present state.
    public let order: Order?
    /// The transaction, if it was answered.
    public let transaction: RecordedTransaction?

    /// What was found.
    public init(order: Order?, transaction: RecordedTransaction?) {
        self.order = order
        self.transaction = transaction
    }
}

/// A transaction with what recognises the request that made it.
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

/// An order with what later operations on it are decided on.
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

/// What an order's ledger has of a transaction.
public struct LedgerEntry: Equatable, Sendable {
    /// Its identifier within the order.
    public let id: TransactionID
    /// What was done.
    public let type: TransactionType
    /// What was approved of its amount, in minor units.
    public let approvedMinorUnits: Int64
    /// The transaction that it builds on.
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

/// What one transaction changes.
public struct Commit: Sendable {
    /// The transaction with the order as it leaves it.
    public let transaction: Transaction
    /// The HMAC-SHA256 of the request's parameters, 32 bytes.
    public let fingerprint: [UInt8]
    /// The token that paid, or what it held, if one did.
    public let token: TokenUse?
    /// What the order holds from now on, each of another name.
    public let items: [HeldItem]

    /// A commit. The order's version is one more than that of the order which the decision was made on.
    public init(transaction: Transaction, fingerprint: [UInt8], token: TokenUse?, items: [HeldItem] = []) {
        self.transaction = transaction
        self.fingerprint = fingerprint
        self.token = token
        self.items = items
    }

    /// The order as the transaction leaves it.
    public var order: Order { transaction.order }
    /// The version that the order must still have; 0 if it must not exist yet.
    public var versionBefore: Int64 { order.version - 1 }
}

/// The use of a payment token, or of what a token held, by a transaction.
public struct TokenUse: Equatable, Sendable {
    /// What nobody else may use: HMAC-SHA256s of 32 bytes each.
    public let digests: [[UInt8]]
    /// What only uses may use that share it as well, in the same way. None of them is among `digests`. A use that is not
    /// credited leaves no trace of them.
    public let sharedDigests: [SharedDigest]
    /// Whether money may have moved, so that the token may never be used again.
    public let isCredited: Bool

    /// Who shares a digest. Stores keep the number.
    public enum Sharing: UInt8, Sendable {
        /// The parts of a payment for several merchants.
        case parts = 1
        /// Requests with a cryptogram that was sent without its token.
        case cryptogram = 2
        /// Tokens with a cryptogram: what tells them apart is their transactionId.
        case token = 3
    }

    /// A digest that some other uses may use as well.
    public struct SharedDigest: Equatable, Sendable {
        /// An HMAC-SHA256 of 32 bytes.
        public let digest: [UInt8]
        /// Who may.
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

    /// Each digest, and how it is shared if it is.
    public var all: [(digest: [UInt8], sharing: Sharing?)] {
        digests.map { ($0, nil) } + sharedDigests.map { ($0.digest, $0.sharing) }
    }
}

/// The outcome of a commit. All but `committed` had no effect; where several apply, it is the first.
public enum CommitOutcome: Equatable, Sendable {
    /// All of it is durable.
    case committed
    /// The order has a transaction of this identifier.
    case transactionExists
    /// The order has another version than the one decided on, or exists, or doesn't.
    case orderMoved
    /// The token is credited to another transaction, of whatever order or merchant.
    case tokenCredited
    /// The token was first presented for another order.
    case tokenPresentedElsewhere
    /// There is an item of a new one's name, or none where one was to be kept.
    case itemMoved
    /// The group of this name has as many items as it may have.
    case groupFull(name: [UInt8])
}
