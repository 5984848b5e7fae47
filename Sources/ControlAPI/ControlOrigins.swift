public import Access
internal import HTTP
internal import HTTPTypes

/// The origins whose pages may use the control API: those of this machine, and those that the operator lists.
public struct ControlOrigins: Sendable {
    private let listed: Set<String>

    /// The origins of this machine, and others.
    public init(_ listed: [WebOrigin] = []) { self.listed = Set(listed.map(\.text)) }

    /// Whether a page of an origin may use the control API.
    func allows(_ origin: String) -> Bool { LoopbackAuthority.isLoopback(origin: origin) || listed.contains(origin) }
}

/// A request of a page, by its `Origin` (WHATWG Fetch, "CORS protocol").
struct CrossOriginRequest {
    /// The origin of the page.
    private let origin: String
    private let isPreflight: Bool

    /// The request of a page of an allowed origin other than the API's own; nil for any other request.
    init?(_ request: Request, _ origins: ControlOrigins) {
        let fields = request.head.headerFields
        let values = fields[values: .origin]
        guard values.count == 1, origins.allows(values[0]), values[0] != request.ownOrigin else { return nil }
        origin = values[0]
        isPreflight = request.head.method == .options && fields[.accessControlRequestMethod] != nil
    }

    /// The reply to a preflight request; nil for any other request. What the page then sends is judged by itself.
    var preflightResponse: Response? {
        guard isPreflight else { return nil }
        let fields: HTTPFields = [
            .accessControlAllowMethods: "DELETE, GET, POST, PUT",
            .accessControlAllowHeaders: "Authorization, Content-Type", .accessControlMaxAge: "600",
        ]
        return readable(Response(head: HTTPResponse(status: .noContent, headerFields: fields), body: []))
    }

    /// The reply with the fields that let the page read it. Credentials that a browser keeps are never allowed.
    func readable(_ response: Response) -> Response {
        var response = response
        response.head.headerFields[.accessControlAllowOrigin] = origin
        response.head.headerFields[.vary] = "Origin"
        return response
    }
}

extension Request {
    /// The origin of the pages that this API itself serves.
    fileprivate var ownOrigin: String? {
        guard let scheme = head.scheme, let authority = head.authority else { return nil }
        return "\(scheme)://\(authority)"
    }
}
