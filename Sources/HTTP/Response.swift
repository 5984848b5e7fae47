public import HTTPTypes

/// One complete HTTP response with its content.
public struct Response: Sendable, Equatable {
    /// The status and header fields. The server adds `Content-Length`, `Transfer-Encoding` and `Date`. `Connection:
    /// close` makes it close the connection after this response.
    public var head: HTTPResponse
    /// The content of a response to GET; the server omits it for HEAD.
    public var body: [UInt8]
    /// Produces the content piece by piece, in place of ``body``; nil for a response whose content is complete.
    public var stream: (any ResponseStream)?
    /// A value to retain until the response has been sent, or its client has disconnected.
    public var hold: (any Sendable)?

    /// Creates a response.
    public init(head: HTTPResponse, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - contentType: the value of `Content-Type`; nil to omit the field.
    public init(status: HTTPResponse.Status, contentType: String? = nil, body: [UInt8] = []) {
        var fields = HTTPFields()
        if let contentType { fields.append(HTTPField(name: .contentType, value: contentType)) }
        self.init(head: HTTPResponse(status: status, headerFields: fields), body: body)
    }

    /// Whether two responses have the same head and body.
    public static func == (one: Response, other: Response) -> Bool { one.head == other.head && one.body == other.body }
}

/// The content of a response that is produced while it is sent.
///
/// The server asks for the next piece only after the client has received the previous one, so that one piece is in memory
/// at a time. A stream without a next piece has no deadline.
public protocol ResponseStream: Sendable {
    /// The next piece, which is not empty; nil at the end. Called on the event loop of the request's connection, and not
    /// again before it has returned.
    func next() async -> [UInt8]?

    /// Ends the stream, because the client is gone or the server stops: ``next()`` then returns nil. May be called several
    /// times.
    func cancel()
}
