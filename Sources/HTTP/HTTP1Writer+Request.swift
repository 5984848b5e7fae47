import HTTPTypes

extension HTTP1Writer {
    /// Appends a request with `Connection: close`.
    ///
    /// `Host` is the request's authority. The framing fields are written by this function, as with responses.
    ///
    /// - Throws: `malformedTarget` or `malformedFieldValue`. The output is unusable then.
    public static func append(_ request: Request, to output: inout [UInt8]) throws(Unwritable) {
        let head = request.head
        guard let authority = head.authority, HTTP1Host.isValid(authority.utf8.span), let path = head.path,
            path.utf8.first == UInt8(ascii: "/"), path.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .malformedTarget }
        // Reserves room for the whole request: an array that grows leaves an unwiped copy of the credentials in freed
        // memory.
        output.reserveCapacity(output.count + byteCountMax(request, authority, path))
        output += "\(head.method.rawValue) \(path) HTTP/1.1\r\nHost: \(authority)\r\n".utf8
        _ = try append(head.headerFields, to: &output)
        try request.credentials.forEach { (name, value) throws(Unwritable) in
            output += "\(name): ".utf8
            try value.withUnsafeBytes { (value) throws(Unwritable) in
                guard value.allSatisfy(Octet.isFieldValue) else { throw .malformedFieldValue }
                output.append(contentsOf: value)
            }
            output += "\r\n".utf8
        }
        // RFC 9110 §8.6: requests with these methods have `Content-Length` even without content.
        if !request.content.isEmpty || [.patch, .post, .put].contains(head.method) {
            output += "Content-Length: \(request.content.count)\r\n".utf8
        }
        output += "Connection: close\r\n\r\n".utf8
        request.content.withUnsafeBytes { output.append(contentsOf: $0) }
    }

    /// An upper bound on the size of a request in bytes.
    private static func byteCountMax(_ request: Request, _ authority: String, _ path: String) -> Int {
        // The number of bytes added to each field, and to everything else.
        let (aroundField, aroundRest) = (4, 256)
        var count = request.head.method.rawValue.utf8.count + path.utf8.count + authority.utf8.count + aroundRest
        for field in request.head.headerFields {
            count += field.name.rawName.utf8.count + field.value.utf8.count + aroundField
        }
        request.credentials.forEach { count += $0.utf8.count + $1.count + aroundField }
        return count + request.content.count
    }
}
