internal import Access
internal import HTTPTypes

/// A resource of the pages: its path, its one method and its operation.
enum HostedRoute: String, CaseIterable {
    /// The script that stands in for Safari's Apple Pay.
    case script = "/apple-pay/apple-pay.js"
    /// Where a page uses a merchant session up.
    case redeem = "/apple-pay/redeem"
    /// Where a page gets a token.
    case token = "/apple-pay/token"
    /// Where a shop's server gets a merchant session.
    case paymentSession = "/paymentservices/paymentSession"
    /// The same, as earlier integrations ask for it.
    case startSession = "/paymentservices/startSession"
    /// The file by which Apple recognises a merchant's domain.
    case domainAssociation = "/.well-known/apple-developer-merchantid-domain-association"

    /// The resource of a path, whatever its query; nil if it is none.
    init?(path: String) {
        // As every request is asked, one comparison decides of almost all.
        guard path.hasPrefix("/apple-pay/") || path.hasPrefix("/paymentservices/") || path.hasPrefix("/.well-known/")
        else { return nil }
        self.init(rawValue: String(path.prefix { $0 != "?" }))
    }

    /// The methods, the one of the operation first.
    var methods: [HTTPRequest.Method] {
        switch self {
        case .script, .domainAssociation: [.get, .head]
        case .redeem, .token, .paymentSession, .startSession: [.post]
        }
    }

    /// Whether pages of other origins send requests to it that a browser asks leave for.
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
