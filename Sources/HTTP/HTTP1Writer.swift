package import HTTPTypes

/// Messages as HTTP/1.1 bytes (RFC 9112 §3, §4, §5).
public enum HTTP1Writer {
    /// Why a message can't be sent as it is. Whatever made it took something from a peer that it should have checked.
    public enum Unwritable: Error, Hashable, Sendable {
        /// A status that is not 200 to 999.
        case statusNotFinal
        /// A control character in the reason phrase.
        case malformedReasonPhrase
        /// A control character, such as CR or LF, in a field value.
        case malformedFieldValue
        /// A request without `host[:port]` and path, or with a character that no URI contains.
        case malformedTarget
    }

    /// What a response says about its connection (RFC 9112 §9.3).
    public enum Persistence: Sendable, Hashable {
        /// Nothing: HTTP/1.1 stays open.
        case implied
        /// `Connection: keep-alive`, for HTTP/1.0.
        case keepAlive
        /// `Connection: close`.
        case close
    }

    /// Appends a response to the output.
    ///
    /// The framing is this function's business: `Content-Length` is the length of the body, and what a handler said in
    /// `Content-Length`, `Transfer-Encoding`, `Connection`, `Keep-Alive` and `Upgrade` is left out.
    ///
    /// - Parameters:
    ///   - date: for `Date` (RFC 9110 §6.6.1), unless the response has one.
    ///   - isHead: the request was HEAD: the content is left out, its length is not (RFC 9110 §9.3.2).
    /// - Throws: before anything was appended.
    public static func append(
        _ response: Response, to output: inout [UInt8], date: HTTPDate, persistence: Persistence, isHead: Bool
    ) throws(Unwritable) {
        let status = response.head.status
        // RFC 9110 §15.2: 1xx is never the answer to a request.
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
        if hasContent {
            append("Content-Length: ", to: &output)
            append(response.body.count, to: &output)
            append("\r\n", to: &output)
        }
        switch persistence {
        case .implied: append("\r\n", to: &output)
        case .keepAlive: append("Connection: keep-alive\r\n\r\n", to: &output)
        case .close: append("Connection: close\r\n\r\n", to: &output)
        }
        if hasContent, !isHead { output.append(contentsOf: response.body) }
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

    /// Appends fields other than those of framing and connection.
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

    /// What a field of a response means to its writer.
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

    /// Whether a response can be sent as it is.
    package static func check(_ response: Response) throws(Unwritable) {
        let status = response.head.status
        // RFC 9110 §15.2: 1xx is never the answer to a request.
        guard status.code >= 200 else { throw .statusNotFinal }
        guard status.reasonPhrase.utf8.allSatisfy(Octet.isFieldValue) else { throw .malformedReasonPhrase }
        for field in response.head.headerFields {
            guard field.withUnsafeBytesOfValue({ $0.allSatisfy(Octet.isFieldValue) }) else {
                throw .malformedFieldValue
            }
        }
    }

    /// Whether a response has content and says its length. RFC 9110 §8.6: no Content-Length in 204. RFC 9112 §6.3 #1:
    /// 204 and 304 end with their header section.
    package static func hasContent(_ status: HTTPResponse.Status) -> Bool { status.code != 204 && status.code != 304 }

    /// Whether a response asks for its connection to be closed (RFC 9110 §7.6.1).
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
