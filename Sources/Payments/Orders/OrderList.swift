public import Values
public import Vault

/// A store that lists orders, for the operator's search.
///
/// Separate from ``PaymentStore``, because no payment is decided on a list.
public protocol OrderListing: Sendable {
    /// Lists orders, the newest first, by an index. An order counts as listed with its latest committed state.
    ///
    /// Where several filters are set, the store follows the index of one and examines at most
    /// ``OrderQuery/examinedMax`` orders for the others. So a page may be short, even empty, and still name the position
    /// where the next one begins.
    ///
    /// - Returns: nil if ``OrderQuery/before`` is not a position of this store.
    func orders(_ query: OrderQuery) async throws(StoreFailure) -> OrderPage?
}

/// A search for orders. Every filter that is set must match.
public struct OrderQuery: Sendable {
    /// The maximum number of orders on a page.
    public static let countMax = 100
    /// The maximum number of orders that are examined for one page.
    public static let examinedMax = 5_000

    /// The merchant.
    public var merchant: MerchantID?
    /// The order's whole identifier, of any merchant unless ``merchant`` is set.
    public var order: OrderID?
    /// `order.status`.
    public var status: OrderStatus?
    /// `order.amount`, in units of any currency.
    public var amount: ExactDecimal?
    /// `order.walletProvider`.
    public var wallet: WalletProvider?
    /// The last four digits of the card that the latest transaction shows.
    public var lastFour: String?
    /// Lists only orders that are older than this position.
    public var before: OrderPosition?
    /// The maximum number of orders on the page, 1 to ``countMax``.
    public var count: Int

    /// Creates a search without filters.
    public init(count: Int = countMax) {
        precondition((1...Self.countMax).contains(count), "checked where it was read")
        self.count = count
    }

    /// Whether an order matches all filters.
    public func matches(_ listed: ListedOrder) -> Bool {
        let order = listed.order
        return merchant.map { $0 == order.merchant } ?? true && self.order.map { $0 == order.id } ?? true
            && status.map { $0 == order.status } ?? true && amount.map { $0 == ExactDecimal(order.amount) } ?? true
            && wallet.map { $0 == order.walletProvider } ?? true && lastFour.map { $0 == listed.lastFour } ?? true
    }
}

/// A position in a store's list of orders. Only the store that made it can read it.
public struct OrderPosition: Equatable, Sendable {
    /// The position as text: letters, digits, `-`, `_` and `.`.
    public let text: String

    /// Creates a position from text that a client sends back. The store checks it.
    public init(_ text: String) { self.text = text }
}

/// One page of a list of orders.
public struct OrderPage: Sendable {
    /// The orders, the newest first.
    public let orders: [ListedOrder]
    /// Where the next page begins; nil if there are no older orders.
    public let next: OrderPosition?

    /// Creates a page.
    public init(orders: [ListedOrder], next: OrderPosition?) {
        self.orders = orders
        self.next = next
    }
}

/// An order in a list.
public struct ListedOrder: Equatable, Sendable {
    /// The order's latest state.
    public let order: Order
    /// The last four digits of its card; nil if they are not known, as for orders written by earlier versions.
    public let lastFour: String?

    /// Creates an element of a list.
    public init(order: Order, lastFour: String?) {
        self.order = order
        self.lastFour = lastFour
    }
}

/// The values by which stores find an order in their lists.
public struct OrderIndexEntry: Equatable, Sendable {
    /// `order.status`.
    public let status: String
    /// `order.amount` in ten-thousandths of a unit, so that 12 and 12.00 are equal.
    public let amount: Int64
    /// `order.walletProvider`.
    public let wallet: String?
    /// The last four digits of the card.
    public let lastFour: String?

    /// The entry of the order as a transaction leaves it.
    public init(_ transaction: Transaction) {
        status = transaction.order.status.rawValue
        amount = ExactDecimal(transaction.order.amount).tenThousandths
        wallet = transaction.order.walletProvider?.rawValue
        lastFour = transaction.card.lastFour
    }

    /// An entry as a store has kept it.
    public init(status: String, amount: Int64, wallet: String?, lastFour: String?) {
        self.status = status
        self.amount = amount
        self.wallet = wallet
        self.lastFour = lastFour
    }

    /// Whether another entry has the same values apart from the status, which changes most often.
    public func differsOnlyByStatus(from other: OrderIndexEntry) -> Bool {
        amount == other.amount && wallet == other.wallet && lastFour == other.lastFour
    }
}

extension CardSummary {
    /// The last four digits of the number that funds the payment, or of the device's account number if the issuer gave no
    /// funding account number.
    public var lastFour: String? {
        guard let digits = (number ?? device?.number)?.suffix(4), digits.count == 4,
            digits.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 })
        else { return nil }
        return String(digits)
    }
}
