import HTTP
import HTTPTypes
import OpenSSL

/// One accepted connection: moves bytes between its transport and its protocol, and has its requests handled.
///
/// It belongs to its event loop and is used only in the loop's isolation, so that processing an event enters the loop
/// only once.
final class Connection {
    enum State { case open, lingering, closed }

    /// The remaining budget of one turn. A connection with more to do waits for its next turn after all others.
    private struct Turn {
        /// The value of ``Transport/bytesReceived`` at which reading stops.
        let bytesEnd: UInt64
        var requestsLeft = 32
        var writesLeft = 16
    }

    /// The connection's token in its event loop.
    var token: UInt64 = 0

    let context: ServerContext
    /// Nil once the connection is closed, even if a request in flight still retains the connection.
    private var place: ConnectionPlace?
    var transport: Transport
    var exchange: ServerProtocol
    var deadlines: Deadlines
    var state = State.open
    var watchedReadiness = Poller.Readiness.reading
    /// The client's certificate, if the client authenticated itself with one.
    private var certificate: ClientCertificate?
    private var isInTurn = false
    var isStopping = false
    var hasHandledRequest = false
    /// Whether the client may still have to read bytes that were sent.
    var hasSent = false
    /// The instant at which the first byte of the arriving request was read.
    private var arrival: UInt64 = 0
    /// The instant at which bytes were last read.
    private var lastRead: UInt64 = 0
    /// The number of bytes of this connection in the server's total of held bytes.
    private var heldBytes = 0
    /// The streams that are being sent, by the request's stream.
    private var streams: [Int32: StreamInFlight] = [:]
    /// The number of deadline checks since a request was last handled.
    var sweepCount = 0

    /// Takes ownership of an accepted socket.
    ///
    /// - Parameter tls: the TLS context; nil for an unencrypted connection.
    init(
        _ socket: consuming Socket, tls: TLSContext?, peer: Peer, place: ConnectionPlace, now: UInt64,
        context: ServerContext
    ) {
        self.context = context
        self.place = place
        transport = Transport(socket, tls: tls)
        exchange = ServerProtocol(peer: peer, scheme: tls == nil ? "http" : "https", context: context)
        deadlines = Deadlines(isEncrypted: tls != nil, now: now, timeouts: context.timeouts)
    }

    /// Refuses the connection because there are too many.
    func refuse(on loop: isolated EventLoop) {
        exchange.refuse(retryAfterSeconds: context.configuration.retryAfterSeconds, date: loop.date())
        takeTurn(on: loop)
    }

    /// Continues with the actions for which the socket is ready.
    func socketIsReady(_ readiness: Poller.Readiness, on loop: isolated EventLoop) {
        if readiness.contains(.reading) {
            transport.socketIsReadable()
            takeTurn(on: loop)
        } else if !readiness.isDisjoint(with: .gone) {
            // The connection was reset, or ended by both sides, so no response can be sent.
            close(on: loop)
        } else {
            takeTurn(on: loop)
        }
    }

    /// Sends the response to a request in flight; ends the connection if the response is nil.
    func answer(_ response: Response?, stream: Int32, on loop: isolated EventLoop) {
        guard state == .open else {
            response?.stream?.cancel()
            return
        }
        respond(response, stream: stream, on: loop)
        takeTurn(on: loop)
    }

    private func respond(_ response: Response?, stream: Int32, on loop: isolated EventLoop) {
        exchange.answer(response, stream: stream, date: loop.date())
        guard let source = response?.stream else { return }
        // For HEAD there is no content, and the client may be gone.
        guard exchange.isStreaming(stream) else { return source.cancel() }
        streams[stream] = StreamInFlight(source)
        if isStopping { source.cancel() }
        loop.send(source, for: token, stream: stream)
    }

    /// Adds a piece of a stream; nil ends it.
    ///
    /// - Parameter continuation: resumed once the client has received the piece, with whether the stream goes on.
    func send(
        _ piece: [UInt8]?, stream: Int32, resuming continuation: CheckedContinuation<Bool, Never>?,
        on loop: isolated EventLoop
    ) {
        guard state == .open, streams[stream] != nil, exchange.isStreaming(stream) else {
            streams[stream] = nil
            continuation?.resume(returning: false)
            return
        }
        exchange.send(piece, stream: stream)
        if piece == nil { streams[stream] = nil } else { streams[stream]?.continuation = continuation }
        takeTurn(on: loop)
    }

    /// Lets the streams go on whose pieces the client has received, and ends those whose client is gone.
    private func resumeStreams() {
        for (id, stream) in streams {
            if state != .open || !exchange.isStreaming(id) {
                streams[id] = nil
                stream.source.cancel()
                stream.continuation?.resume(returning: false)
            } else if exchange.hasRoom(id), let continuation = stream.continuation {
                streams[id]?.continuation = nil
                continuation.resume(returning: true)
            }
        }
    }

    /// Asks the streams to end.
    func cancelStreams() { for stream in streams.values { stream.source.cancel() } }

    /// Closes the connection and its descriptor at once.
    ///
    /// - Parameter isReset: whether bytes that the client has not received are dropped.
    func close(on loop: isolated EventLoop, isReset: Bool = false) {
        guard state != .closed else { return }
        if transport.isInHandshake { context.counters.handshakesFailed.count() }
        state = .closed
        noteHeld(0)
        transport.close(isReset: isReset)
        place = nil
        loop.remove(token)
        resumeStreams()
    }

    // MARK: Turns

    /// Reads, handles and sends as much as possible now, within limits.
    func takeTurn(on loop: isolated EventLoop) {
        guard !isInTurn else { return }
        isInTurn = true
        defer { isInTurn = false }
        var turn = Turn(bytesEnd: transport.bytesReceived + 64 * 1024)
        do throws(Transport.Failure) {
            repeat {
                guard try receive(on: loop) else { return close(on: loop) }
            } while try serve(in: &turn, on: loop)
        } catch {
            switch error {
            // The peer has gone, so no response can be sent.
            case .reset: return close(on: loop)
            case .plaintext:
                transport.sendWithoutTLS(context.plaintextResponse(date: loop.date()))
                linger()
            // The alert that was sent to the peer must not be lost to a reset.
            case .encryption: linger()
            }
        }
        if state != .closed { noteHeld(exchange.heldBytes) }
        if !streams.isEmpty { resumeStreams() }
        updateWait(on: loop)
    }

    /// Updates the server's total of held bytes; less than 16 KiB counts as none. Returns false if an increase exceeds
    /// the total's limit.
    @discardableResult
    private func noteHeld(_ bytes: Int) -> Bool {
        let bytes = bytes < 16 * 1024 ? 0 : bytes
        guard bytes != heldBytes else { return true }
        defer { heldBytes = bytes }
        return context.hold(bytes, insteadOf: heldBytes) || bytes < heldBytes
    }

    var wantsBytes: Bool { state == .lingering || (exchange.wantsBytes && !transport.isBlocked) }

    /// Reads once, if bytes may be available. Returns false if the client ended a connection that was only waiting for
    /// that.
    private func receive(on loop: isolated EventLoop) throws(Transport.Failure) -> Bool {
        guard transport.mayHaveBytes, wantsBytes else { return true }
        let memory = loop.receiveMemory
        guard state == .open else {
            let arrival = try transport.discard(into: memory)
            loop.wipeReceived(arrival)
            return arrival != .endOfStream
        }
        let wasInHandshake = transport.isInHandshake
        let arrival = try transport.read(into: memory, ciphertext: loop.ciphertextMemory)
        if wasInHandshake, !transport.isInHandshake { establish(on: loop) }
        switch arrival {
        case .bytes(let count):
            noteArrival(now: loop.now)
            exchange.receive(
                UnsafeRawBufferPointer(rebasing: memory[..<count]).bindMemory(to: UInt8.self).span, now: loop.now)
            loop.wipeReceived(arrival)
            deadlines.contentArrives(now: loop.now, timeouts: context.timeouts)
            if !noteHeld(exchange.heldBytes) {
                context.counters.requestsRefused.count()
                exchange.shed(retryAfterSeconds: context.configuration.retryAfterSeconds, date: loop.date())
            }
            if isStopping, exchange.isHTTP2 { exchange.stop() }
        case .endOfStream:
            // A peer that disconnects during the handshake gets no response.
            guard !transport.isInHandshake else { return false }
            // A client that follows a stream has no other way to end it over HTTP/1.1.
            guard streams.isEmpty else { return false }
            exchange.receiveEnd()
        case .wouldBlock:
            break
        }
        return true
    }

    private func noteArrival(now: UInt64) {
        lastRead = now
        guard exchange.phase == .idle else { return }
        arrival = now
        if hasHandledRequest { deadlines.requestBegins(now: now, timeouts: context.timeouts) }
    }

    /// Starts the application protocol that the TLS handshake selected.
    private func establish(on loop: isolated EventLoop) {
        let (applicationProtocol, certificate) = transport.agreement()
        self.certificate = certificate
        exchange.begin(applicationProtocol, certificate: certificate, now: loop.now)
        if isStopping, exchange.isHTTP2 { exchange.stop() }
    }

    /// Has requests handled and their responses sent, as far as possible now.
    ///
    /// - Returns: whether to continue the turn with reading.
    private func serve(in turn: inout Turn, on loop: isolated EventLoop) throws(Transport.Failure) -> Bool {
        while state == .open {
            guard turn.requestsLeft > 0 else {
                loop.deferTurn(of: token)
                _ = try send(in: &turn)
                return false
            }
            switch exchange.next(date: loop.date(), now: loop.now) {
            case .handle(let request, let stream):
                turn.requestsLeft -= 1
                handle(request, stream: stream, on: loop)
            case .wait:
                let hadOutput = exchange.outputBytes > 0
                let isDrained = try send(in: &turn)
                // Sending has freed output space, so pipelined requests and other streams may continue.
                if hadOutput, isDrained, exchange.isHTTP2 || (exchange.phase != .answer && exchange.phase != .idle) {
                    continue
                }
                return mayReadOn(in: turn, on: loop)
            case .close:
                if try send(in: &turn) { finish(on: loop) }
                return false
            }
        }
        return state == .lingering && mayReadOn(in: turn, on: loop)
    }

    private func mayReadOn(in turn: Turn, on loop: isolated EventLoop) -> Bool {
        guard transport.mayHaveBytes, wantsBytes else { return false }
        guard transport.bytesReceived < turn.bytesEnd else {
            loop.deferTurn(of: token)
            return false
        }
        return true
    }

    /// Whether the client's certificate has expired since the client connected.
    var hasExpiredCertificate: Bool {
        certificate.map { context.certificateSeconds() > $0.notAfterSecondsSinceEpoch } ?? false
    }

    private func handle(_ request: Request, stream: Int32, on loop: isolated EventLoop) {
        var request = request
        if request.arrival == nil { request.arrival = arrival }
        // The bytes of the next request arrived at this instant or earlier.
        arrival = lastRead
        deadlines.requestBegins(now: lastRead, timeouts: context.timeouts)
        deadlines.answers()
        hasHandledRequest = true
        sweepCount = 0
        if exchange.isHTTP2 { context.counters.streams.count() } else if isStopping { exchange.stop() }
        guard !context.isOverloaded else {
            context.counters.requestsRefused.count()
            return exchange.answer(
                context.overloadResponse(to: request.head.path), stream: stream, date: loop.date())
        }
        guard !hasExpiredCertificate else {
            return exchange.answer(context.expiryResponse(to: request), stream: stream, date: loop.date())
        }
        if let response = context.ownResponse(to: request) {
            return exchange.answer(response, stream: stream, date: loop.date())
        }
        switch context.handler(request) {
        case .now(let response): respond(response, stream: stream, on: loop)
        case .later(let operation): loop.perform(operation, for: token, stream: stream)
        case .laterOrCut(let operation): loop.perform(operation, for: token, stream: stream)
        }
    }

    /// Sends the output. Returns false if the client must first read some of it.
    private func send(in turn: inout Turn) throws(Transport.Failure) -> Bool {
        if exchange.outputBytes > 0 { hasSent = true }
        return try exchange.send(over: &transport, writesLeft: &turn.writesLeft)
    }

    /// Closes the connection once all output has been sent.
    private func finish(on loop: isolated EventLoop) {
        guard !exchange.inputEnded, hasSent else { return close(on: loop) }
        linger()
    }

    /// RFC 9112 §9.6: closing at once could reset the connection before the client has read the response.
    private func linger() {
        guard state == .open else { return }
        state = .lingering
        transport.finishWriting()
    }
}

/// A response that is produced while it is sent.
private struct StreamInFlight {
    let source: any ResponseStream
    /// Waits until the client has received the last piece.
    var continuation: CheckedContinuation<Bool, Never>?

    init(_ source: any ResponseStream) { self.source = source }
}
