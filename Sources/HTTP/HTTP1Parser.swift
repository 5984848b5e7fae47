import HTTPTypes

/// An incremental parser of HTTP/1.1 requests (RFC 9112). The bytes may be split anywhere.
///
/// It allocates memory only for received bytes, never for an announced length. Each byte is examined a bounded number
/// of times, even if bytes arrive singly.
public struct HTTP1Parser: Sendable {
    /// The result of parsing.
    public enum Event: Sendable {
        /// More bytes are required.
        case incomplete
        /// The client waits for `100 Continue` before it sends the content.
        case continueExpected
        /// A complete request.
        case request(HTTP1Request)
    }

    /// The part of the next request that has arrived.
    public enum Phase: Sendable, Hashable {
        /// No byte has arrived.
        case idle
        /// The request line or the header fields are incomplete.
        case head
        /// The head is complete, the content is not.
        case content
    }

    private enum State {
        case requestLine(emptyLineSeen: Bool)
        case headerFields(bytesLeft: Int)
        case content(remaining: Int)
        case chunkLine(extensionBytesLeft: Int)
        case chunk(remaining: Int, extensionBytesLeft: Int)
        case chunkEnd(extensionBytesLeft: Int)
        case trailerFields(bytesLeft: Int, count: Int)
        case refused(HTTP1Refusal)
    }

    private let limits: HTTP1Limits
    private let scheme: String
    private var state = State.requestLine(emptyLineSeen: false)
    /// The head of the request that is arriving; nil before the end of its request line.
    private var head: HTTP1RequestHead?
    private var input = WipedBuffer()
    /// The position of the first unparsed byte in the input.
    private var start = 0
    /// The input from `start` to this position contains no LF.
    private var scanned = 0
    /// The position of the request line in the input, while it is being read.
    private var lineStart = 0
    /// The path in a refused request line, if any.
    private var unreadPath: String?
    /// The input before this position has been overwritten.
    private var wiped = 0
    private var body = WipedBuffer()

    /// Creates a parser for one connection.
    ///
    /// - Parameter scheme: the scheme of the requests: `http` or `https`.
    public init(limits: HTTP1Limits = HTTP1Limits(), scheme: String = "http") {
        self.limits = limits
        self.scheme = scheme
    }

    /// The number of received bytes that are not parsed yet.
    public var unparsedBytes: Int { input.count - start }

    /// The number of buffered bytes: those not parsed yet, and the content of an incomplete request.
    public var heldBytes: Int { unparsedBytes + body.count }

    /// The part of the next request that has arrived.
    public var phase: Phase {
        switch state {
        case .requestLine(let emptyLineSeen): unparsedBytes == 0 && !emptyLineSeen ? .idle : .head
        case .headerFields, .refused: .head
        case .content, .chunkLine, .chunk, .chunkEnd, .trailerFields: .content
        }
    }

    /// Whether the arriving or refused request is known to be HEAD; its response has no content.
    var methodIsHead: Bool { head?.line.method == .head }

    /// The path of the arriving or refused request, with its query; nil if no part of it has arrived. If the request
    /// line is incomplete or was refused, this is a likely path, truncated to a maximum length.
    var path: String? { head?.line.path ?? unreadPath ?? pathInInput }

    private static let unreadPathBytesMax = 256

    /// The part of the input between the method and the next space or line end.
    private var pathInInput: String? {
        guard case .requestLine = state, lineStart < input.count else { return nil }
        return input.withSpan(lineStart..<min(input.count, lineStart + 32 + Self.unreadPathBytesMax)) { line in
            guard let space = line.firstIndex(of: UInt8(ascii: " "), in: 0..<line.count) else { return nil }
            var end = space + 1
            while end < line.count, end - space <= Self.unreadPathBytesMax, Octet.isPathOrQuery(line[end]) { end += 1 }
            return end > space + 1 ? line.extracting(space + 1..<end).text : nil
        }
    }

    /// Adds received bytes. They are parsed by ``next()``.
    public mutating func append(_ bytes: Span<UInt8>) {
        if start == input.count {
            // A buffer that grew for a large request is released.
            dropParsed(keepingCapacity: input.capacity <= 32 * 1024)
        } else if start > input.count / 2 {
            input.removeFirst(start)
            scanned -= start
            start = 0
            wiped = 0
        }
        input.append(bytes)
    }

    /// Drops the input. All of it must have been parsed.
    private mutating func dropParsed(keepingCapacity: Bool) {
        input.removeAll(keepingCapacity: keepingCapacity)
        scanned -= start
        start = 0
        wiped = 0
    }

    /// Releases memory that an idle connection doesn't need.
    mutating func releaseMemory() {
        guard start == input.count else { return }
        dropParsed(keepingCapacity: false)
    }

    /// Continues parsing, at most to the end of one request.
    ///
    /// - Throws: the first refusal that applies, and the same refusal on every later call.
    public mutating func next() throws(HTTP1Refusal) -> Event {
        do throws(HTTP1Refusal) {
            while true {
                if let event = try step() { return event }
            }
        } catch {
            if head == nil { unreadPath = pathInInput }
            state = .refused(error)
            // Parsing has ended.
            input.removeAll()
            body.removeAll()
            (start, scanned, wiped) = (0, 0, 0)
            throw error
        }
    }

    /// Parses one line, or one stretch of content. Nil if parsing can continue.
    private mutating func step() throws(HTTP1Refusal) -> Event? {
        switch state {
        case .requestLine(let emptyLineSeen):
            lineStart = start
            guard
                let line = try nextLine(bytesMax: limits.requestLineBytesMax, tooLong: .requestLineTooLong)
            else { return .incomplete }
            // RFC 9112 §2.2: one empty line before the request is tolerated.
            if line.isEmpty, !emptyLineSeen {
                state = .requestLine(emptyLineSeen: true)
                return nil
            }
            head = HTTP1RequestHead(
                try input.withSpan(line) { (line) throws(HTTP1Refusal) in try HTTP1RequestLine(line) })
            state = .headerFields(bytesLeft: limits.headerBytesMax)
            return nil
        case .headerFields(let bytesLeft):
            guard let line = try nextLine(bytesMax: bytesLeft - 2, tooLong: .fieldsTooLarge) else {
                return .incomplete
            }
            if line.isEmpty { return try finishHead() }
            // Moved out of the property, so that it is not copied when it grows.
            guard var head = head.take() else { preconditionFailure("a head has a request line") }
            defer { self.head = head }
            guard head.fieldCount < limits.headerCountMax else { throw .fieldsTooLarge }
            try input.withSpan(line) { (line) throws(HTTP1Refusal) in try head.append(line) }
            state = .headerFields(bytesLeft: bytesLeft - line.count - 2)
            return nil
        case .content(let remaining):
            let left = remaining - takeContent(atMost: remaining)
            if left == 0 { return finish() }
            state = .content(remaining: left)
            return .incomplete
        case .chunkLine, .chunk, .chunkEnd, .trailerFields:
            return try stepInChunks()
        case .refused(let refusal):
            throw refusal
        }
    }

    private mutating func stepInChunks() throws(HTTP1Refusal) -> Event? {
        switch state {
        case .chunkLine(let extensionBytesLeft):
            guard let line = try nextLine(bytesMax: limits.chunkLineBytesMax, tooLong: .chunkLineTooLong) else {
                return .incomplete
            }
            let chunk = try input.withSpan(line) { (line) throws(HTTP1Refusal) in try HTTP1ChunkLine(line) }
            guard chunk.extensionBytes <= extensionBytesLeft else { throw .chunkExtensionsTooLarge }
            guard chunk.size <= limits.bodyBytesMax - body.count else { throw .bodyTooLarge }
            let left = extensionBytesLeft - chunk.extensionBytes
            state =
                chunk.size == 0
                ? .trailerFields(bytesLeft: limits.trailerBytesMax, count: 0)
                : .chunk(remaining: chunk.size, extensionBytesLeft: left)
            return nil
        case .chunk(let remaining, let extensionBytesLeft):
            let left = remaining - takeContent(atMost: remaining)
            state =
                left == 0
                ? .chunkEnd(extensionBytesLeft: extensionBytesLeft)
                : .chunk(remaining: left, extensionBytesLeft: extensionBytesLeft)
            return left == 0 ? nil : .incomplete
        case .chunkEnd(let extensionBytesLeft):
            // RFC 9112 §7.1: chunk-data CRLF.
            guard unparsedBytes >= 1 else { return .incomplete }
            guard input[start] == UInt8(ascii: "\r") else { throw .missingChunkEnd }
            guard unparsedBytes >= 2 else { return .incomplete }
            guard input[start + 1] == UInt8(ascii: "\n") else { throw .missingChunkEnd }
            start += 2
            scanned = start
            state = .chunkLine(extensionBytesLeft: extensionBytesLeft)
            return nil
        case .trailerFields(let bytesLeft, let count):
            guard let line = try nextLine(bytesMax: bytesLeft - 2, tooLong: .fieldsTooLarge) else {
                return .incomplete
            }
            if line.isEmpty { return finish() }
            guard count < limits.headerCountMax else { throw .fieldsTooLarge }
            // RFC 9110 §6.5.1: trailers may be discarded. They are still checked.
            try input.withSpan(line) { (line) throws(HTTP1Refusal) in _ = try HTTP1Field(line) }
            state = .trailerFields(bytesLeft: bytesLeft - line.count - 2, count: count + 1)
            return nil
        case .requestLine, .headerFields, .content, .refused:
            preconditionFailure("not in chunked content")
        }
    }

    private mutating func finishHead() throws(HTTP1Refusal) -> Event? {
        guard let head else { preconditionFailure("a head has a request line") }
        switch try head.contentEnd(bodyBytesMax: limits.bodyBytesMax) {
        case nil: return finish()
        case .length(let length): state = .content(remaining: length)
        case .chunked: state = .chunkLine(extensionBytesLeft: limits.chunkExtensionBytesMax)
        }
        // RFC 9110 §10.1.1: `100 Continue` is unnecessary once content has arrived.
        return head.waitsForContinue && unparsedBytes == 0 ? .continueExpected : nil
    }

    private mutating func finish() -> Event {
        guard let head else { preconditionFailure("a request has a head") }
        let request = HTTP1Request(
            head: head.request(scheme: scheme), content: body, credentials: head.credentials,
            keepsAlive: head.keepsAlive, isHTTP10: head.line.isHTTP10)
        body = WipedBuffer()
        self.head = nil
        if start == input.count {
            dropParsed(keepingCapacity: input.capacity <= 32 * 1024)
        } else {
            input.wipe(wiped..<start)
            wiped = start
        }
        state = .requestLine(emptyLineSeen: false)
        return .request(request)
    }

    private mutating func takeContent(atMost countMax: Int) -> Int {
        let count = min(countMax, unparsedBytes)
        body.append(input, start..<start + count)
        start += count
        scanned = start
        return count
    }

    /// Consumes the next line and returns it without its CRLF; nil while it is incomplete.
    ///
    /// RFC 9112 §2.2: a line ends in CRLF. Recipients may accept a lone LF, but not a lone CR. Both are refused,
    /// because implementations treat them differently.
    private mutating func nextLine(bytesMax: Int, tooLong: HTTP1Refusal) throws(HTTP1Refusal) -> Range<Int>? {
        guard bytesMax >= 0 else { throw tooLong }
        // The longest allowed line with its CRLF. Nothing after it is searched, so that the outcome does not depend on
        // how the bytes were split.
        let windowEnd = min(input.count, start + bytesMax + 2)
        guard let lineFeed = input.firstIndex(of: UInt8(ascii: "\n"), in: scanned..<windowEnd) else {
            guard windowEnd < start + bytesMax + 2 else { throw tooLong }
            scanned = windowEnd
            return nil
        }
        let endsInCRLF = lineFeed > start && input[lineFeed - 1] == UInt8(ascii: "\r")
        let line = start..<(endsInCRLF ? lineFeed - 1 : lineFeed)
        guard line.count <= bytesMax else { throw tooLong }
        guard endsInCRLF else { throw .bareLineFeed }
        guard input.firstIndex(of: UInt8(ascii: "\r"), in: line) == nil else { throw .bareCarriageReturn }
        start = lineFeed + 1
        scanned = start
        return line
    }
}
