internal import HTTP
internal import HTTPTypes
internal import JSON
internal import Payments

/// Why the control API refuses a request; its replies have one form, `{"error":{"explanation":…,"field":…}}`.
struct ControlFault: Error, Equatable {
    /// 400 unless something else is said.
    var status: HTTPResponse.Status = .badRequest
    /// One sentence that says what to change. It repeats no card data.
    let explanation: String
    /// The dotted path of the member that is wrong, if one is.
    var field: String?
    /// A header field that belongs to the status.
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

    /// The path has other methods.
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

    /// A page of another origin asks for the sandbox's password.
    static let sandboxFromElsewhere = ControlFault(
        "The sandbox's password is not for pages of another origin: let the merchant's server ask", status: .forbidden)

    /// There is no local authority, and no merchant whose password may be shown.
    static let noSandbox = ControlFault("This gateway has no sandbox", status: .notFound)

    /// The store could not do what was asked.
    static let storeUnavailable = ControlFault("The store can't be reached", status: .serviceUnavailable)
}

extension Response {
    /// A reply of the control API: JSON that nobody may keep, and nobody may take for anything else.
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
