public import HTTPTypes

/// One HTTP response, complete with its content.
public struct Response: Sendable, Equatable {
    /// Status and header fields. `Content-Length`, `Transfer-Encoding` and `Date` are the server's business.
    /// `Connection: close` asks it to close the connection after this response.
    public var head: HTTPResponse
    /// The content as for GET; the server leaves it out of the answer to HEAD.
    public var body: [UInt8]
    /// Released once the response was sent, or its client is gone.
    public var hold: (any Sendable)?

    /// Makes a response.
    public init(head: HTTPResponse, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    /// Makes a response.
    ///
    /// - Parameters:
    ///   - contentType: the value of `Content-Type`; the field is left out when nil.
    public init(status: HTTPResponse.Status, contentType: String? = nil, body: [UInt8] = []) {
        var fields = HTTPFields()
        if let contentType { fields.append(HTTPField(name: .contentType, value: contentType)) }
        self.init(head: HTTPResponse(status: status, headerFields: fields), body: body)
    }

    /// Whether two responses say the same.
    public static func == (one: Response, other: Response) -> Bool { one.head == other.head && one.body == other.body }
}
