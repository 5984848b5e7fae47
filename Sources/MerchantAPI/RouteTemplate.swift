public import Payments

/// The resources of the API, by the templates of their paths.
public enum RouteTemplate: Int, CaseIterable, Sendable {
    /// The gateway itself.
    case information
    /// An order.
    case order
    /// A transaction of an order.
    case transaction
    /// The authentication of a payer.
    case payerAuthentication
    /// The balance of a gift card.
    case balanceInquiry
    /// What a merchant may be paid by.
    case paymentOptions
    /// A merchant's sessions.
    case sessions
    /// A session.
    case session
    /// A merchant's tokens.
    case tokens
    /// A token.
    case token
    /// Radial: authorizations of cards.
    case radialCreditCardAuth
    /// Radial: cancellations of authorizations.
    case radialAuthCancel
    /// Radial: settlements.
    case radialSettlement
    /// Radial: whether what was authorized can be settled.
    case radialFundsConfirm
    /// Radial: tokens for account numbers.
    case radialPanProtect
    /// Radial: the tender types of account numbers.
    case radialTenderTypeLookup
    /// Radial: what Apple Pay tokens hold.
    case radialDecryptBlob

    /// The template, with the names that the API's description gives its parameters.
    public var text: String {
        switch self {
        case .information: "/api/rest/version/{version}/information"
        case .order: "/api/rest/version/{version}/merchant/{merchantId}/order/{orderId}"
        case .transaction:
            "/api/rest/version/{version}/merchant/{merchantId}/order/{orderId}/transaction/{transactionId}"
        case .payerAuthentication: "/api/rest/version/{version}/merchant/{merchantId}/3DSecureId/{3DSecureId}"
        case .balanceInquiry: "/api/rest/version/{version}/merchant/{merchantId}/balanceInquiry"
        case .paymentOptions: "/api/rest/version/{version}/merchant/{merchantId}/paymentOptionsInquiry"
        case .sessions: "/api/rest/version/{version}/merchant/{merchantId}/session"
        case .session: "/api/rest/version/{version}/merchant/{merchantId}/session/{sessionId}"
        case .tokens: "/api/rest/version/{version}/merchant/{merchantId}/token"
        case .token: "/api/rest/version/{version}/merchant/{merchantId}/token/{tokenId}"
        case .radialCreditCardAuth: Self.radial + "creditcard/auth/{tender}.xml"
        case .radialAuthCancel: Self.radial + "auth/cancel/{tender}.xml"
        case .radialSettlement: Self.radial + "settlement/create/{tender}.xml"
        case .radialFundsConfirm: Self.radial + "funds/confirm/{tender}.xml"
        case .radialPanProtect: Self.radial + "pan/protect.xml"
        case .radialTenderTypeLookup: Self.radial + "tendertype/lookup.xml"
        case .radialDecryptBlob: Self.radial + "decryptblob.xml"
        }
    }

    private static let radial = "/v{version}/stores/{storeId}/payments/"
}

/// What requests ask for, by the names that the API's description gives it.
public enum RequestOperation: Int, CaseIterable, Sendable {
    /// Whether the gateway operates.
    case checkGateway
    /// Reserve an amount.
    case authorize
    /// Take what was reserved.
    case capture
    /// Reserve an amount and take it.
    case pay
    /// Give back what was taken.
    case refund
    /// Reserve another amount.
    case updateAuthorization
    /// Ask whether a card is good.
    case verify
    /// Undo a transaction.
    case void
    /// An order with its transactions.
    case retrieveOrder
    /// A transaction.
    case retrieveTransaction
    /// Authenticate a payer, which isn't simulated.
    case authenticatePayer
    /// A gift card's balance, which isn't simulated.
    case inquireBalance
    /// What a merchant may be paid by.
    case inquirePaymentOptions
    /// A new session.
    case createSession
    /// Put fields into a session.
    case updateSession
    /// A session's fields.
    case retrieveSession
    /// Store a card under a new token.
    case createToken
    /// Store a card in place of a token's.
    case replaceToken
    /// A token's card, masked.
    case retrieveToken
    /// Forget a token.
    case deleteToken
    /// Radial: reserve an amount.
    case radialCreditCardAuth
    /// Radial: undo that.
    case radialAuthCancel
    /// Radial: take or give back an amount.
    case radialSettlement
    /// Radial: whether an amount can be taken.
    case radialConfirmFunds
    /// Radial: a token for an account number.
    case radialProtectPan
    /// Radial: the tender type of an account number.
    case radialTenderTypeLookup
    /// Radial: what an Apple Pay token holds.
    case radialDecryptBlob

    /// The operation's name.
    public var name: String {
        switch self {
        case .checkGateway: "CHECK_GATEWAY"
        case .authorize: "AUTHORIZE"
        case .capture: "CAPTURE"
        case .pay: "PAY"
        case .refund: "REFUND"
        case .updateAuthorization: "UPDATE_AUTHORIZATION"
        case .verify: "VERIFY"
        case .void: "VOID"
        case .retrieveOrder: "RETRIEVE_ORDER"
        case .retrieveTransaction: "RETRIEVE_TRANSACTION"
        case .authenticatePayer: "AUTHENTICATE_PAYER"
        case .inquireBalance: "BALANCE_INQUIRY"
        case .inquirePaymentOptions: "PAYMENT_OPTIONS_INQUIRY"
        case .createSession: "CREATE_SESSION"
        case .updateSession: "UPDATE_SESSION"
        case .retrieveSession: "RETRIEVE_SESSION"
        case .createToken: "CREATE_TOKEN"
        case .replaceToken: "UPDATE_TOKEN"
        case .retrieveToken: "RETRIEVE_TOKEN"
        case .deleteToken: "DELETE_TOKEN"
        case .radialCreditCardAuth: "CreditCardAuth"
        case .radialAuthCancel: "PaymentAuthCancel"
        case .radialSettlement: "PaymentSettlement"
        case .radialConfirmFunds: "ConfirmFunds"
        case .radialProtectPan: "ProtectPan"
        case .radialTenderTypeLookup: "TenderTypeLookup"
        case .radialDecryptBlob: "DecryptBlob"
        }
    }

    /// Where it is asked for.
    public var route: RouteTemplate {
        switch self {
        case .checkGateway: .information
        case .authorize, .capture, .pay, .refund, .updateAuthorization, .verify, .void, .retrieveTransaction:
            .transaction
        case .retrieveOrder: .order
        case .authenticatePayer: .payerAuthentication
        case .inquireBalance: .balanceInquiry
        case .inquirePaymentOptions: .paymentOptions
        case .createSession: .sessions
        case .updateSession, .retrieveSession: .session
        case .createToken: .tokens
        case .replaceToken, .retrieveToken, .deleteToken: .token
        case .radialCreditCardAuth: .radialCreditCardAuth
        case .radialAuthCancel: .radialAuthCancel
        case .radialSettlement: .radialSettlement
        case .radialConfirmFunds: .radialFundsConfirm
        case .radialProtectPan: .radialPanProtect
        case .radialTenderTypeLookup: .radialTenderTypeLookup
        case .radialDecryptBlob: .radialDecryptBlob
        }
    }

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
