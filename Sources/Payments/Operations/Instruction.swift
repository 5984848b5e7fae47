public import JSON
public import Values

/// The members that all operations on a transaction have: merchant, order, transaction and request.
public struct Instruction: Sendable {
    /// The authenticated merchant.
    public let merchant: Merchant
    /// The order.
    public let order: OrderID
    /// The transaction.
    public let transaction: TransactionID
    /// The channel through which the payer gave the order; if nil, that of the order, or INTERNET for a new order.
    public let source: TransactionSource?
    /// The request in a canonical form: the same bytes for every request with the same parameters. It contains card
    /// data. It is hashed with the installation key and stored nowhere.
    public let parameters: SecretText
    /// The request's members that replies echo. They are stored in plaintext except for ``SealedParticulars``, so the
    /// caller guarantees that they contain no card data.
    public let particulars: JSONValue
    /// The SHA-256 hash that a token's application data must have, if the request gave one in a header field.
    public let applicationDataHash: [UInt8]?
    /// Receives the findings on the request's token, each one sentence without secrets.
    public let noting: @Sendable ([String]) -> Void
    /// The items that the request's API commits together with the payment; nil for none.
    public let commitExtension: (any CommitExtension)?
    /// The API that received the request.
    public let api: APIName

    /// Creates the members that are independent of the operation.
    public init(
        merchant: Merchant, order: OrderID, transaction: TransactionID, source: TransactionSource?,
        parameters: SecretText, particulars: JSONValue, applicationDataHash: [UInt8]? = nil,
        commitExtension: (any CommitExtension)? = nil, api: APIName = .mastercard,
        noting: @escaping @Sendable ([String]) -> Void = { _ in }
    ) {
        self.merchant = merchant
        self.order = order
        self.transaction = transaction
        self.source = source
        self.parameters = parameters
        self.particulars = particulars
        self.applicationDataHash = applicationDataHash
        self.commitExtension = commitExtension
        self.api = api
        self.noting = noting
    }

    /// The request's `billing.address.street`, if present.
    var billingStreet: String? {
        guard case .string(let street) = particulars["billing"]?["address"]?["street"] else { return nil }
        return street
    }

    /// The order's key, unique in the installation.
    public var key: OrderKey { OrderKey(merchant: merchant.id, order: order) }
    /// The transaction's key, unique in the installation.
    public var transactionKey: TransactionKey { TransactionKey(order: key, transaction: transaction) }
}
