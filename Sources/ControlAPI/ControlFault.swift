internal import HTTP
internal import HTTPTypes
internal import JSON
internal import Payments

/// A refusal by the control API. All refusals have the form `{"error":{"explanation":…,"field":…}}`.
struct ControlFault: Error, Equatable {
    /// The status; 400 by default.
    var status: HTTPResponse.Status = .badRequest
    /// One sentence that says what to change. It repeats no card data.
    let explanation: String
    /// The dotted path of the invalid member, if the fault concerns one.
    var field: String?
    /// A header field that the status requires.
    var headerField: HTTPField?

    /// A fault that concerns no member.
    init(_ explanation: String, status: HTTPResponse.Status = .badRequest) {
        self.explanation = explanation
        self.status = status
    }

    /// A fault of one member.
    init(field: String, _ explanation: String) {
        self.explanation = explanation
        self.field = field
    }

    /// The reply.
    var response: Response {
        var error: JSONObject = ["explanation": .string(explanation.maskingAccountNumbers())]
        error["field"] = field.map { .string($0.maskingAccountNumbers()) }
        var response = Response.control(["error": .object(error)], status)
        if let headerField { response.head.headerFields.append(headerField) }
        return response
    }
}

extension ControlFault {
    /// No resource has this path.
    static let unknownPath = ControlFault(
        "Nothing is here; openapi.yaml lists what there is under \(ControlRoute.prefix)", status: .notFound)

    /// The path does not support the method, only others.
    static func methodNotAllowed(_ allowed: [HTTPRequest.Method]) -> ControlFault {
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        var fault = ControlFault("Expected \(names)", status: .methodNotAllowed)
        fault.headerField = HTTPField(name: .allow, value: names)
        return fault
    }

    /// The bearer token is absent or wrong.
    static let unauthorized: ControlFault = {
        var fault = ControlFault(
            "A bearer token is required: that of this gateway's control port", status: .unauthorized)
        fault.headerField = HTTPField(name: .wwwAuthenticate, value: #"Bearer realm="Tollgate control""#)
        return fault
    }()

    /// A page of another origin requests the sandbox's password.
    static let sandboxFromElsewhere = ControlFault(
        "The sandbox's password is not for pages of another origin: let the merchant's server ask", status: .forbidden)

    /// There is no local authority, and no merchant whose password may be shown.
    static let noSandbox = ControlFault("This gateway has no sandbox", status: .notFound)

    /// The store is unavailable, so the request failed.
    static let storeUnavailable = ControlFault("The store can't be reached", status: .serviceUnavailable)
}

extension Response {
    /// A reply of the control API: JSON that must not be cached, and whose type must not be guessed.
    static func control(_ value: JSONValue, _ status: HTTPResponse.Status = .ok) -> Response {
        .control(value.serialized(), contentType: "application/json", status)
    }

    /// A reply of the control API.
    static func control(_ body: [UInt8], contentType: String, _ status: HTTPResponse.Status = .ok) -> Response {
        var fields: HTTPFields = [.contentType: contentType, .cacheControl: "no-store"]
        fields[.xContentTypeOptions] = "nosniff"
        return Response(head: HTTPResponse(status: status, headerFields: fields), body: body)
    }
}
