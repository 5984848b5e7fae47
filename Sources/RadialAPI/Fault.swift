internal import HTTP
internal import HTTPTypes
internal import Payments
internal import Values
internal import XML

/// A refusal in Radial's form, before it is written.
struct Fault: Error, Equatable {
    var status: HTTPResponse.Status = .badRequest
    var code: FaultCode
    /// The element or attribute that it concerns, from the root: `/CreditCardAuthRequest/OrderId`.
    var path: String?
    /// One sentence, in which nothing of the request is quoted.
    var explanation: String
    /// A header field that belongs to it.
    var headerField: HTTPField?

    /// A fault.
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

    /// An element or attribute is not of its form.
    static func invalid(_ path: String, _ reason: String) -> Fault { Fault(.schemaValidation, path, reason) }

    /// There is nothing under the path.
    static let unknownResource = Fault(.unknownResource, nil, "nothing is under this path", status: .notFound)

    /// Only POST is answered here.
    static let methodNotAllowed: Fault = {
        var fault = Fault(.methodNotAllowed, nil, "only POST is answered here", status: .methodNotAllowed)
        fault.headerField = HTTPField(name: .allow, value: "POST")
        return fault
    }()

    /// The content has another type.
    static let unsupportedMediaType = Fault(
        .unsupportedMediaType, nil, "the content must be text/xml or application/xml in UTF-8",
        status: .unsupportedMediaType)

    /// The key is wrong, or there is no such store.
    static let invalidAPIKey = unauthorized("the apikey is not this store's")

    /// The header field `apikey` is absent or empty.
    static let missingAPIKey = unauthorized("the header field apikey is missing, which holds the store's API key")

    /// The header field `apikey` is there several times.
    static let repeatedAPIKey = unauthorized("the header field apikey must be there once")

    private static func unauthorized(_ explanation: String) -> Fault {
        var fault = Fault(.invalidAPIKey, nil, explanation, status: .unauthorized)
        // RFC 9110 §15.5.2 demands a challenge; no scheme of its registry means a header field of one's own.
        fault.headerField = HTTPField(name: .wwwAuthenticate, value: #"apikey realm="Tollgate""#)
        return fault
    }

    /// So many keys wait to be judged that this one wasn't.
    static let tooManyAttempts = Fault(
        .serviceUnavailable, nil, "too many API keys are being checked; send the same request later",
        status: .serviceUnavailable)

    /// The merchant has sent more requests than it may in a second.
    static func tooManyRequests(of merchant: Merchant, retryAfterSeconds seconds: Int) -> Fault {
        var fault = Fault(
            .serviceUnavailable, nil,
            "the store has sent more than its \(merchant.requestsPerSecondMax ?? 0) requests in a second "
                + "(requestsPerSecondMax); send the same request later", status: .tooManyRequests)
        fault.headerField = HTTPField(name: .retryAfter, value: "\(seconds)")
        return fault
    }

    /// What can't be written was to be.
    static let unwritable = Fault(
        .systemError, nil, "the reply can't be written as XML", status: .internalServerError)

    /// The document is no XML that is read.
    init(_ fault: XMLFault) { self.init(.malformedXML, nil, "\(fault)") }
}

extension Response {
    /// An XML reply that nobody may keep.
    static func xml(_ status: HTTPResponse.Status, _ text: [UInt8]) -> Response {
        Response(
            head: HTTPResponse(
                status: status,
                headerFields: [.contentType: "text/xml;charset=UTF-8", .cacheControl: "no-cache, no-store"]),
            body: text)
    }
}
