internal import HTTP
internal import HTTPTypes
internal import JSON

// The root of the gateway's address.
extension ControlAPI {
    /// Answers `/`: a browser is redirected to the console, and any other client gets the addresses to begin with.
    func root(_ request: Request) -> Response {
        guard request.head.method == .get || request.head.method == .head else {
            return ControlFault.methodNotAllowed([.get, .head]).response
        }
        guard !Self.isBrowser(request) else {
            var fields: HTTPFields = [.location: ControlRoute.prefix, .vary: "Accept"]
            fields[.cacheControl] = "no-store"
            return Response(head: HTTPResponse(status: .seeOther, headerFields: fields))
        }
        let origin = "\(request.head.scheme ?? "http")://\(request.head.authority ?? "localhost")"
        let control = origin + ControlRoute.prefix
        var links: JSONObject = [
            "console": .string(control), "health": .string(control + "health"),
            "merchantApi": .string(merchantBaseURL(request) + "/api/rest"),
            "openapi": .string(control + "openapi.yaml"),
        ]
        if gateway.sandbox != nil { links["sandbox"] = .string(control + "sandbox") }
        var response = Response.control(.object(links))
        response.head.headerFields[.vary] = "Accept"
        return response
    }

    private static func isBrowser(_ request: Request) -> Bool {
        request.head.headerFields[values: .accept].contains { $0.lowercased().contains("text/html") }
    }
}
