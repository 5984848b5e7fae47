import HTTPTypes

/// The server's side of one HTTP/1.1 connection, without the connection: bytes and answers in, requests and bytes out.
///
/// One request at a time is in flight, so that answers leave in the order of their requests (RFC 9112 §9.3.2); those that were
/// pipelined behind it wait as bytes, bounded by ``wantsBytes``. The owner calls ``next(date:)`` after every event
/// until it says ``Step/wait`` or ``Step/close``, and sends ``output``.
public struct HTTP1Connection: Sendable {
    /// What the owner has to do.
    public enum Step: Sendable, Equatable {
        /// Have the request handled, and give the response to ``answer(_:date:)``.
        case handle(Request)
        /// Send the output; then wait for bytes, an answer or room to send.
        case wait
        /// Send the output, then close.
        case close
    }

    /// What the connection is waiting for.
    public enum Phase: Sendable, Hashable {
        /// A request, of which no byte has arrived.
        case idle
        /// The rest of a request line and header section.
        case head
        /// The rest of a request's content.
        case content
        /// The answer to a request.
        case answer
        /// The end: nothing more will be handled.
        case closing
    }

    /// Bytes to send, from ``outputStart`` on.
    public private(set) var output: [UInt8] = []
    /// Where the unsent output begins.
    public private(set) var outputStart = 0
    /// What the responses hold that are still to be sent.
    private var holds: [any Sendable] = []

    private struct RequestInFlight {
        var path: String?
        var isHead: Bool
        var isHTTP10: Bool
        var keepsAlive: Bool
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

    /// Makes the state of a connection that was just accepted.
    ///
    /// - Parameters:
    ///   - scheme: `https` with TLS, otherwise `http`.
    ///   - refusalResponse: the response to what never reaches a handler.
    public init(
        peer: Peer? = nil, scheme: String = "http", limits: HTTP1Limits = HTTP1Limits(),
        refusalResponse: @escaping RefusalResponse
    ) {
        self.peer = peer
        self.limits = limits
        self.refusalResponse = refusalResponse
        parser = HTTP1Parser(limits: limits, scheme: scheme)
    }

    /// What the connection is waiting for.
    public var phase: Phase {
        if isClosing { return .closing }
        if inFlight != nil { return .answer }
        switch parser.phase {
        case .idle: return .idle
        case .head: return .head
        case .content: return .content
        }
    }

    /// Whether more bytes should be read now. False while enough are waiting, and once nothing more will be handled.
    public var wantsBytes: Bool {
        !isClosing && !inputEnded && (!isBlocked || parser.unparsedBytes < limits.pipelinedBytesMax)
    }

    /// Bytes of requests that no handler has been given.
    public var heldBytes: Int { parser.heldBytes }

    /// Bytes not yet sent.
    public var outputBytes: Int { output.count - outputStart }

    /// Takes bytes that arrived.
    public mutating func receive(_ bytes: Span<UInt8>) {
        guard !isClosing else { return }
        parser.append(bytes)
    }

    /// Takes note that the client will send no more. Requests that are complete are still answered.
    public mutating func receiveEnd() { inputEnded = true }

    /// Advances as far as the bytes and answers so far allow.
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
                    // A request that will never be whole gets no answer: its sender is gone.
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

    /// Takes the response to the request in flight.
    ///
    /// A response that can't be sent as it is becomes a 500.
    public mutating func answer(_ response: Response, date: HTTPDate) {
        guard let request = inFlight else { preconditionFailure("no request is in flight") }
        inFlight = nil
        isClosing = !request.keepsAlive || isStopping || HTTP1Writer.asksToClose(response)
        let persistence: HTTP1Writer.Persistence = isClosing ? .close : request.isHTTP10 ? .keepAlive : .implied
        do throws(HTTP1Writer.Unwritable) {
            try HTTP1Writer.append(
                response, to: &output, date: date, persistence: persistence, isHead: request.isHead)
            if let hold = response.hold { holds.append(hold) }
        } catch {
            writeRefusal(
                .internalServerError, request.path, date: date, persistence: persistence, isHead: request.isHead)
        }
    }

    /// Gives the request in flight no response: the connection ends with what was answered before it.
    public mutating func cut() {
        precondition(inFlight != nil, "no request is in flight")
        inFlight = nil
        isClosing = true
    }

    /// Ends the connection because the client took too long: 408 if it had begun a request (RFC 9110 §15.5.9).
    public mutating func timeOut(date: HTTPDate) {
        switch phase {
        case .head, .content: refuse(.requestTimeout, date: date)
        case .idle, .answer, .closing: isClosing = true
        }
    }

    /// Answers a connection for which there is no room, before any request.
    ///
    /// - Parameter retryAfterSeconds: the value of `Retry-After` (RFC 9110 §10.2.3).
    public mutating func refuseForOverload(retryAfterSeconds: Int, date: HTTPDate) {
        isClosing = true
        var response = refusalResponse(.serviceUnavailable, parser.path)
        response.head.headerFields[.retryAfter] = String(retryAfterSeconds)
        write(response, orRefusal: .serviceUnavailable, date: date, persistence: .close, isHead: false)
    }

    /// Makes the next answer the last. A request that has begun to arrive is still handled.
    public mutating func stop() { isStopping = true }

    /// Removes output that was sent.
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

    /// Whether nothing is parsed now, because a request is in flight or the client does not take its responses.
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
