internal import HTTP
internal import HTTPTypes
internal import JSON
internal import Payments
internal import Values

/// A refusal in the API's form, before it is written.
struct ErrorReply: Error, Equatable {
    /// `error.cause`.
    enum Cause: String {
        case invalidRequest = "INVALID_REQUEST"
        case serverBusy = "SERVER_BUSY"
        case serverFailed = "SERVER_FAILED"
    }

    /// `error.validationType`, of a refusal that concerns one field.
    enum ValidationType: String {
        case invalid = "INVALID"
        case missing = "MISSING"
        case unsupported = "UNSUPPORTED"
    }

    /// The most characters of `error.explanation`.
    static let explanationCharactersMax = 1000
    /// The most characters of `error.field`.
    static let fieldCharactersMax = 100

    var status: HTTPResponse.Status = .badRequest
    var cause = Cause.invalidRequest
    var explanation: String?
    var field: String?
    var validationType: ValidationType?
    var supportCode: String?
    /// A header field that belongs to the status.
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

    /// A field that the operation doesn't have.
    static func unexpected(_ path: String) -> ErrorReply {
        ErrorReply("Unexpected parameter '\(path.maskingAccountNumbers(cutTo: explanationCharactersMax))'")
    }

    /// A field whose value may be shown is not of its form.
    static func invalid(_ field: String, _ value: String, _ reason: String) -> ErrorReply {
        ErrorReply("\(value.shownInRefusal) is invalid. \(reason)", field: field, .invalid)
    }

    /// A field of a card is not of its form; its value is never shown.
    static func invalidSecret(_ field: String, _ reason: String) -> ErrorReply {
        ErrorReply("Value is invalid. \(reason)", field: field, .invalid)
    }

    /// A field that the real gateway knows and this one doesn't serve.
    ///
    /// The real gateway's word for it is the validation type; its explanation was not seen, and follows that of a missing
    /// field.
    static func unsupported(_ field: String) -> ErrorReply {
        ErrorReply("Unsupported parameter", field: field, .unsupported)
    }

    /// A value that the real gateway knows and this one doesn't serve.
    static func unsupported(_ field: String, _ value: String, _ reason: String) -> ErrorReply {
        ErrorReply("\(value.shownInRefusal) is unsupported. \(reason)", field: field, .unsupported)
    }

    /// Why a text has the wrong length, in the real gateway's words where they are known; nil if its length is right.
    static func lengthFault(_ count: Int, _ range: ClosedRange<Int>) -> String? {
        if count > range.upperBound {
            return "Length is \(count) characters, but must be less than \(range.upperBound + 1)"
        }
        guard count < range.lowerBound else { return nil }
        return "Length is \(count) characters, but must be more than \(range.lowerBound - 1)"
    }

    /// An identifier of the path is none.
    init(_ malformed: MalformedIdentifier, _ text: String, _ field: String) {
        // An identifier stands in the path and may be shown at any length, as the real gateway does.
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
    /// The path has broken percent-encoding, or an octet that no path has.
    static let malformedPath = ErrorReply("Malformed url path")

    /// Something else follows in the path than what it may go on with.
    static func unexpectedPath(after understood: String, expected: String) -> ErrorReply {
        ErrorReply(
            "After url path \(understood.isEmpty ? "/" : understood.maskingAccountNumbers(cutTo: explanationCharactersMax)), expected \(expected)",
            status: .notFound)
    }

    /// The version is none from 1 to the latest.
    static func unsupportedVersion(_ text: String) -> ErrorReply {
        ErrorReply(
            "Unsupported value for 'version = \(text.maskingAccountNumbers(cutTo: 40))'", status: .notFound)
    }

    /// The path is known, and the method isn't one of its methods.
    ///
    /// What the real gateway answers was not seen; this is RFC 9110 §15.5.6.
    static func methodNotAllowed(allowed: String) -> ErrorReply {
        var reply = ErrorReply("Unsupported method, expected \(allowed)", status: .methodNotAllowed)
        reply.headerField = HTTPField(name: .allow, value: allowed)
        return reply
    }

    /// The credentials are absent or wrong.
    ///
    /// - Parameter challenging: whether to send a challenge: the real gateway does only if there were no credentials.
    static func invalidCredentials(challenging: Bool) -> ErrorReply {
        var reply = ErrorReply("Invalid credentials.", status: .unauthorized)
        if challenging {
            reply.headerField = HTTPField(name: .wwwAuthenticate, value: #"Basic realm="Tollgate""#)
        }
        return reply
    }

    /// So many passwords wait to be judged that this one wasn't; it may be right.
    static let tooManyAttempts: ErrorReply = {
        var reply = ErrorReply(
            "Too many credentials are being checked. Send the identical request later.", status: .serviceUnavailable)
        reply.cause = .serverBusy
        return reply
    }()

    /// The merchant has sent more requests than it may in a second.
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
