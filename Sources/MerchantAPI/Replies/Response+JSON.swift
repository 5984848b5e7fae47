internal import HTTP
internal import HTTPTypes
internal import JSON
internal import Values

extension Response {
    /// A JSON reply that must not be cached.
    static func json(_ status: HTTPResponse.Status, _ value: JSONValue) -> Response {
        json(status, value.serialized())
    }

    /// A reply with JSON text that must not be cached.
    static func json(_ status: HTTPResponse.Status, _ text: [UInt8]) -> Response {
        Response(head: HTTPResponse(status: status, headerFields: uncachedFields), body: text)
    }

    /// The reply to CHECK_GATEWAY, which may be cached for ten seconds.
    static func information(at instant: Instant) -> Response {
        let value: JSONValue = ["gatewayVersion": .string(MerchantAPI.gatewayVersion), "status": "OPERATING"]
        let seconds = instant.secondsSinceEpoch
        let fields: HTTPFields = [
            .contentType: contentType,
            .cacheControl: "public",
            .expires: HTTPDate(unixSeconds: seconds + 10).description,
            .lastModified: HTTPDate(unixSeconds: seconds - 10).description,
        ]
        return Response(head: HTTPResponse(status: .ok, headerFields: fields), body: value.serialized())
    }

    private static let contentType = "application/json;charset=UTF-8"

    private static let uncachedFields: HTTPFields = {
        var fields: HTTPFields = [
            .contentType: contentType, .cacheControl: "no-cache, no-store, must-revalidate", .expires: "0",
        ]
        guard let pragma = HTTPField.Name("Pragma") else { preconditionFailure("Pragma is a token") }
        fields[pragma] = "no-cache"
        return fields
    }()
}
