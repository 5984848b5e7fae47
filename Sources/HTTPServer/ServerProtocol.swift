import HTTP

/// The protocol that a connection speaks: requests out of bytes, and bytes out of responses.
///
/// As with ``HTTP1Connection``, ``next(date:)`` says what is to be done after every event.
struct ServerProtocol {
    /// What the connection has to do.
    enum Step {
        /// Have the request handled, and give its response to ``answer(_:stream:date:)``.
        case handle(Request, stream: Int32)
        /// Send the output; then wait.
        case wait
        /// Send the output, then close.
        case close
    }

    private var http1: HTTP1Connection

    init(peer: Peer, scheme: String, context: ServerContext) {
        http1 = HTTP1Connection(
            peer: peer, scheme: scheme, limits: context.configuration.limits,
            refusalResponse: context.refusalResponse)
    }

    /// What is waited for.
    var phase: HTTP1Connection.Phase { http1.phase }
    /// Whether more bytes should be read now; not while the peer leaves answers lie.
    var wantsBytes: Bool { http1.wantsBytes && http1.outputBytes == 0 }
    /// Whether the peer will send no more.
    var inputEnded: Bool { http1.inputEnded }
    /// Bytes not yet sent.
    var outputBytes: Int { http1.outputBytes }

    /// Takes bytes that arrived.
    mutating func receive(_ bytes: Span<UInt8>) { http1.receive(bytes) }

    /// Takes note that the peer will send no more.
    mutating func receiveEnd() { http1.receiveEnd() }

    /// Advances as far as the bytes and answers so far allow.
    mutating func next(date: HTTPDate) -> Step {
        switch http1.next(date: date) {
        case .handle(let request): .handle(request, stream: 0)
        case .wait: .wait
        case .close: .close
        }
    }

    /// Takes the response to a request under way; nil for none at all.
    mutating func answer(_ response: Response?, stream: Int32, date: HTTPDate) {
        if let response { http1.answer(response, date: date) } else { http1.cut() }
    }

    /// Sends output until the peer has to take some of it first: then false.
    mutating func send(over transport: inout Transport) throws(HTTPServerError) -> Bool {
        while http1.outputBytes > 0 {
            let transfer = try http1.withUnsentOutput { bytes throws(HTTPServerError) in try transport.write(bytes) }
            guard case .bytes(let count) = transfer else { return false }
            http1.consumeOutput(count)
        }
        return true
    }

    /// Takes note that the peer took too long.
    mutating func timeOut(date: HTTPDate) { http1.timeOut(date: date) }

    /// Answers a connection for which there is no room.
    mutating func refuse(retryAfterSeconds: Int, date: HTTPDate) {
        http1.refuseForOverload(retryAfterSeconds: retryAfterSeconds, date: date)
    }

    /// Ends the connection after the requests under way.
    mutating func stop() { http1.stop() }

    /// Gives back memory that nothing needs while nothing comes.
    mutating func releaseMemory() { http1.releaseMemory() }
}
