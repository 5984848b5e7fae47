import HTTP

/// One accepted connection: moves bytes between its transport and its protocol, and has its requests answered.
///
/// It belongs to its event loop, in whose isolation alone it is used; so an event enters the loop once, whatever it
/// leads to.
final class Connection {
    private enum State { case open, lingering, closed }

    /// What one turn may still do. A connection that has more to do waits for its next turn behind all others.
    private struct Turn {
        var bytesLeft = 64 * 1024
        var requestsLeft = 32
    }

    /// What the loop knows the connection by.
    var token: UInt64 = 0

    private let context: ServerContext
    /// Nil once closed, also while a request that is under way still holds the connection.
    private var place: ConnectionPlace?
    private var transport: Transport
    private var exchange: ServerProtocol
    private var deadlines: Deadlines
    private var state = State.open
    private var watchedReadiness = Poller.Readiness.reading
    private var isInTurn = false
    private var isStopping = false
    private var hasHandledRequest = false
    /// Whether the client was sent something that it may still have to read.
    private var hasSent = false
    /// When the first byte of the request was read that is arriving.
    private var arrival: UInt64 = 0
    /// When bytes were last read.
    private var lastRead: UInt64 = 0
    /// How often the loop has looked at its deadlines since a request was handled.
    private var sweepCount = 0

    /// Takes ownership of an accepted socket.
    init(_ socket: consuming Socket, peer: Peer, place: ConnectionPlace, now: UInt64, context: ServerContext) {
        self.context = context
        self.place = place
        transport = Transport(socket)
        exchange = ServerProtocol(peer: peer, scheme: "http", context: context)
        deadlines = Deadlines(isEncrypted: false, now: now, timeouts: context.timeouts)
    }

    /// Tells the client that there are too many connections.
    func refuse(on loop: isolated EventLoop) {
        exchange.refuse(retryAfterSeconds: context.configuration.retryAfterSeconds, date: loop.date())
        takeTurn(on: loop)
    }

    /// Goes on with what the socket is ready for.
    func socketIsReady(_ readiness: Poller.Readiness, on loop: isolated EventLoop) {
        if readiness.contains(.reading) {
            transport.socketIsReadable()
            takeTurn(on: loop)
        } else if !readiness.isDisjoint(with: .gone) {
            // Reset, or ended by both sides: nobody is left to answer.
            close(on: loop)
        } else {
            takeTurn(on: loop)
        }
    }

    /// Sends the response to a request under way, or without one ends the connection.
    func answer(_ response: Response?, stream: Int32, on loop: isolated EventLoop) {
        guard state == .open else { return }
        exchange.answer(response, stream: stream, date: loop.date())
        takeTurn(on: loop)
    }

    /// Cuts the connection and gives its descriptor back.
    func close(on loop: isolated EventLoop) {
        guard state != .closed else { return }
        state = .closed
        transport.close()
        place = nil
        loop.remove(token)
    }

    // MARK: Turns

    /// Reads, handles and sends what can be now, within bounds.
    func takeTurn(on loop: isolated EventLoop) {
        guard !isInTurn else { return }
        isInTurn = true
        defer { isInTurn = false }
        var turn = Turn()
        do throws(HTTPServerError) {
            repeat {
                guard try receive(in: &turn, on: loop) else { return close(on: loop) }
            } while try serve(in: &turn, on: loop)
        } catch {
            // The client has reset the connection, so nobody is left to answer.
            return close(on: loop)
        }
        updateWait(on: loop)
    }

    /// Reads once, if there is something. False: the client has ended what was only waited for to end.
    private func receive(in turn: inout Turn, on loop: isolated EventLoop) throws(HTTPServerError) -> Bool {
        guard transport.mayHaveBytes, state == .lingering || exchange.wantsBytes else { return true }
        let memory = loop.receiveMemory
        switch try transport.read(into: memory) {
        case .bytes(let count):
            turn.bytesLeft -= count
            guard state == .open else { return true }
            lastRead = loop.now
            if exchange.phase == .idle {
                arrival = lastRead
                if hasHandledRequest { deadlines.requestBegins(now: lastRead, timeouts: context.timeouts) }
            }
            exchange.receive(UnsafeRawBufferPointer(rebasing: memory[..<count]).bindMemory(to: UInt8.self).span)
            deadlines.contentArrives(now: lastRead, timeouts: context.timeouts)
        case .endOfStream:
            guard state == .open else { return false }
            exchange.receiveEnd()
        case .wouldBlock:
            break
        }
        return true
    }

    /// Has requests handled and their answers sent, as far as possible now.
    ///
    /// - Returns: whether the turn goes on with reading.
    private func serve(in turn: inout Turn, on loop: isolated EventLoop) throws(HTTPServerError) -> Bool {
        while state == .open {
            guard turn.requestsLeft > 0 else {
                loop.deferTurn(of: token)
                _ = try send()
                return false
            }
            switch exchange.next(date: loop.date()) {
            case .handle(let request, let stream):
                turn.requestsLeft -= 1
                handle(request, stream: stream, on: loop)
            case .wait:
                let hadOutput = exchange.outputBytes > 0
                let isDrained = try send()
                // With room for output again, pipelined requests can go on.
                if hadOutput, isDrained, exchange.phase != .answer, exchange.phase != .idle { continue }
                return mayReadOn(in: turn, on: loop)
            case .close:
                if try send() { finish(on: loop) }
                return false
            }
        }
        return state == .lingering && mayReadOn(in: turn, on: loop)
    }

    private func mayReadOn(in turn: Turn, on loop: isolated EventLoop) -> Bool {
        guard transport.mayHaveBytes, state == .lingering || exchange.wantsBytes else { return false }
        if turn.bytesLeft <= 0 { loop.deferTurn(of: token) }
        return turn.bytesLeft > 0
    }

    private func handle(_ request: Request, stream: Int32, on loop: isolated EventLoop) {
        var request = request
        if request.arrival == nil { request.arrival = arrival }
        // What has arrived behind it did so no later than this.
        arrival = lastRead
        deadlines.requestBegins(now: lastRead, timeouts: context.timeouts)
        deadlines.answers()
        hasHandledRequest = true
        sweepCount = 0
        if isStopping { exchange.stop() }
        guard !context.isOverloaded else {
            context.counters.requestsRefused.count()
            return exchange.answer(context.overloadResponse(), stream: stream, date: loop.date())
        }
        switch context.handler(request) {
        case .now(let response): exchange.answer(response, stream: stream, date: loop.date())
        case .later(let operation): loop.perform(operation, for: token, stream: stream)
        case .laterOrCut(let operation): loop.performOrCut(operation, for: token, stream: stream)
        }
    }

    /// Sends what there is. False: the client has to take some of it first.
    private func send() throws(HTTPServerError) -> Bool {
        guard exchange.outputBytes > 0 else { return true }
        hasSent = true
        return try exchange.send(over: &transport)
    }

    /// Everything is sent and nothing more will be.
    private func finish(on loop: isolated EventLoop) {
        guard !exchange.inputEnded, hasSent else { return close(on: loop) }
        // RFC 9112 §9.6: closing now could reset the connection before the client has read the response.
        state = .lingering
        transport.finishWriting()
    }
}

// MARK: - Waiting

extension Connection {
    /// Whether something would be lost if the connection were cut.
    var isUnderWay: Bool {
        switch deadlines.wait {
        case .head, .content, .answer, .output: true
        case .handshake, .firstRequest, .idle, .end: false
        }
    }

    /// Ends the connection when nothing is under way, otherwise after the requests under way.
    func stop(on loop: isolated EventLoop) {
        guard state == .open, !isStopping else { return }
        isStopping = true
        guard deadlines.wait == .firstRequest else {
            exchange.stop()
            // A request may have arrived that its event has not yet told of.
            transport.socketIsReadable()
            return takeTurn(on: loop)
        }
        // Its client has just connected and is about to send: it gets a moment, and one answer.
        deadlines.limit(to: Monotonic.after(loop.now, context.timeouts.linger))
    }

    /// Ends what has taken too long.
    func checkDeadline(on loop: isolated EventLoop) {
        if deadlines.wait == .idle {
            sweepCount += 1
            // Memory that the next request would use again, if there is one soon.
            if sweepCount == 2 { exchange.releaseMemory() }
        }
        guard loop.now >= deadlines.instant else { return }
        switch deadlines.wait {
        case .idle:
            let hasTakenAnswer = !transport.hasUnacknowledgedBytes()
            guard !deadlines.extendIdle(hasTakenAnswer: hasTakenAnswer, timeouts: context.timeouts) else { return }
            close(on: loop)
        case .handshake, .firstRequest, .output, .end:
            close(on: loop)
        case .answer:
            break
        case .head, .content:
            deadlines.expire()
            exchange.timeOut(date: loop.date())
            takeTurn(on: loop)
        }
    }

    /// Sets the deadline of what is waited for now, if that has changed, and watches the socket for it.
    private func updateWait(on loop: isolated EventLoop) {
        guard state != .closed else { return }
        let next = nextWait
        if next == .idle { hasSent = false }
        deadlines.wait(
            for: next, now: loop.now, bytesSent: transport.bytesSent, bytesWaiting: exchange.outputBytes,
            timeouts: context.timeouts)
        var readiness: Poller.Readiness = []
        if state == .lingering || exchange.wantsBytes { readiness.insert(.reading) }
        if exchange.outputBytes > 0 { readiness.insert(.writing) }
        guard readiness != watchedReadiness else { return }
        watchedReadiness = readiness
        loop.watch(token, transport.descriptor, for: readiness)
    }

    private var nextWait: Deadlines.Wait {
        if state == .lingering { return .end }
        if exchange.outputBytes > 0 { return .output }
        switch exchange.phase {
        case .idle: return hasHandledRequest ? .idle : .firstRequest
        case .head: return .head
        case .content: return .content
        case .answer: return .answer
        case .closing: return .end
        }
    }
}
