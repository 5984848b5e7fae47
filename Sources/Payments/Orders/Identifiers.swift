public import Values

/// The identifier that a merchant gave an order, unique for the merchant: 1 to 40 characters, none of them a control or a
/// bidirectional one.
///
/// Two are the same only if their bytes are: canonically equivalent texts are different orders, as they are in a store.
public struct OrderID: Sendable {
    /// The identifier, decoded from the URL.
    public let text: String

    /// Checks an identifier.
    public init(_ text: String) throws(MalformedIdentifier) {
        try checkIdentifier(text)
        self.text = text
    }

    /// An identifier that was taken before, under whatever rules.
    init(recorded text: String) throws(MalformedIdentifier) {
        try checkIdentifierLength(text)
        self.text = text
    }
}

/// The identifier that a merchant gave a transaction, unique for its order: 1 to 40 characters, none of them a control or a
/// bidirectional one.
///
/// Two are the same only if their bytes are.
public struct TransactionID: Sendable {
    /// The identifier, decoded from the URL.
    public let text: String

    /// Checks an identifier.
    public init(_ text: String) throws(MalformedIdentifier) {
        try checkIdentifier(text)
        self.text = text
    }

    /// An identifier that was taken before, under whatever rules.
    init(recorded text: String) throws(MalformedIdentifier) {
        try checkIdentifierLength(text)
        self.text = text
    }
}

/// What makes an order unique in an installation.
public struct OrderKey: Hashable, Sendable {
    /// Whose order it is.
    public let merchant: MerchantID
    /// Its identifier among the merchant's.
    public let order: OrderID

    /// A merchant's order.
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
