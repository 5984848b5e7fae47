internal import Access
internal import HTTPTypes

/// A resource of the pages: its path, its method and its operation.
enum HostedRoute: String, CaseIterable {
    /// The script that simulates Safari's Apple Pay.
    case script = "/apple-pay/apple-pay.js"
    /// Exchanges a merchant session for a grant; called by pages.
    case redeem = "/apple-pay/redeem"
    /// Mints a token for a grant; called by pages.
    case token = "/apple-pay/token"
    /// Issues a merchant session; called by a shop's server.
    case paymentSession = "/paymentservices/paymentSession"
    /// The same under the path of earlier integrations.
    case startSession = "/paymentservices/startSession"
    /// The file by which Apple verifies a merchant's domain.
    case domainAssociation = "/.well-known/apple-developer-merchantid-domain-association"

    /// Finds the resource of a path, ignoring its query; nil if there is none.
    init?(path: String) {
        // This check rules out most requests quickly, since every request of the gateway is tested.
        guard path.hasPrefix("/apple-pay/") || path.hasPrefix("/paymentservices/") || path.hasPrefix("/.well-known/")
        else { return nil }
        self.init(rawValue: String(path.prefix { $0 != "?" }))
    }

    /// The allowed methods; the operation's is first.
    var methods: [HTTPRequest.Method] {
        switch self {
        case .script, .domainAssociation: [.get, .head]
        case .redeem, .token, .paymentSession, .startSession: [.post]
        }
    }

    /// Whether pages of other origins send requests here for which browsers need a preflight request.
    var isForPages: Bool { self == .redeem || self == .token }

    /// The operation, for logs and metrics.
    var operation: RequestOperation {
        let name =
            switch self {
            case .script: "APPLE_PAY_SCRIPT"
            case .redeem: "REDEEM_MERCHANT_SESSION"
            case .token: "MINT_APPLE_PAY_TOKEN"
            case .paymentSession: "PAYMENT_SESSION"
            case .startSession: "START_SESSION"
            case .domainAssociation: "DOMAIN_ASSOCIATION"
            }
        return RequestOperation(name, at: RouteTemplate(rawValue))
    }

    /// Checks a method.
    func check(_ method: HTTPRequest.Method) throws(HostedFault) {
        guard methods.contains(method) else { throw .methodNotAllowed(methods) }
    }
}
