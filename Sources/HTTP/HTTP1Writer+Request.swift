import HTTPTypes

extension HTTP1Writer {
    /// Appends a request, after whose response the connection closes.
    ///
    /// `Host` is the authority. The framing is this function's business, as with responses.
    ///
    /// - Throws: `malformedTarget` or `malformedFieldValue`. The output is of no use then.
    public static func append(_ request: Request, to output: inout [UInt8]) throws(Unwritable) {
        let head = request.head
        guard let authority = head.authority, HTTP1Host.isValid(authority.utf8.span), let path = head.path,
            path.utf8.first == UInt8(ascii: "/"), path.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .malformedTarget }
        output += "\(head.method.rawValue) \(path) HTTP/1.1\r\nHost: \(authority)\r\n".utf8
        _ = try append(head.headerFields, to: &output)
        request.credentials.forEach { name, value in
            output += "\(name): ".utf8
            value.withUnsafeBytes { output.append(contentsOf: $0) }
            output += "\r\n".utf8
        }
        // RFC 9110 §8.6: these methods say that they have no content, too.
        if !request.content.isEmpty || [.patch, .post, .put].contains(head.method) {
            output += "Content-Length: \(request.content.count)\r\n".utf8
        }
        output += "Connection: close\r\n\r\n".utf8
        request.content.withUnsafeBytes { output.append(contentsOf: $0) }
    }
}
