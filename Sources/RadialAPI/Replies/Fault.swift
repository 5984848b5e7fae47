internal import HTTP
internal import HTTPTypes
internal import Payments
internal import Values
internal import XML

/// A refusal in Radial's format.
struct Fault: Error, Equatable {
    var status: HTTPResponse.Status = .badRequest
    var code: FaultCode
    /// The element or attribute concerned, as a path from the root: `/CreditCardAuthRequest/OrderId`.
    var path: String?
    /// One sentence, which quotes nothing of the request.
    var explanation: String
    /// A header field to send with the fault, if any.
    var headerField: HTTPField?

    /// Creates a fault.
    init(_ code: FaultCode, _ path: String?, _ explanation: String, status: HTTPResponse.Status = .badRequest) {
        self.code = code
        self.path = path
        self.explanation = explanation
        self.status = status
    }

    /// `Description`: the path, if there is one, and the explanation.
    var description: String { path.map { "\($0): \(explanation)" } ?? explanation }

    /// The reply.
    func response(at instant: Instant) -> Response {
        var response = Response.xml(
            status,
            (try? XMLWriter.document("Fault", namespace: RadialNamespace.checkout) { fault throws(XMLUnwritable) in
                try fault.element("CreateTimestamp", text: instant.description)
                try fault.element("Code", text: code.rawValue)
                try fault.element("Description", text: description)
            }) ?? [])
        if let headerField { response.head.headerFields.append(headerField) }
        return response
    }
}

extension Fault {
    /// A required element or attribute is absent.
    static func missing(_ path: String) -> Fault { Fault(.schemaValidation, path, "required, and not there") }

    /// An element or attribute has an invalid value.
    static func invalid(_ path: String, _ reason: String) -> Fault { Fault(.schemaValidation, path, reason) }

    /// The path names no resource.
    static let unknownResource = Fault(.unknownResource, nil, "nothing is under this path", status: .notFound)

    /// The method is not POST.
    static let methodNotAllowed: Fault = {
        var fault = Fault(.methodNotAllowed, nil, "only POST is answered here", status: .methodNotAllowed)
        fault.headerField = HTTPField(name: .allow, value: "POST")
        return fault
    }()

    /// The content type is not supported.
    static let unsupportedMediaType = Fault(
        .unsupportedMediaType, nil, "the content must be text/xml or application/xml in UTF-8",
        status: .unsupportedMediaType)

    /// The API key is wrong, or there is no such store.
    static let invalidAPIKey = unauthorized("the apikey is not this store's")

    /// The header field `apikey` is absent or empty.
    static let missingAPIKey = unauthorized("the header field apikey is missing, which holds the store's API key")

    /// The header field `apikey` is repeated.
    static let repeatedAPIKey = unauthorized("the header field apikey must be there once")

    private static func unauthorized(_ explanation: String) -> Fault {
        var fault = Fault(.invalidAPIKey, nil, explanation, status: .unauthorized)
        // RFC 9110 §15.5.2 requires a challenge. No registered scheme covers a custom header field.
        fault.headerField = HTTPField(name: .wwwAuthenticate, value: #"apikey realm="Tollgate""#)
        return fault
    }

    /// Too many API keys are waiting to be checked.
    static let tooManyAttempts = Fault(
        .serviceUnavailable, nil, "too many API keys are being checked; send the same request later",
        status: .serviceUnavailable)

    /// The merchant has exceeded its request rate.
    static func tooManyRequests(of merchant: Merchant, retryAfterSeconds seconds: Int) -> Fault {
        var fault = Fault(
            .serviceUnavailable, nil,
            "the store has sent more than its \(merchant.requestsPerSecondMax ?? 0) requests in a second "
                + "(requestsPerSecondMax); send the same request later", status: .tooManyRequests)
        fault.headerField = HTTPField(name: .retryAfter, value: "\(seconds)")
        return fault
    }

    /// The reply contains characters that XML can't represent.
    static let unwritable = Fault(
        .systemError, nil, "the reply can't be written as XML", status: .internalServerError)

    /// The document is malformed XML, or uses XML features that are not read.
    init(_ fault: XMLFault) { self.init(.malformedXML, nil, "\(fault)") }
}

extension Response {
    /// An XML reply that must not be cached.
    static func xml(_ status: HTTPResponse.Status, _ text: [UInt8]) -> Response {
        Response(
            head: HTTPResponse(
                status: status,
                headerFields: [.contentType: "text/xml;charset=UTF-8", .cacheControl: "no-cache, no-store"]),
            body: text)
    }
}
