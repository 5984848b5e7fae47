import HTTPTypes

/// The server side of one HTTP/1.1 connection, without input and output: takes bytes and responses, and produces
/// requests and bytes.
///
/// One request at a time is in flight, so that responses are sent in the order of their requests (RFC 9112 §9.3.2).
/// Pipelined requests after it wait as unparsed bytes, bounded by ``wantsBytes``. After every event, the owner calls
/// ``next(date:)`` until it returns ``Step/wait`` or ``Step/close``, and sends ``output``.
public struct HTTP1Connection: Sendable {
    /// The owner's next action.
    public enum Step: Sendable, Equatable {
        /// Handle the request, and pass the response to ``answer(_:date:)``.
        case handle(Request)
        /// Send the output, then wait for bytes, a response or room to send.
        case wait
        /// Send the output, then close.
        case close
    }

    /// The event that the connection is waiting for.
    public enum Phase: Sendable, Hashable {
        /// A request, of which no byte has arrived.
        case idle
        /// The rest of a request line and header section.
        case head
        /// The rest of a request's content.
        case content
        /// The response to a request.
        case answer
        /// The end: no more requests will be handled.
        case closing
    }

    /// Bytes to send, from ``outputStart`` on.
    public private(set) var output: [UInt8] = []
    /// The position of the first unsent byte in the output.
    public private(set) var outputStart = 0
    /// The values that unsent responses hold (``Response/hold``).
    private var holds: [any Sendable] = []

    private struct RequestInFlight {
        var path: String?
        var isHead: Bool
        var isHTTP10: Bool
        var keepsAlive: Bool
        /// Whether its response is a stream that has begun.
        var isStreaming = false
    }

    private let peer: Peer?
    private let limits: HTTP1Limits
    private let refusalResponse: RefusalResponse
    private var parser: HTTP1Parser
    private var inFlight: RequestInFlight?
    /// Whether the client will send no more.
    public private(set) var inputEnded = false
    private var isStopping = false
    private var isClosing = false

    /// Creates the state of a newly accepted connection.
    ///
    /// - Parameters:
    ///   - scheme: `https` with TLS, otherwise `http`.
    ///   - refusalResponse: creates the response to a request that never reaches a handler.
    public init(
        peer: Peer? = nil, scheme: String = "http", limits: HTTP1Limits = HTTP1Limits(),
        refusalResponse: @escaping RefusalResponse
    ) {
        self.peer = peer
        self.limits = limits
        self.refusalResponse = refusalResponse
        parser = HTTP1Parser(limits: limits, scheme: scheme)
    }

    /// The event that the connection is waiting for.
    public var phase: Phase {
        if isClosing { return .closing }
        if inFlight != nil { return .answer }
        switch parser.phase {
        case .idle: return .idle
        case .head: return .head
        case .content: return .content
        }
    }

    /// Whether to read more bytes now. False while enough bytes are buffered, and once no more requests will be
    /// handled.
    public var wantsBytes: Bool {
        !isClosing && !inputEnded && (!isBlocked || parser.unparsedBytes < limits.pipelinedBytesMax)
    }

    /// The number of bytes of requests that have not been passed to a handler.
    public var heldBytes: Int { parser.heldBytes }

    /// The number of unsent bytes.
    public var outputBytes: Int { output.count - outputStart }

    /// Adds received bytes.
    public mutating func receive(_ bytes: Span<UInt8>) {
        guard !isClosing else { return }
        parser.append(bytes)
    }

    /// Records that the client will send no more. Complete requests are still answered.
    public mutating func receiveEnd() { inputEnded = true }

    /// Advances as far as the received bytes and responses allow.
    public mutating func next(date: HTTPDate) -> Step {
        if isClosing { return .close }
        while !isBlocked {
            do throws(HTTP1Refusal) {
                switch try parser.next() {
                case .request(let request):
                    inFlight = RequestInFlight(
                        path: request.head.path, isHead: request.head.method == .head, isHTTP10: request.isHTTP10,
                        keepsAlive: request.keepsAlive)
                    return .handle(
                        Request(
                            head: request.head, content: request.content, credentials: request.credentials, peer: peer,
                            version: request.isHTTP10 ? .http10 : .http11))
                case .continueExpected:
                    // RFC 9110 §10.1.1
                    output.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8)
                case .incomplete:
                    // An incomplete request gets no response: its client has stopped sending.
                    guard !inputEnded, !(isStopping && parser.phase == .idle) else {
                        isClosing = true
                        return .close
                    }
                    return .wait
                }
            } catch {
                refuse(error.status, date: date)
                return .close
            }
        }
        return .wait
    }

    /// Adds the response to the request in flight, or begins it if it is a stream (``isStreaming``). If it can't be
    /// written, a response with status 500 replaces it.
    public mutating func answer(_ response: Response, date: HTTPDate) {
        guard var request = inFlight else { preconditionFailure("no request is in flight") }
        inFlight = nil
        let isStream = response.stream != nil
        isClosing =
            !request.keepsAlive || isStopping || HTTP1Writer.asksToClose(response) || (isStream && request.isHTTP10)
        let persistence: HTTP1Writer.Persistence = isClosing ? .close : request.isHTTP10 ? .keepAlive : .implied
        do throws(HTTP1Writer.Unwritable) {
            try HTTP1Writer.append(
                response, to: &output, date: date, persistence: persistence, isHead: request.isHead,
                isChunked: !request.isHTTP10)
            if let hold = response.hold { holds.append(hold) }
            guard isStream, !request.isHead, HTTP1Writer.hasContent(response.head.status) else { return }
            request.isStreaming = true
            request.keepsAlive = !isClosing
            isClosing = false
            inFlight = request
        } catch {
            writeRefusal(
                .internalServerError, request.path, date: date, persistence: persistence, isHead: request.isHead)
        }
    }

    /// Whether the response to the request in flight is a stream that has begun.
    public var isStreaming: Bool { inFlight?.isStreaming == true }

    /// Adds a piece of the stream.
    public mutating func send(_ piece: [UInt8]) {
        guard let request = inFlight, request.isStreaming else { preconditionFailure("no stream has begun") }
        guard !piece.isEmpty else { return }
        if request.isHTTP10 { output += piece } else { HTTP1Writer.append(chunk: piece, to: &output) }
    }

    /// Ends the stream.
    public mutating func endStream() {
        guard let request = inFlight, request.isStreaming else { preconditionFailure("no stream has begun") }
        if !request.isHTTP10 { HTTP1Writer.append(chunk: [], to: &output) }
        inFlight = nil
        isClosing = !request.keepsAlive || isStopping
    }

    /// Sends no response to the request in flight, and ends the connection after the previous responses.
    public mutating func cut() {
        precondition(inFlight != nil, "no request is in flight")
        inFlight = nil
        isClosing = true
    }

    /// Ends the connection because the client was too slow. Responds with 408 if a request had begun to arrive (RFC
    /// 9110 §15.5.9).
    public mutating func timeOut(date: HTTPDate) {
        switch phase {
        case .head, .content: refuse(.requestTimeout, date: date)
        case .idle, .answer, .closing: isClosing = true
        }
    }

    /// Responds with 503, because of overload, and ends the connection.
    ///
    /// - Parameter retryAfterSeconds: the value of `Retry-After` (RFC 9110 §10.2.3).
    public mutating func refuseForOverload(retryAfterSeconds: Int, date: HTTPDate) {
        isClosing = true
        var response = refusalResponse(.serviceUnavailable, parser.path)
        response.head.headerFields[.retryAfter] = String(retryAfterSeconds)
        write(response, orRefusal: .serviceUnavailable, date: date, persistence: .close, isHead: false)
    }

    /// Ends the connection after the next response. A request that has begun to arrive is still handled.
    public mutating func stop() { isStopping = true }

    /// Removes sent output.
    public mutating func consumeOutput(_ count: Int) {
        precondition(count >= 0 && count <= outputBytes, "consumed more bytes than are pending")
        outputStart += count
        guard outputStart == output.count else { return }
        // A buffer that grew for a large response is released.
        output.removeAll(keepingCapacity: output.capacity <= 32 * 1024)
        outputStart = 0
        holds = []
    }

    /// Releases memory that an idle connection doesn't need.
    public mutating func releaseMemory() {
        if outputBytes == 0 { output = [] }
        parser.releaseMemory()
    }

    /// Whether parsing is suspended, because a request is in flight or the client does not read its responses.
    private var isBlocked: Bool { inFlight != nil || outputBytes >= limits.outputBytesMax }

    private mutating func refuse(_ status: HTTPResponse.Status, date: HTTPDate) {
        isClosing = true
        writeRefusal(status, parser.path, date: date, persistence: .close, isHead: parser.methodIsHead)
    }

    private mutating func writeRefusal(
        _ status: HTTPResponse.Status, _ path: String?, date: HTTPDate, persistence: HTTP1Writer.Persistence,
        isHead: Bool
    ) {
        write(
            refusalResponse(status, path), orRefusal: status, date: date, persistence: persistence, isHead: isHead)
    }

    private mutating func write(
        _ response: Response, orRefusal status: HTTPResponse.Status, date: HTTPDate,
        persistence: HTTP1Writer.Persistence, isHead: Bool
    ) {
        do throws(HTTP1Writer.Unwritable) {
            try HTTP1Writer.append(response, to: &output, date: date, persistence: persistence, isHead: isHead)
        } catch {
            preconditionFailure("the program's own refusal for \(status.code) is unwritable: \(error)")
        }
    }
}
