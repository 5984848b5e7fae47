public import HTTPTypes

/// An incremental parser of one HTTP/1.x response (RFC 9112). The bytes may be split anywhere. Interim responses (1xx)
/// and trailers are skipped.
///
/// For clients that send one request per connection: bytes after the response are ignored.
public struct HTTP1ResponseParser: Sendable {
    /// Why no response could be parsed.
    public enum Failure: Error, Hashable, Sendable {
        /// The bytes are not an HTTP/1.x response.
        case malformed
        /// The head or the content exceeds its limit.
        case tooLarge
        /// The bytes ended before the end of the response.
        case truncated
    }

    private enum State {
        case statusLine, fields, chunkLine, chunkEnd, trailers, toEnd, complete
        case content(remaining: Int)
        case chunk(remaining: Int)
    }

    private let isHead: Bool
    private let limits: HTTP1Limits
    private var state = State.statusLine
    private var input: [UInt8] = []
    /// The position of the first unparsed byte in the input.
    private var start = 0
    /// The input from `start` to this position contains no LF.
    private var scanned = 0
    private var hasEnded = false
    /// The remainder of the limit on the total size of heads and trailers, in bytes.
    private var headBytesLeft: Int
    private var isHTTP10 = false
    private var framing = HTTP1Framing()
    private var response = Response(status: .ok)

    /// The status of the response, once its status line has arrived.
    public private(set) var status: HTTPResponse.Status?

    /// Creates a parser of the response to one request.
    ///
    /// - Parameters:
    ///   - isHead: whether the request was HEAD; its response has no content.
    ///   - limits: the limits; only those on heads, content and chunk lines apply.
    public init(isHead: Bool, limits: HTTP1Limits = HTTP1Limits()) {
        self.isHead = isHead
        self.limits = limits
        headBytesLeft = limits.headerBytesMax
    }

    /// Adds received bytes. They are parsed by ``next()``.
    public mutating func append(_ bytes: [UInt8]) {
        input.removeFirst(start)
        scanned -= start
        start = 0
        input += bytes
    }

    /// Records that no more bytes will arrive.
    public mutating func appendEnd() { hasEnded = true }

    /// Continues parsing. Returns the response once it is complete.
    public mutating func next() throws(Failure) -> Response? {
        do throws(HTTP1Refusal) {
            while try step() {}
        } catch {
            switch error {
            case .fieldsTooLarge, .bodyTooLarge, .chunkLineTooLong: throw .tooLarge
            default: throw .malformed
            }
        }
        switch state {
        case .complete: return response
        case .toEnd where hasEnded: return response
        default:
            guard !hasEnded else { throw .truncated }
            return nil
        }
    }

    /// Parses one line, or one stretch of content. Returns false if more bytes are required.
    private mutating func step() throws(HTTP1Refusal) -> Bool {
        switch state {
        case .statusLine:
            guard let line = try nextHeadLine() else { return false }
            try readStatusLine(line)
            state = .fields
        case .fields:
            guard let line = try nextHeadLine() else { return false }
            if line.isEmpty {
                state = try status.map { (status) throws(HTTP1Refusal) in try content(of: status) } ?? .statusLine
            } else if status != nil {
                try readField(line.span)
            }
        case .content(let remaining):
            let left = remaining - takeContent(atMost: remaining)
            state = left == 0 ? .complete : .content(remaining: left)
            return left == 0
        case .toEnd:
            guard input.count - start <= limits.bodyBytesMax - response.body.count else { throw .bodyTooLarge }
            _ = takeContent(atMost: .max)
            return false
        case .chunkLine:
            guard let line = try nextLine(bytesMax: limits.chunkLineBytesMax, tooLong: .chunkLineTooLong) else {
                return false
            }
            let size = try HTTP1ChunkLine(line.span).size
            guard size <= limits.bodyBytesMax - response.body.count else { throw .bodyTooLarge }
            state = size == 0 ? .trailers : .chunk(remaining: size)
        case .chunk(let remaining):
            let left = remaining - takeContent(atMost: remaining)
            state = left == 0 ? .chunkEnd : .chunk(remaining: left)
            return left == 0
        case .chunkEnd:
            guard let line = try nextLine(bytesMax: 0, tooLong: .missingChunkEnd) else { return false }
            precondition(line.isEmpty, "longer ones are refused")
            state = .chunkLine
        case .trailers:
            guard let line = try nextHeadLine() else { return false }
            if line.isEmpty { state = .complete }
        case .complete: return false
        }
        return true
    }

    /// `HTTP-version SP status-code SP reason-phrase` (§4). Many servers omit an empty reason together with the space
    /// before it.
    private mutating func readStatusLine(_ line: [UInt8]) throws(HTTP1Refusal) {
        guard line.count >= 12, line.starts(with: "HTTP/1.".utf8), line[8] == UInt8(ascii: " "),
            let code = Int(String(decoding: line[9..<12], as: UTF8.self)), (100...999).contains(code),
            line.count == 12 || line[12] == UInt8(ascii: " "), line.allSatisfy(Octet.isFieldValue)
        else { throw .malformedVersion }
        isHTTP10 = line[7] == UInt8(ascii: "0")
        guard code >= 200 else { return }
        let status = HTTPResponse.Status(
            code: code, reasonPhrase: String(decoding: line.dropFirst(13), as: UTF8.self))
        self.status = status
        response.head.status = status
    }

    private mutating func readField(_ line: Span<UInt8>) throws(HTTP1Refusal) {
        let field = try HTTP1Field(line)
        switch field.meaning {
        case .contentLength: try framing.noteContentLength(line.extracting(field.value))
        case .transferEncoding: try framing.noteTransferEncoding(line.extracting(field.value))
        case .host, .connection, .expect, .other: break
        }
        response.head.headerFields.append(field.field(of: line))
    }

    /// The parser's state after the head, which depends on the content's framing (§6.3).
    private func content(of status: HTTPResponse.Status) throws(HTTP1Refusal) -> State {
        guard !isHead, HTTP1Writer.hasContent(status) else { return .complete }
        return switch try framing.end(isHTTP10: isHTTP10, bodyBytesMax: limits.bodyBytesMax) {
        case .chunked: .chunkLine
        case .length(let length): .content(remaining: length)
        case nil: .toEnd
        }
    }

    private mutating func takeContent(atMost countMax: Int) -> Int {
        let count = min(countMax, input.count - start)
        response.body += input[start..<start + count]
        start += count
        scanned = start
        return count
    }

    private mutating func nextHeadLine() throws(HTTP1Refusal) -> [UInt8]? {
        let line = try nextLine(bytesMax: headBytesLeft - 2, tooLong: .fieldsTooLarge)
        if let line { headBytesLeft -= line.count + 2 }
        return line
    }

    /// Consumes the next line and returns it without its CRLF; nil while it is incomplete.
    private mutating func nextLine(bytesMax: Int, tooLong: HTTP1Refusal) throws(HTTP1Refusal) -> [UInt8]? {
        guard let lineFeed = input[scanned...].firstIndex(of: UInt8(ascii: "\n")) else {
            guard input.count - start < bytesMax + 2 else { throw tooLong }
            scanned = input.count
            return nil
        }
        guard lineFeed > start, input[lineFeed - 1] == UInt8(ascii: "\r") else { throw .bareLineFeed }
        let line = Array(input[start..<lineFeed - 1])
        guard line.count <= bytesMax else { throw tooLong }
        guard !line.contains(UInt8(ascii: "\r")) else { throw .bareCarriageReturn }
        start = lineFeed + 1
        scanned = start
        return line
    }
}
