public import Access
internal import Payments

/// The resources of Mastercard's API.
extension RouteTemplate {
    /// The gateway itself.
    package static let information = RouteTemplate(version + "information")
    /// An order.
    package static let order = RouteTemplate(version + "merchant/{merchantId}/order/{orderId}")
    /// A transaction of an order.
    package static let transaction = RouteTemplate(
        version + "merchant/{merchantId}/order/{orderId}/transaction/{transactionId}")
    /// The authentication of a payer.
    package static let payerAuthentication = RouteTemplate(version + "merchant/{merchantId}/3DSecureId/{3DSecureId}")
    /// The balance of a gift card.
    package static let balanceInquiry = RouteTemplate(version + "merchant/{merchantId}/balanceInquiry")
    /// The payment options of a merchant.
    package static let paymentOptions = RouteTemplate(version + "merchant/{merchantId}/paymentOptionsInquiry")
    /// A merchant's sessions.
    package static let sessions = RouteTemplate(version + "merchant/{merchantId}/session")
    /// A session.
    package static let session = RouteTemplate(version + "merchant/{merchantId}/session/{sessionId}")
    /// A merchant's tokens.
    package static let tokens = RouteTemplate(version + "merchant/{merchantId}/token")
    /// A token.
    package static let token = RouteTemplate(version + "merchant/{merchantId}/token/{tokenId}")

    private static let version = "/api/rest/version/{version}/"
}

/// The operations of Mastercard's API, named by `apiOperation` or as in its documentation.
extension RequestOperation {
    /// Whether the gateway operates.
    static let checkGateway = RequestOperation("CHECK_GATEWAY", at: .information)
    /// Authorizes an amount.
    static let authorize = RequestOperation("AUTHORIZE", at: .transaction)
    /// Captures an authorized amount.
    static let capture = RequestOperation("CAPTURE", at: .transaction)
    /// Authorizes and captures an amount.
    static let pay = RequestOperation("PAY", at: .transaction)
    /// Refunds an amount.
    static let refund = RequestOperation("REFUND", at: .transaction)
    /// Changes the authorized amount.
    static let updateAuthorization = RequestOperation("UPDATE_AUTHORIZATION", at: .transaction)
    /// Verifies a card.
    static let verify = RequestOperation("VERIFY", at: .transaction)
    /// Cancels a transaction.
    static let void = RequestOperation("VOID", at: .transaction)
    /// Retrieves an order with its transactions.
    static let retrieveOrder = RequestOperation("RETRIEVE_ORDER", at: .order)
    /// Retrieves a transaction.
    static let retrieveTransaction = RequestOperation("RETRIEVE_TRANSACTION", at: .transaction)
    /// Authenticates a payer; not simulated.
    static let authenticatePayer = RequestOperation("AUTHENTICATE_PAYER", at: .payerAuthentication)
    /// Inquires a gift card's balance; not simulated.
    static let inquireBalance = RequestOperation("BALANCE_INQUIRY", at: .balanceInquiry)
    /// The payment options of a merchant.
    static let inquirePaymentOptions = RequestOperation("PAYMENT_OPTIONS_INQUIRY", at: .paymentOptions)
    /// Creates a session.
    static let createSession = RequestOperation("CREATE_SESSION", at: .sessions)
    /// Stores fields in a session.
    static let updateSession = RequestOperation("UPDATE_SESSION", at: .session)
    /// Retrieves a session's fields.
    static let retrieveSession = RequestOperation("RETRIEVE_SESSION", at: .session)
    /// Stores a card under a new token.
    static let createToken = RequestOperation("CREATE_TOKEN", at: .tokens)
    /// Replaces a token's card.
    static let replaceToken = RequestOperation("UPDATE_TOKEN", at: .token)
    /// Retrieves a token's card, masked.
    static let retrieveToken = RequestOperation("RETRIEVE_TOKEN", at: .token)
    /// Deletes a token.
    static let deleteToken = RequestOperation("DELETE_TOKEN", at: .token)

    /// The operation on a transaction.
    init(_ operation: PaymentOperation) {
        self =
            switch operation {
            case .authorize: .authorize
            case .capture: .capture
            case .pay: .pay
            case .refund: .refund
            case .updateAuthorization: .updateAuthorization
            case .verify: .verify
            case .void: .void
            }
    }
}

extension MerchantAPI {
    /// All operations, for logs and metrics.
    public static let operations: [RequestOperation] = [
        .checkGateway, .authorize, .capture, .pay, .refund, .updateAuthorization, .verify, .void, .retrieveOrder,
        .retrieveTransaction, .authenticatePayer, .inquireBalance, .inquirePaymentOptions, .createSession,
        .updateSession, .retrieveSession, .createToken, .replaceToken, .retrieveToken, .deleteToken,
    ]
}

extension Route.Resource {
    /// The template of the path.
    var template: RouteTemplate {
        switch self {
        case .information: .information
        case .balance: .balanceInquiry
        case .order: .order
        case .payerAuthentication: .payerAuthentication
        case .transaction: .transaction
        case .sessions: .sessions
        case .session: .session
        case .tokens: .tokens
        case .token: .token
        case .paymentOptions: .paymentOptions
        }
    }

    /// The identifiers in the path, without those of sessions and tokens, which are credentials.
    var names: (merchant: String?, order: String?, transaction: String?) {
        switch self {
        case .information: (nil, nil, nil)
        case .order(let path): (path.merchant, path.order, nil)
        case .transaction(let path, let transaction): (path.merchant, path.order, transaction)
        case .balance(let merchant), .payerAuthentication(let merchant), .sessions(let merchant),
            .session(let merchant, _), .tokens(let merchant), .token(let merchant, _), .paymentOptions(let merchant):
            (merchant, nil, nil)
        }
    }
}

extension Route.Operation {
    /// The operation's name; nil if it is in the request's content.
    var name: RequestOperation? {
        switch self {
        case .authenticatePayer: .authenticatePayer
        case .checkGateway: .checkGateway
        case .inquireBalance: .inquireBalance
        case .retrieveOrder: .retrieveOrder
        case .retrieveTransaction: .retrieveTransaction
        case .transact: nil
        case .serve(_, let operation): operation.name
        }
    }
}

extension MerchantOperation {
    fileprivate var name: RequestOperation {
        switch self {
        case .createSession: .createSession
        case .updateSession: .updateSession
        case .retrieveSession: .retrieveSession
        case .createToken: .createToken
        case .replaceToken: .replaceToken
        case .retrieveToken: .retrieveToken
        case .deleteToken: .deleteToken
        case .inquirePaymentOptions: .inquirePaymentOptions
        }
    }

    /// Whether the operation is read-only.
    var isRetrieval: Bool {
        switch self {
        case .retrieveSession, .retrieveToken, .inquirePaymentOptions: true
        case .createSession, .updateSession, .createToken, .replaceToken, .deleteToken: false
        }
    }
}

extension RequestTrace {
    /// Records a request's route and operation.
    func note(_ route: Route, _ operation: Route.Operation?) {
        let names = route.resource.names
        note(
            route.resource.template, operation?.name, merchant: names.merchant, order: names.order,
            transaction: names.transaction)
    }
}
