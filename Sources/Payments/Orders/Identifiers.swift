public import Values

/// A merchant's identifier for an order, unique for the merchant: 1 to 40 characters without control and bidirectional
/// characters.
///
/// Compared by bytes, as stores do: canonically equivalent strings identify different orders.
public struct OrderID: Sendable {
    /// The identifier, decoded from the URL.
    public let text: String

    /// Validates an identifier.
    public init(_ text: String) throws(MalformedIdentifier) {
        try checkIdentifier(text)
        self.text = text
    }

    /// An identifier from a record; only its length is checked, because the rules may have been different when it was
    /// accepted.
    init(recorded text: String) throws(MalformedIdentifier) {
        try checkIdentifierLength(text)
        self.text = text
    }
}

/// A merchant's identifier for a transaction, unique for its order: 1 to 40 characters without control and
/// bidirectional characters.
///
/// Compared by bytes.
public struct TransactionID: Sendable {
    /// The identifier, decoded from the URL.
    public let text: String

    /// Validates an identifier.
    public init(_ text: String) throws(MalformedIdentifier) {
        try checkIdentifier(text)
        self.text = text
    }

    /// An identifier from a record; only its length is checked, because the rules may have been different when it was
    /// accepted.
    init(recorded text: String) throws(MalformedIdentifier) {
        try checkIdentifierLength(text)
        self.text = text
    }
}

/// The key of an order, unique in an installation.
public struct OrderKey: Hashable, Sendable {
    /// The merchant of the order.
    public let merchant: MerchantID
    /// The order's identifier, unique for the merchant.
    public let order: OrderID

    /// Creates the key of a merchant's order.
    public init(merchant: MerchantID, order: OrderID) {
        self.merchant = merchant
        self.order = order
    }
}

extension OrderID: Hashable {
    /// Compares bytes.
    public static func == (one: OrderID, other: OrderID) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }
    /// Hashes bytes.
    public func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
}

extension TransactionID: Hashable {
    /// Compares bytes.
    public static func == (one: TransactionID, other: TransactionID) -> Bool {
        one.text.utf8.elementsEqual(other.text.utf8)
    }
    /// Hashes bytes.
    public func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
}

extension OrderID: CustomStringConvertible {
    /// The identifier.
    public var description: String { text }
}

extension TransactionID: CustomStringConvertible {
    /// The identifier.
    public var description: String { text }
}
