internal import HTTP
internal import HTTPTypes
internal import Payments
internal import Values

/// A parsed path of the API under `/api/rest/version/{v}`.
struct Route: Equatable {
    let version: APIVersion
    let resource: Resource

    enum Resource: Equatable {
        case information
        case balance(merchant: String)
        case order(OrderPath)
        case payerAuthentication(merchant: String)
        case transaction(OrderPath, String)
        case sessions(merchant: String)
        case session(merchant: String, id: String)
        case tokens(merchant: String)
        case token(merchant: String, id: String)
        case paymentOptions(merchant: String)
    }

    /// The operation that a request selects.
    enum Operation: Equatable {
        case authenticatePayer(merchant: String)
        case checkGateway
        case inquireBalance(merchant: String)
        case retrieveOrder(OrderPath)
        case retrieveTransaction(OrderPath, String)
        case transact(OrderPath, String)
        case serve(merchant: String, MerchantOperation)
    }

    /// Parses a path from left to right, so that the leftmost of several faults is reported.
    init(_ path: String, latestVersion: Int) throws(ErrorReply) {
        let segments: [String]
        do throws(PathSegments.Malformed) {
            segments = try PathSegments(path).segments
        } catch {
            throw .malformedPath
        }
        var walk = PathWalk(path: path, segments: segments[...])
        try walk.take("api")
        try walk.take("rest")
        try walk.take("version")
        version = try walk.takeVersion(latest: latestVersion)
        switch walk.next {
        case "information":
            try walk.take("information")
            resource = .information
        case "merchant":
            try walk.take("merchant")
            resource = try walk.takeResource(of: try walk.takeIdentifier("{merchantId}"))
        default:
            throw walk.unexpected("information or /merchant")
        }
        guard walk.isAtEnd else { throw walk.unexpectedSegment() }
    }

    /// The operation of `method` on this path. HEAD counts as GET; the server omits the content.
    func operation(for method: HTTPRequest.Method) throws(ErrorReply) -> Operation {
        switch (resource, method) {
        case (.information, .get), (.information, .head): return .checkGateway
        case (.order(let path), .get), (.order(let path), .head): return .retrieveOrder(path)
        case (.transaction(let path, let id), .get), (.transaction(let path, let id), .head):
            return .retrieveTransaction(path, id)
        case (.transaction(let path, let id), .put): return .transact(path, id)
        case (.sessions(let merchant), .post): return .serve(merchant: merchant, .createSession)
        case (.session(let merchant, let id), .put): return .serve(merchant: merchant, .updateSession(id))
        case (.session(let merchant, let id), .get), (.session(let merchant, let id), .head):
            return .serve(merchant: merchant, .retrieveSession(id))
        case (.tokens(let merchant), .post): return .serve(merchant: merchant, .createToken)
        case (.token(let merchant, let id), .put): return .serve(merchant: merchant, .replaceToken(id))
        case (.token(let merchant, let id), .get), (.token(let merchant, let id), .head):
            return .serve(merchant: merchant, .retrieveToken(id))
        case (.token(let merchant, let id), .delete): return .serve(merchant: merchant, .deleteToken(id))
        case (.paymentOptions(let merchant), .post), (.paymentOptions(let merchant), .get),
            (.paymentOptions(let merchant), .head):
            return .serve(merchant: merchant, .inquirePaymentOptions)
        case (.balance(let merchant), .put): return .inquireBalance(merchant: merchant)
        case (.payerAuthentication(let merchant), .get), (.payerAuthentication(let merchant), .head),
            (.payerAuthentication(let merchant), .post), (.payerAuthentication(let merchant), .put):
            return .authenticatePayer(merchant: merchant)
        default: throw .methodNotAllowed(allowed: resource.allowedMethods)
        }
    }
}

extension PathWalk {
    /// Parses the segments after a merchant's identifier. A further resource is one more case here and in the two
    /// enumerations.
    fileprivate mutating func takeResource(of merchant: String) throws(ErrorReply) -> Route.Resource {
        switch next {
        case "3DSecureId":
            try take("3DSecureId")
            _ = try takeIdentifier("{3DSecureId}")
            return .payerAuthentication(merchant: merchant)
        case "balanceInquiry":
            try take("balanceInquiry")
            return .balance(merchant: merchant)
        case "order":
            try take("order")
            let order = OrderPath(merchant: merchant, order: try takeIdentifier("{orderId}"))
            guard !isAtEnd else { return .order(order) }
            try take("transaction")
            return .transaction(order, try takeIdentifier("{transactionId}"))
        case "paymentOptionsInquiry":
            try take("paymentOptionsInquiry")
            return .paymentOptions(merchant: merchant)
        case "session":
            try take("session")
            guard !isAtEnd else { return .sessions(merchant: merchant) }
            return .session(merchant: merchant, id: try takeIdentifier("{sessionId}"))
        case "token":
            try take("token")
            guard !isAtEnd else { return .tokens(merchant: merchant) }
            return .token(merchant: merchant, id: try takeIdentifier("{tokenId}"))
        default: throw unexpected("order, /paymentOptionsInquiry, /session or /token")
        }
    }
}

extension Route.Resource {
    /// The methods of the resource, as RFC 9110 §10.2.1 lists them.
    fileprivate var allowedMethods: String {
        switch self {
        case .balance: "PUT"
        case .information, .order: "GET, HEAD"
        case .payerAuthentication: "GET, HEAD, POST, PUT"
        case .paymentOptions: "GET, HEAD, POST"
        case .session, .transaction: "GET, HEAD, PUT"
        case .sessions, .tokens: "POST"
        case .token: "DELETE, GET, HEAD, PUT"
        }
    }
}

extension MerchantOperation {
    /// Refuses a malformed identifier in the operation's path.
    func checkIdentifier() throws(ErrorReply) {
        let (id, field): (String, String)
        switch self {
        case .createSession, .createToken, .inquirePaymentOptions: return
        case .updateSession(let session), .retrieveSession(let session): (id, field) = (session, "session.id")
        case .replaceToken(let token), .retrieveToken(let token), .deleteToken(let token):
            (id, field) = (token, "token")
        }
        try ErrorReply.checkIdentifier(id, field)
    }
}

extension ErrorReply {
    /// Refuses a malformed identifier, naming its field.
    static func checkIdentifier(_ text: String, _ field: String) throws(ErrorReply) {
        do throws(MalformedIdentifier) { try Values.checkIdentifier(text) } catch {
            throw ErrorReply(error, text, field)
        }
    }
}

/// The identifiers of a path, decoded but not validated: the client is authenticated first.
struct OrderPath: Equatable {
    let merchant: String
    let order: String

    func orderID() throws(ErrorReply) -> OrderID {
        do throws(MalformedIdentifier) { return try OrderID(order) } catch {
            throw ErrorReply(error, order, "order.id")
        }
    }

    func transactionID(_ text: String) throws(ErrorReply) -> TransactionID {
        do throws(MalformedIdentifier) {
            return try TransactionID(text)
        } catch {
            throw ErrorReply(error, text, "transaction.id")
        }
    }
}

/// A cursor over the segments of a path, for refusals that name the part that was understood.
private struct PathWalk {
    let path: String
    var segments: ArraySlice<String>

    var next: String? { segments.first }
    var isAtEnd: Bool { segments.isEmpty }

    mutating func take(_ name: String) throws(ErrorReply) {
        guard segments.first == name else { throw unexpected(name) }
        segments.removeFirst()
    }

    mutating func takeIdentifier(_ name: String) throws(ErrorReply) -> String {
        guard let identifier = segments.popFirst() else { throw unexpected(name) }
        return identifier
    }

    /// Parses a version from 1 to the latest, without leading zeros.
    mutating func takeVersion(latest: Int) throws(ErrorReply) -> APIVersion {
        guard let text = segments.popFirst() else { throw unexpected("{version}") }
        guard let version = Int(text), (1...latest).contains(version), String(version) == text else {
            throw .unsupportedVersion(text)
        }
        return APIVersion(number: version)
    }

    func unexpected(_ name: String) -> ErrorReply { .unexpectedPath(after: understood, expected: "/" + name) }

    func unexpectedSegment() -> ErrorReply { .unexpectedPath(after: understood, expected: "the end") }

    /// The part of the path that was understood, as it was sent, but without `/api`, which the real gateway doesn't
    /// show.
    private var understood: String {
        let sent = path.utf8.prefix { $0 != UInt8(ascii: "?") }.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let shown = sent.dropFirst(2).prefix(max(0, segments.startIndex - 1))
        return shown.reduce(into: "") { $0 += "/" + String(Substring($1)) }
    }
}
