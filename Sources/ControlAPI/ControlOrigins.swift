public import Access
internal import HTTP
internal import HTTPTypes

/// The origins whose pages may use the control API: those of this machine, and those that the operator lists.
public struct ControlOrigins: Sendable {
    private let listed: Set<String>

    /// Allows the origins of this machine and the listed ones.
    public init(_ listed: [WebOrigin] = []) { self.listed = Set(listed.map(\.text)) }

    /// Whether a page of an origin may use the control API.
    func allows(_ origin: String) -> Bool { LoopbackAuthority.isLoopback(origin: origin) || listed.contains(origin) }
}

/// A cross-origin request of a page, identified by its `Origin` (WHATWG Fetch, "CORS protocol").
struct CrossOriginRequest {
    /// The origin of the page.
    private let origin: String
    private let isPreflight: Bool

    /// Creates it from a request of a page of an allowed origin; nil for pages of the API's own origin and for all other
    /// requests.
    init?(_ request: Request, _ origins: ControlOrigins) {
        let fields = request.head.headerFields
        let values = fields[values: .origin]
        guard values.count == 1, origins.allows(values[0]), values[0] != request.ownOrigin else { return nil }
        origin = values[0]
        isPreflight = request.head.method == .options && fields[.accessControlRequestMethod] != nil
    }

    /// The reply to a preflight request; nil for any other request. The request after the preflight is checked
    /// separately.
    var preflightResponse: Response? {
        guard isPreflight else { return nil }
        let fields: HTTPFields = [
            .accessControlAllowMethods: "DELETE, GET, POST, PUT",
            .accessControlAllowHeaders: "Authorization, Content-Type", .accessControlMaxAge: "600",
        ]
        return readable(Response(head: HTTPResponse(status: .noContent, headerFields: fields), body: []))
    }

    /// The reply with the fields that allow the page to read it. Cookies and other stored browser credentials are never
    /// allowed.
    func readable(_ response: Response) -> Response {
        var response = response
        response.head.headerFields[.accessControlAllowOrigin] = origin
        response.head.headerFields[.vary] = "Origin"
        return response
    }
}

extension Request {
    /// The origin of the pages that this API serves itself.
    fileprivate var ownOrigin: String? {
        guard let scheme = head.scheme, let authority = head.authority else { return nil }
        return "\(scheme)://\(authority)"
    }
}
