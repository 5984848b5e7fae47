package import HTTPTypes

/// Writes messages as HTTP/1.1 bytes (RFC 9112 §3, §4, §5).
public enum HTTP1Writer {
    /// Why a message can't be written. The cause is a value that its creator took from a peer without checking it.
    public enum Unwritable: Error, Hashable, Sendable {
        /// The status is not between 200 and 999.
        case statusNotFinal
        /// The reason phrase contains a control character.
        case malformedReasonPhrase
        /// A field value contains a control character, such as CR or LF.
        case malformedFieldValue
        /// The request lacks `host[:port]` or path, or has a character that is not allowed in a URI.
        case malformedTarget
    }

    /// The statement of a response about its connection (RFC 9112 §9.3).
    public enum Persistence: Sendable, Hashable {
        /// No statement: an HTTP/1.1 connection stays open.
        case implied
        /// `Connection: keep-alive`, for HTTP/1.0.
        case keepAlive
        /// `Connection: close`.
        case close
    }

    /// Appends a response to the output.
    ///
    /// This function writes the framing fields: `Content-Length` is the length of the body, and a response with a stream is
    /// chunked (RFC 9112 §7.1). The response's own
    /// `Content-Length`, `Transfer-Encoding`, `Connection`, `Keep-Alive` and `Upgrade` are omitted.
    ///
    /// - Parameters:
    ///   - date: the value of `Date` (RFC 9110 §6.6.1), unless the response has one.
    ///   - isHead: whether the request was HEAD: the content is omitted, but not its length (RFC 9110 §9.3.2).
    ///   - isChunked: whether a stream is chunked; otherwise it ends with the connection, for HTTP/1.0.
    /// - Throws: before any byte is appended.
    public static func append(
        _ response: Response, to output: inout [UInt8], date: HTTPDate, persistence: Persistence, isHead: Bool,
        isChunked: Bool = true
    ) throws(Unwritable) {
        let status = response.head.status
        // RFC 9110 §15.2: 1xx is never the final response to a request.
        guard status.code >= 200 else { throw .statusNotFinal }
        let start = output.count
        let hasDate: Bool
        do throws(Unwritable) {
            try appendStatusLine(status, to: &output)
            hasDate = try append(response.head.headerFields, to: &output)
        } catch {
            output.removeSubrange(start...)
            throw error
        }
        if !hasDate { output.append(contentsOf: date.fieldLine) }
        let hasContent = hasContent(status)
        if hasContent, response.stream == nil {
            append("Content-Length: ", to: &output)
            append(response.body.count, to: &output)
            append("\r\n", to: &output)
        } else if hasContent, isChunked {
            append("Transfer-Encoding: chunked\r\n", to: &output)
        }
        switch persistence {
        case .implied: append("\r\n", to: &output)
        case .keepAlive: append("Connection: keep-alive\r\n\r\n", to: &output)
        case .close: append("Connection: close\r\n\r\n", to: &output)
        }
        if hasContent, !isHead { output.append(contentsOf: response.body) }
    }

    /// Appends one chunk of a stream (RFC 9112 §7.1); an empty one ends the stream.
    static func append(chunk: [UInt8], to output: inout [UInt8]) {
        output.append(contentsOf: String(chunk.count, radix: 16).utf8)
        append("\r\n", to: &output)
        output.append(contentsOf: chunk)
        append("\r\n", to: &output)
    }

    private static func appendStatusLine(
        _ status: HTTPResponse.Status, to output: inout [UInt8]
    ) throws(Unwritable) {
        append("HTTP/1.1 ", to: &output)
        append(status.code, to: &output)
        append(" ", to: &output)
        let reasonPhrase = status.reasonPhrase
        let bytes = reasonPhrase.utf8.span
        guard bytes.allSatisfy(Octet.isFieldValue) else { throw .malformedReasonPhrase }
        bytes.withUnsafeBufferPointer { output.append(contentsOf: $0) }
        append("\r\n", to: &output)
    }

    /// Appends all fields except those of framing and connection.
    ///
    /// - Returns: whether `Date` is among them.
    static func append(_ fields: HTTPFields, to output: inout [UInt8]) throws(Unwritable) -> Bool {
        var hasDate = false
        for field in fields {
            let isWritten = try field.withUnsafeBytesOfValue { (value) throws(Unwritable) -> Bool in
                guard value.span.allSatisfy(Octet.isFieldValue) else { throw .malformedFieldValue }
                switch Meaning(field.name) {
                case .framing, .connection: return false
                case .date: hasDate = true
                case .other: break
                }
                let name = field.name.rawName
                name.utf8.span.withUnsafeBufferPointer { output.append(contentsOf: $0) }
                append(": ", to: &output)
                output.append(contentsOf: value)
                return true
            }
            if isWritten { append("\r\n", to: &output) }
        }
        return hasDate
    }

    /// The meaning of a response field to the writer.
    private enum Meaning {
        case date, framing, connection, other

        init(_ name: HTTPField.Name) {
            let canonicalName = name.canonicalName
            let bytes = canonicalName.utf8.span
            self =
                switch bytes.count {
                case 4: bytes.equals("date") ? .date : .other
                case 7: bytes.equals("upgrade") ? .framing : .other
                case 10: bytes.equals("connection") ? .connection : bytes.equals("keep-alive") ? .framing : .other
                case 14: bytes.equals("content-length") ? .framing : .other
                case 17: bytes.equals("transfer-encoding") ? .framing : .other
                default: .other
                }
        }
    }

    /// Throws if a response can't be written.
    package static func check(_ response: Response) throws(Unwritable) {
        let status = response.head.status
        // RFC 9110 §15.2: 1xx is never the final response to a request.
        guard status.code >= 200 else { throw .statusNotFinal }
        guard status.reasonPhrase.utf8.allSatisfy(Octet.isFieldValue) else { throw .malformedReasonPhrase }
        for field in response.head.headerFields {
            guard field.withUnsafeBytesOfValue({ $0.allSatisfy(Octet.isFieldValue) }) else {
                throw .malformedFieldValue
            }
        }
    }

    /// Whether a response with this status has content and `Content-Length`. RFC 9110 §8.6: no Content-Length in 204.
    /// RFC 9112 §6.3 #1: 204 and 304 end with their header section.
    package static func hasContent(_ status: HTTPResponse.Status) -> Bool { status.code != 204 && status.code != 304 }

    /// Whether a response contains `Connection: close` (RFC 9110 §7.6.1).
    package static func asksToClose(_ response: Response) -> Bool {
        for field in response.head.headerFields where Meaning(field.name) == .connection {
            let options = field.value.split(separator: ",")
            if options.contains(where: { $0.lowercased().filter { $0 != " " && $0 != "\t" } == "close" }) {
                return true
            }
        }
        return false
    }

    private static func append(_ text: StaticString, to output: inout [UInt8]) {
        output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private static func append(_ number: Int, to output: inout [UInt8]) {
        var divisor = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            output.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}
