public import HTTPTypes

/// A file that is served as it is, with an entity tag, so that a client that has it already gets no content
/// (RFC 9110 §13.1.2).
public struct StaticFile: Sendable {
    private let content: [UInt8]
    private let contentType: String
    private let fields: HTTPFields
    private let entityTag: String

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - contentType: the media type, with its charset.
    ///   - fields: further header fields of each response.
    public init(_ content: [UInt8], contentType: String, fields: HTTPFields) {
        self.content = content
        self.contentType = contentType
        self.fields = fields
        entityTag = "\"\(String(Self.hash(content), radix: 16))\""
    }

    /// The response to GET, or 304 if the client has this content.
    public func response(to request: Request) -> Response {
        var fields = fields
        fields[.cacheControl] = "no-cache"
        fields[.eTag] = entityTag
        fields[.xContentTypeOptions] = "nosniff"
        let known = request.head.headerFields[values: .ifNoneMatch].map { $0.split { ", \t".contains($0) } }.joined()
        if known.contains(where: matches) {
            return Response(head: HTTPResponse(status: .notModified, headerFields: fields))
        }
        fields[.contentType] = contentType
        return Response(head: HTTPResponse(status: .ok, headerFields: fields), body: content)
    }

    /// Whether an entity tag of `If-None-Match` is the file's, by the weak comparison of RFC 9110 §8.8.3.2.
    private func matches(_ tag: Substring) -> Bool {
        tag == "*" || tag == entityTag || tag == "W/\(entityTag)"
    }

    /// FNV-1a of 64 bits: it tells versions of a file apart, and protects nothing.
    private static func hash(_ content: [UInt8]) -> UInt64 {
        content.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

extension HTTPField.Name {
    /// `Referrer-Policy` (W3C Referrer Policy).
    public static let referrerPolicy: HTTPField.Name = {
        guard let name = HTTPField.Name("Referrer-Policy") else { preconditionFailure("a token of RFC 9110") }
        return name
    }()
}
