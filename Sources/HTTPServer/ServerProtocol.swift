import HTTP
import HTTP2

/// The protocol of a connection: produces requests from received bytes, and bytes from responses.
///
/// With TLS, the handshake selects it. Without TLS, it is HTTP/2 if the first bytes are HTTP/2's preface (RFC 9113
/// §3.3), otherwise HTTP/1.1.
struct ServerProtocol {
    /// The connection's next action.
    enum Step {
        /// Handle the request, and pass its response to ``answer(_:stream:date:)``.
        case handle(Request, stream: Int32)
        /// Send the output; then wait.
        case wait
        /// Send the output, then close.
        case close
    }

    private enum Kind { case unknown, http1, http2 }

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private let context: ServerContext
    private var peer: Peer
    private let scheme: String
    private var kind = Kind.unknown
    private var http1: HTTP1Connection
    /// The HTTP/2 state; nil until HTTP/2 is selected.
    private var http2: HTTP2Connection?
    /// The first bytes, until they identify the protocol.
    private var firstBytes = WipedBuffer()

    init(peer: Peer, scheme: String, context: ServerContext) {
        self.context = context
        self.peer = peer
        self.scheme = scheme
        http1 = HTTP1Connection(
            peer: peer, scheme: scheme, limits: context.configuration.limits,
            refusalResponse: context.refusalResponse)
    }

    /// Whether the protocol is HTTP/2, which keeps its own deadlines.
    var isHTTP2: Bool { http2 != nil }

    /// The event that the connection waits for. An HTTP/2 connection with streams always counts as waiting for an
    /// answer.
    var phase: HTTP1Connection.Phase {
        switch http2?.phase {
        case nil: kind == .unknown && !firstBytes.isEmpty ? .head : http1.phase
        case .idle: .idle
        case .active: .answer
        case .closing: .closing
        }
    }

    /// Whether to read more bytes now. HTTP/1.1 does not read while the peer leaves responses unread.
    var wantsBytes: Bool { http2?.wantsBytes ?? (http1.wantsBytes && http1.outputBytes == 0) }
    /// Whether the peer will send no more.
    var inputEnded: Bool { http2?.inputEnded ?? http1.inputEnded }
    /// The number of bytes of requests that have not been passed to a handler.
    var heldBytes: Int { http2?.heldBytes ?? http1.heldBytes }
    /// The number of unsent bytes.
    var outputBytes: Int { http2?.outputBytes ?? http1.outputBytes }
    /// The latest instant at which HTTP/2's ``next(date:now:)`` must be called.
    var nextDeadline: UInt64 { http2?.nextDeadline ?? .max }

    /// Starts the protocol that the TLS handshake selected (RFC 7301); HTTP/1.1 if it selected none.
    mutating func begin(_ applicationProtocol: String?, certificate: ClientCertificate?, now: UInt64) {
        peer.certificate = certificate
        guard applicationProtocol != "h2" else { return beginHTTP2(now: now) }
        kind = .http1
        http1 = HTTP1Connection(
            peer: peer, scheme: scheme, limits: context.configuration.limits,
            refusalResponse: context.refusalResponse)
    }

    /// Adds received bytes.
    mutating func receive(_ bytes: Span<UInt8>, now: UInt64) {
        switch kind {
        case .http1: http1.receive(bytes)
        case .http2: http2?.receive(bytes, now: now)
        case .unknown:
            // A TLS record with a handshake message (RFC 8446 §5.1). No HTTP message begins with this byte.
            if firstBytes.isEmpty, bytes[0] == 22 { context.configuration.reportUnexpectedTLS?(peer) }
            guard !firstBytes.isEmpty || bytes[0] == Self.preface[0] else {
                kind = .http1
                return http1.receive(bytes)
            }
            firstBytes.append(bytes)
            let compared = min(firstBytes.count, Self.preface.count)
            guard firstBytes.withUnsafeBytes({ $0[..<compared].elementsEqual(Self.preface[..<compared]) }) else {
                return beginHTTP1()
            }
            guard compared == Self.preface.count else { return }
            beginHTTP2(now: now)
            firstBytes.withSpan(0..<firstBytes.count) { http2?.receive($0, now: now) }
            firstBytes.removeAll()
        }
    }

    /// Records that the peer will send no more.
    mutating func receiveEnd() {
        beginHTTP1()
        if let http2 { http2.receiveEnd() } else { http1.receiveEnd() }
    }

    /// Advances as far as the bytes, the responses and the time allow.
    mutating func next(date: HTTPDate, now: UInt64) -> Step {
        if let http2 {
            switch http2.next(date: date, now: now) {
            case .handle(let request, let stream): .handle(request, stream: stream)
            case .wait: .wait
            case .close: .close
            }
        } else {
            switch http1.next(date: date) {
            case .handle(let request): .handle(request, stream: 0)
            case .wait: .wait
            case .close: .close
            }
        }
    }

    /// Adds the response to a request in flight; nil for no response.
    mutating func answer(_ response: Response?, stream: Int32, date: HTTPDate) {
        switch (http2, response) {
        case (let http2?, let response?): http2.answer(response, stream: stream, date: date)
        case (let http2?, nil): http2.cut(stream: stream)
        case (nil, let response?): http1.answer(response, date: date)
        case (nil, nil): http1.cut()
        }
    }

    /// Whether the response to a request is a stream that has begun.
    func isStreaming(_ stream: Int32) -> Bool { http2?.isStreaming(stream) ?? http1.isStreaming }

    /// Whether the peer has received all pieces of a stream so far.
    func hasRoom(_ stream: Int32) -> Bool { http2?.hasRoom(stream) ?? (http1.outputBytes == 0) }

    /// Adds a piece of a stream; nil ends it.
    mutating func send(_ piece: [UInt8]?, stream: Int32) {
        switch (http2, piece) {
        case (let http2?, let piece?): http2.send(piece, stream: stream)
        case (let http2?, nil): http2.endStream(stream)
        case (nil, let piece?): http1.send(piece)
        case (nil, nil): http1.endStream()
        }
    }

    /// Sends as much output as the peer receives.
    ///
    /// - Parameter writesLeft: the remaining number of writes in this turn.
    /// - Returns: whether all output is sent.
    mutating func send(over transport: inout Transport, writesLeft: inout Int) throws(Transport.Failure) -> Bool {
        while outputBytes > 0 {
            guard writesLeft > 0 else { return false }
            writesLeft -= 1
            let count: Int
            if let http2 {
                count = try transport.write(http2.output, from: http2.outputStart)
                http2.consumeOutput(count)
            } else {
                count = try transport.write(http1.output, from: http1.outputStart)
                http1.consumeOutput(count)
            }
            guard count > 0 else { return false }
        }
        return try transport.flush()
    }

    /// Records that an HTTP/1.1 peer was too slow.
    mutating func timeOut(date: HTTPDate) {
        beginHTTP1()
        http1.timeOut(date: date)
    }

    /// Refuses a connection because of overload.
    mutating func refuse(retryAfterSeconds: Int, date: HTTPDate) {
        beginHTTP1()
        http1.refuseForOverload(retryAfterSeconds: retryAfterSeconds, date: date)
    }

    /// Ends the connection because too many bytes are held. An HTTP/1.1 connection with a request in flight continues,
    /// because it holds few.
    mutating func shed(retryAfterSeconds: Int, date: HTTPDate) {
        if let http2 {
            http2.shed()
        } else if http1.phase == .head || http1.phase == .content {
            http1.refuseForOverload(retryAfterSeconds: retryAfterSeconds, date: date)
        }
    }

    /// Ends the connection after the requests in flight.
    mutating func stop() {
        if let http2 { http2.stop() } else { http1.stop() }
    }

    /// Releases memory that an idle connection doesn't need.
    mutating func releaseMemory() {
        if http2 == nil { http1.releaseMemory() }
    }

    private mutating func beginHTTP2(now: UInt64) {
        kind = .http2
        http2 = HTTP2Connection(
            peer: peer, scheme: scheme, limits: context.configuration.http2Limits, now: now,
            refusalResponse: context.refusalResponse)
        context.counters.http2Connections.count()
    }

    private mutating func beginHTTP1() {
        guard kind == .unknown else { return }
        kind = .http1
        let bytes = firstBytes
        firstBytes = WipedBuffer()
        if !bytes.isEmpty { bytes.withSpan(0..<bytes.count) { http1.receive($0) } }
    }
}
