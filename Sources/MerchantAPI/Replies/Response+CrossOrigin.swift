internal import HTTP
internal import HTTPTypes

/// The requests and replies for pages of other origins (WHATWG Fetch, "CORS protocol"). A browser sends no stored
/// credentials: a page is authorized only by its knowledge of a session's identifier. So every origin is allowed, and
/// none is named.
extension Response {
    /// The reply to a preflight request for the update of a session.
    static let sessionPreflight: Response = {
        var fields = HTTPFields.readableSession
        fields[.accessControlAllowMethods] = "PUT"
        fields[.accessControlAllowHeaders] = "Authorization, Content-Type"
        fields[.accessControlMaxAge] = "600"
        return Response(head: HTTPResponse(status: .noContent, headerFields: fields), body: [])
    }()

    /// The reply with the fields that allow the payer's page to read it.
    var readableByPayersPage: Response {
        var response = self
        response.head.headerFields.append(contentsOf: HTTPFields.readableSession)
        return response
    }
}

extension HTTPFields {
    /// The fields of an error, as the real gateway sent them in January 2023 (a recorded 404).
    static let readableError: HTTPFields = [
        .accessControlAllowOrigin: "*", .accessControlAllowHeaders: "*",
        .accessControlAllowMethods: "GET,POST,PUT,DELETE,OPTIONS",
    ]

    fileprivate static let readableSession: HTTPFields = [
        .accessControlAllowOrigin: "*", .accessControlExposeHeaders: "Tollgate-Notice",
    ]
}
