public import JSON
public import Values

/// What all operations on a transaction have in common: merchant, order, transaction and request.
public struct Instruction: Sendable {
    /// The merchant, authenticated.
    public let merchant: Merchant
    /// The order.
    public let order: OrderID
    /// The transaction.
    public let transaction: TransactionID
    /// The channel by which the payer gave the order. Without one it is the order's, or INTERNET for a new order.
    public let source: TransactionSource?
    /// The request in a canonical form, the same bytes for every request with the same parameters. It holds card data,
    /// is hashed under the installation key, and kept nowhere.
    public let parameters: SecretText
    /// The request's members that replies echo. Kept in clear but for ``SealedParticulars``, so the caller guarantees that no
    /// card data is in it.
    public let particulars: JSONValue
    /// The SHA-256 that the application data of a token must be, if the request gave one beside its content.
    public let applicationDataHash: [UInt8]?
    /// Receives the findings on the request's token, each as one sentence without secrets.
    public let noting: @Sendable ([String]) -> Void
    /// What the API of the request commits beside the payment; nil for nothing.
    public let commitExtension: (any CommitExtension)?
    /// The API by which the request came.
    public let api: APIName

    /// What a request says, whatever its operation.
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

    /// `billing.address.street`, if the request said one.
    var billingStreet: String? {
        guard case .string(let street) = particulars["billing"]?["address"]?["street"] else { return nil }
        return street
    }

    /// The order among all of the installation.
    public var key: OrderKey { OrderKey(merchant: merchant.id, order: order) }
    /// The transaction among all of the installation.
    public var transactionKey: TransactionKey { TransactionKey(order: key, transaction: transaction) }
}
