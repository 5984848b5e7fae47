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
    /// The means of payment that a merchant accepts.
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

/// The operations of Mastercard's API, by `apiOperation` or by the name that its documentation gives the method.
extension RequestOperation {
    /// Whether the gateway operates.
    static let checkGateway = RequestOperation("CHECK_GATEWAY", at: .information)
    /// Reserve an amount.
    static let authorize = RequestOperation("AUTHORIZE", at: .transaction)
    /// Take what was reserved.
    static let capture = RequestOperation("CAPTURE", at: .transaction)
    /// Reserve an amount and take it.
    static let pay = RequestOperation("PAY", at: .transaction)
    /// REFUND.
    static let refund = RequestOperation("REFUND", at: .transaction)
    /// Reserve another amount.
    static let updateAuthorization = RequestOperation("UPDATE_AUTHORIZATION", at: .transaction)
    /// Ask whether a card is good.
    static let verify = RequestOperation("VERIFY", at: .transaction)
    /// Undo a transaction.
    static let void = RequestOperation("VOID", at: .transaction)
    /// An order with its transactions.
    static let retrieveOrder = RequestOperation("RETRIEVE_ORDER", at: .order)
    /// A transaction.
    static let retrieveTransaction = RequestOperation("RETRIEVE_TRANSACTION", at: .transaction)
    /// Authenticate a payer, which isn't simulated.
    static let authenticatePayer = RequestOperation("AUTHENTICATE_PAYER", at: .payerAuthentication)
    /// A gift card's balance, which isn't simulated.
    static let inquireBalance = RequestOperation("BALANCE_INQUIRY", at: .balanceInquiry)
    /// The means of payment that a merchant accepts.
    static let inquirePaymentOptions = RequestOperation("PAYMENT_OPTIONS_INQUIRY", at: .paymentOptions)
    /// A new session.
    static let createSession = RequestOperation("CREATE_SESSION", at: .sessions)
    /// Put fields into a session.
    static let updateSession = RequestOperation("UPDATE_SESSION", at: .session)
    /// A session's fields.
    static let retrieveSession = RequestOperation("RETRIEVE_SESSION", at: .session)
    /// Store a card under a new token.
    static let createToken = RequestOperation("CREATE_TOKEN", at: .tokens)
    /// Store a card in place of a token's.
    static let replaceToken = RequestOperation("UPDATE_TOKEN", at: .token)
    /// A token's card, masked.
    static let retrieveToken = RequestOperation("RETRIEVE_TOKEN", at: .token)
    /// Delete a token.
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
    /// What the path is an instance of.
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

    /// What the path names; identifiers of sessions and tokens are credentials, and left out.
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
    /// The operation's name; nil if the request names it.
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

    /// Whether it changes nothing.
    var isRetrieval: Bool {
        switch self {
        case .retrieveSession, .retrieveToken, .inquirePaymentOptions: true
        case .createSession, .updateSession, .createToken, .replaceToken, .deleteToken: false
        }
    }
}

extension RequestTrace {
    /// Notes what a request was routed to.
    func note(_ route: Route, _ operation: Route.Operation?) {
        let names = route.resource.names
        note(
            route.resource.template, operation?.name, merchant: names.merchant, order: names.order,
            transaction: names.transaction)
    }
}
