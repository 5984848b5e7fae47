public import Payments

/// The resources of the API, by the templates of their paths.
public enum RouteTemplate: String, CaseIterable, Sendable {
    /// The gateway itself.
    case information = "/api/rest/version/{version}/information"
    /// An order.
    case order = "/api/rest/version/{version}/merchant/{merchantId}/order/{orderId}"
    /// A transaction of an order.
    case transaction =
        "/api/rest/version/{version}/merchant/{merchantId}/order/{orderId}/transaction/{transactionId}"
    /// The authentication of a payer.
    case payerAuthentication = "/api/rest/version/{version}/merchant/{merchantId}/3DSecureId/{3DSecureId}"
    /// The balance of a gift card.
    case balanceInquiry = "/api/rest/version/{version}/merchant/{merchantId}/balanceInquiry"
    /// What a merchant may be paid by.
    case paymentOptions = "/api/rest/version/{version}/merchant/{merchantId}/paymentOptionsInquiry"
    /// A merchant's sessions.
    case sessions = "/api/rest/version/{version}/merchant/{merchantId}/session"
    /// A session.
    case session = "/api/rest/version/{version}/merchant/{merchantId}/session/{sessionId}"
    /// A merchant's tokens.
    case tokens = "/api/rest/version/{version}/merchant/{merchantId}/token"
    /// A token.
    case token = "/api/rest/version/{version}/merchant/{merchantId}/token/{tokenId}"
}

/// What requests ask for, by the names that the API's description gives it.
public enum RequestOperation: String, CaseIterable, Sendable {
    /// Whether the gateway operates.
    case checkGateway = "CHECK_GATEWAY"
    /// Reserve an amount.
    case authorize = "AUTHORIZE"
    /// Take what was reserved.
    case capture = "CAPTURE"
    /// Reserve an amount and take it.
    case pay = "PAY"
    /// Give back what was taken.
    case refund = "REFUND"
    /// Reserve another amount.
    case updateAuthorization = "UPDATE_AUTHORIZATION"
    /// Ask whether a card is good.
    case verify = "VERIFY"
    /// Undo a transaction.
    case void = "VOID"
    /// An order with its transactions.
    case retrieveOrder = "RETRIEVE_ORDER"
    /// A transaction.
    case retrieveTransaction = "RETRIEVE_TRANSACTION"
    /// Authenticate a payer, which isn't simulated.
    case authenticatePayer = "AUTHENTICATE_PAYER"
    /// A gift card's balance, which isn't simulated.
    case inquireBalance = "BALANCE_INQUIRY"
    /// What a merchant may be paid by.
    case inquirePaymentOptions = "PAYMENT_OPTIONS_INQUIRY"
    /// A new session.
    case createSession = "CREATE_SESSION"
    /// Put fields into a session.
    case updateSession = "UPDATE_SESSION"
    /// A session's fields.
    case retrieveSession = "RETRIEVE_SESSION"
    /// Store a card under a new token.
    case createToken = "CREATE_TOKEN"
    /// Store a card in place of a token's.
    case replaceToken = "UPDATE_TOKEN"
    /// A token's card, masked.
    case retrieveToken = "RETRIEVE_TOKEN"
    /// Forget a token.
    case deleteToken = "DELETE_TOKEN"

    /// The operation on a transaction.
    public init(_ operation: PaymentOperation) {
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
    /// The operation's name; nothing of one whose request names it.
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
