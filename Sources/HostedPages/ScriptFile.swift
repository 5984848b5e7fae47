internal import Assets
internal import HTTP
internal import HTTPTypes
internal import OpenSSL
internal import Values

/// The embedded script with the header fields of its response. Any page may load the script.
struct ScriptFile: Sendable {
    private let content: [UInt8]
    private let entityTag: String

    init() {
        content = Array(
            UnsafeBufferPointer(start: assets_apple_pay_script(), count: assets_apple_pay_script_count()))
        entityTag = "\"\(Hexadecimal.encoded(SHA256.hash(content)))\""
    }

    /// The response with the script, or 304 if the browser has the current version (RFC 9110 §13.1.2).
    func response(to request: Request) -> Response {
        var fields: HTTPFields = [
            .accessControlAllowOrigin: "*", .cacheControl: "no-cache", .eTag: entityTag,
            .xContentTypeOptions: "nosniff",
        ]
        fields[.referrerPolicy] = "no-referrer"
        fields[.crossOriginResourcePolicy] = "cross-origin"
        let known = request.head.headerFields[values: .ifNoneMatch]
            .map { $0.split { ", \t".contains($0) } }.joined()
        if known.contains(where: matches) {
            return Response(head: HTTPResponse(status: .notModified, headerFields: fields))
        }
        fields[.contentType] = "text/javascript; charset=utf-8"
        return Response(head: HTTPResponse(status: .ok, headerFields: fields), body: content)
    }

    /// Whether an entity tag of `If-None-Match` is the script's, by the weak comparison of RFC 9110 §8.8.3.2.
    private func matches(_ tag: Substring) -> Bool {
        tag == "*" || tag == entityTag || tag == "W/\(entityTag)"
    }
}

extension HTTPField.Name {
    /// `Referrer-Policy`.
    fileprivate static let referrerPolicy: HTTPField.Name = {
        guard let name = HTTPField.Name("Referrer-Policy") else { preconditionFailure("a token of RFC 9110") }
        return name
    }()

    /// `Cross-Origin-Resource-Policy`.
    fileprivate static let crossOriginResourcePolicy: HTTPField.Name = {
        guard let name = HTTPField.Name("Cross-Origin-Resource-Policy") else {
            preconditionFailure("a token of RFC 9110")
        }
        return name
    }()
}
