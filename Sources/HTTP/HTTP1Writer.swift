package import HTTPTypes

/// Responses as HTTP/1.1 bytes (RFC 9112 §4, §5).
public enum HTTP1Writer {
    /// Why a response can't be sent as it is. Whatever made it took something from a peer that it should have checked.
    public enum Unwritable: Error, Hashable, Sendable {
        /// A status that is not 200 to 999.
        case statusNotFinal
        /// A control character in the reason phrase.
        case malformedReasonPhrase
        /// A control character, such as CR or LF, in a field value.
        case malformedFieldValue
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
        try check(response)
        // From here on the response is lawful.
        let status = response.head.status
        output.append(contentsOf: "HTTP/1.1 ".utf8)
        append(status.code, to: &output)
        output.append(UInt8(ascii: " "))
        output.append(contentsOf: status.reasonPhrase.utf8)
        output.append(contentsOf: "\r\n".utf8)
        var hasDate = false
        for field in response.head.headerFields {
            switch field.name.canonicalName {
            case "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade": continue
            case "date": hasDate = true
            default: break
            }
            output.append(contentsOf: field.name.rawName.utf8)
            output.append(contentsOf: ": ".utf8)
            field.withUnsafeBytesOfValue { output.append(contentsOf: $0) }
            output.append(contentsOf: "\r\n".utf8)
        }
        if !hasDate {
            output.append(contentsOf: "Date: ".utf8)
            output.append(contentsOf: date.bytes)
            output.append(contentsOf: "\r\n".utf8)
        }
        let hasContent = hasContent(status)
        if hasContent {
            output.append(contentsOf: "Content-Length: ".utf8)
            append(response.body.count, to: &output)
            output.append(contentsOf: "\r\n".utf8)
        }
        switch persistence {
        case .implied: break
        case .keepAlive: output.append(contentsOf: "Connection: keep-alive\r\n".utf8)
        case .close: output.append(contentsOf: "Connection: close\r\n".utf8)
        }
        output.append(contentsOf: "\r\n".utf8)
        if hasContent, !isHead { output.append(contentsOf: response.body) }
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
        for field in response.head.headerFields where field.name.canonicalName == "connection" {
            let options = field.value.split(separator: ",")
            if options.contains(where: { $0.lowercased().filter { $0 != " " && $0 != "\t" } == "close" }) {
                return true
            }
        }
        return false
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
