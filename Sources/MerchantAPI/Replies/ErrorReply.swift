internal import HTTP
internal import HTTPTypes
internal import JSON
internal import Payments
internal import Values

/// A refusal in the API's form, before serialization.
struct ErrorReply: Error, Equatable {
    /// `error.cause`.
    enum Cause: String {
        case invalidRequest = "INVALID_REQUEST"
        case serverBusy = "SERVER_BUSY"
        case serverFailed = "SERVER_FAILED"
    }

    /// `error.validationType`, for a refusal of one field.
    enum ValidationType: String {
        case invalid = "INVALID"
        case missing = "MISSING"
        case unsupported = "UNSUPPORTED"
    }

    /// The maximum number of characters of `error.explanation`.
    static let explanationCharactersMax = 1000
    /// The maximum number of characters of `error.field`.
    static let fieldCharactersMax = 100

    var status: HTTPResponse.Status = .badRequest
    var cause = Cause.invalidRequest
    var explanation: String?
    var field: String?
    var validationType: ValidationType?
    var supportCode: String?
    /// A header field that the status requires.
    var headerField: HTTPField?

    /// A refusal that concerns no field.
    init(_ explanation: String, status: HTTPResponse.Status = .badRequest) {
        self.explanation = explanation
        self.status = status
    }

    /// A refusal that concerns one field.
    init(_ explanation: String, field: String, _ validationType: ValidationType) {
        self.explanation = explanation
        self.field = field
        self.validationType = validationType
    }

    /// The reply.
    var response: Response {
        var error = JSONObject()
        error["cause"] = .string(cause.rawValue)
        error["explanation"] = explanation.map { .string($0.cut(to: Self.explanationCharactersMax)) }
        error["field"] = field.map { .string($0.cut(to: Self.fieldCharactersMax)) }
        error["supportCode"] = supportCode.map(JSONValue.string)
        error["validationType"] = validationType.map { .string($0.rawValue) }
        var response = Response.json(status, ["error": .object(error), "result": "ERROR"])
        response.head.headerFields.append(contentsOf: HTTPFields.readableError)
        if let headerField { response.head.headerFields.append(headerField) }
        return response
    }
}

extension ErrorReply {
    /// A required field is absent or null.
    static func missing(_ field: String) -> ErrorReply { ErrorReply("Missing parameter", field: field, .missing) }

    /// The operation has no such field.
    static func unexpected(_ path: String) -> ErrorReply {
        ErrorReply("Unexpected parameter '\(path.maskingAccountNumbers(cutTo: explanationCharactersMax))'")
    }

    /// A field is malformed; its value may be shown.
    static func invalid(_ field: String, _ value: String, _ reason: String) -> ErrorReply {
        ErrorReply("\(value.shownInRefusal) is invalid. \(reason)", field: field, .invalid)
    }

    /// A field with card data is malformed; its value is never shown.
    static func invalidSecret(_ field: String, _ reason: String) -> ErrorReply {
        ErrorReply("Value is invalid. \(reason)", field: field, .invalid)
    }

    /// A field that the real gateway supports and this gateway does not. The validation type is the real gateway's;
    /// its explanation is not known, and follows that of a missing field.
    static func unsupported(_ field: String) -> ErrorReply {
        ErrorReply("Unsupported parameter", field: field, .unsupported)
    }

    /// A value that the real gateway supports and this gateway does not.
    static func unsupported(_ field: String, _ value: String, _ reason: String) -> ErrorReply {
        ErrorReply("\(value.shownInRefusal) is unsupported. \(reason)", field: field, .unsupported)
    }

    /// The message for a string of the wrong length, the real gateway's where it is known; nil if the length is
    /// valid.
    static func lengthFault(_ count: Int, _ range: ClosedRange<Int>) -> String? {
        if count > range.upperBound {
            return "Length is \(count) characters, but must be less than \(range.upperBound + 1)"
        }
        guard count < range.lowerBound else { return nil }
        return "Length is \(count) characters, but must be more than \(range.lowerBound - 1)"
    }

    /// An identifier in the path is malformed.
    init(_ malformed: MalformedIdentifier, _ text: String, _ field: String) {
        // An identifier from the path may be shown at any length, as by the real gateway.
        let shown = "Value '\(text.maskingAccountNumbers(cutTo: 200))'"
        switch malformed {
        case .empty: self = .missing(field)
        case .tooLong(let characters):
            self.init(
                "\(shown) is invalid. Length is \(characters) characters, but must be less than 41", field: field,
                .invalid)
        case .unexpectedCharacter:
            self.init("Value is invalid. It contains a control character", field: field, .invalid)
        case .dotSegment:
            self.init("\(shown) is invalid. A path cannot hold it", field: field, .invalid)
        }
    }
}

extension ErrorReply {
    /// The path has invalid percent-encoding or an invalid octet.
    static let malformedPath = ErrorReply("Malformed url path")

    /// The path continues with an unexpected segment.
    static func unexpectedPath(after understood: String, expected: String) -> ErrorReply {
        ErrorReply(
            "After url path \(understood.isEmpty ? "/" : understood.maskingAccountNumbers(cutTo: explanationCharactersMax)), expected \(expected)",
            status: .notFound)
    }

    /// The version is not between 1 and the latest.
    static func unsupportedVersion(_ text: String) -> ErrorReply {
        ErrorReply(
            "Unsupported value for 'version = \(text.maskingAccountNumbers(cutTo: 40))'", status: .notFound)
    }

    /// The path exists but does not support the method. The real gateway's reply is not known; this one follows RFC
    /// 9110 §15.5.6.
    static func methodNotAllowed(allowed: String) -> ErrorReply {
        var reply = ErrorReply("Unsupported method, expected \(allowed)", status: .methodNotAllowed)
        reply.headerField = HTTPField(name: .allow, value: allowed)
        return reply
    }

    /// The credentials are absent or wrong.
    ///
    /// - Parameter challenging: whether to send a challenge; the real gateway does so only for absent credentials.
    static func invalidCredentials(challenging: Bool) -> ErrorReply {
        var reply = ErrorReply("Invalid credentials.", status: .unauthorized)
        if challenging {
            reply.headerField = HTTPField(name: .wwwAuthenticate, value: #"Basic realm="Tollgate""#)
        }
        return reply
    }

    /// Too many passwords are waiting to be checked; this one, which may be correct, was not.
    static let tooManyAttempts: ErrorReply = {
        var reply = ErrorReply(
            "Too many credentials are being checked. Send the identical request later.", status: .serviceUnavailable)
        reply.cause = .serverBusy
        return reply
    }()

    /// The merchant has exceeded its number of requests per second.
    static func tooManyRequests(of merchant: Merchant, retryAfterSeconds seconds: Int) -> ErrorReply {
        var reply = ErrorReply(
            "Merchant \(merchant.id) has sent more than its \(merchant.requestsPerSecondMax ?? 0) requests in a second "
                + "(requestsPerSecondMax). Send the identical request later.", status: .tooManyRequests)
        reply.cause = .serverBusy
        reply.headerField = HTTPField(name: .retryAfter, value: "\(seconds)")
        return reply
    }

    /// The server refused a request before the API saw it.
    init(refusedWith status: HTTPResponse.Status) {
        self.init("The request could not be processed: \(status.reasonPhrase)", status: status)
        switch status.code {
        case 500: (cause, explanation, supportCode) = (.serverFailed, nil, "HTTP_500")
        case 503: cause = .serverBusy
        default: break
        }
    }
}
