internal import Access
internal import HTTP
internal import HTTPTypes

/// The origin of the page that sent a request, and the fields that let it read the reply (WHATWG Fetch, "CORS protocol").
struct PageOrigin {
    let origin: WebOrigin

    /// Reads the origin of a request; nil unless it has exactly one `Origin`, and that is a web page's.
    init?(_ request: Request) {
        let values = request.head.headerFields[values: .origin]
        guard values.count == 1, let origin = WebOrigin(values[0]) else { return nil }
        self.origin = origin
    }

    /// The reply with the fields that allow the page to read it. Cookies and other stored browser credentials are never
    /// allowed.
    func readable(_ response: Response) -> Response {
        var response = response
        response.head.headerFields[.accessControlAllowOrigin] = origin.text
        response.head.headerFields[.vary] = "Origin"
        return response
    }

    /// The reply to a preflight request.
    var preflightResponse: Response {
        let fields: HTTPFields = [
            .accessControlAllowMethods: "POST", .accessControlAllowHeaders: "Content-Type",
            .accessControlMaxAge: "600",
        ]
        return readable(Response(head: HTTPResponse(status: .noContent, headerFields: fields)))
    }
}
