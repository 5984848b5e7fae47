internal import HTTP
internal import HTTPTypes
internal import JSON

/// A refusal of a request, in the form of Apple's servers: `{"statusCode":"400","statusMessage":"…"}`.
struct HostedFault: Error, Equatable {
    let status: HTTPResponse.Status
    /// One sentence that says what is wrong and how to correct it. It contains no text from the request.
    let message: String
    /// A header field that the status requires.
    var headerField: HTTPField?

    /// Creates a fault.
    init(_ message: String, status: HTTPResponse.Status = .badRequest) {
        self.status = status
        self.message = message
    }

    /// A fault of a request for a merchant session, in Apple's wording.
    static func session(_ message: String, status: HTTPResponse.Status = .badRequest) -> HostedFault {
        HostedFault("Payment Services Exception \(message)", status: status)
    }

    /// A fault of one member.
    static func member(_ path: String, _ message: String) -> HostedFault { HostedFault("\(path): \(message)") }

    /// The path does not support the method, only others.
    static func methodNotAllowed(_ allowed: [HTTPRequest.Method]) -> HostedFault {
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        var fault = HostedFault("Expected \(names)", status: .methodNotAllowed)
        fault.headerField = HTTPField(name: .allow, value: names)
        return fault
    }

    /// The reply.
    var response: Response {
        var response = Response.hosted(
            ["statusCode": .string(String(status.code)), "statusMessage": .string(message)], status)
        if let headerField { response.head.headerFields.append(headerField) }
        return response
    }
}

extension Response {
    /// A JSON reply that must not be cached, and whose type must not be guessed.
    static func hosted(_ value: JSONValue, _ status: HTTPResponse.Status = .ok) -> Response {
        let fields: HTTPFields = [
            .contentType: "application/json", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
        ]
        return Response(head: HTTPResponse(status: status, headerFields: fields), body: value.serialized())
    }
}
