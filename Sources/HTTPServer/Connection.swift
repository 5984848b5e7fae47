import HTTP

/// One accepted connection, on its event loop: moves bytes between the socket and ``HTTP1Connection``.
actor Connection {
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.unownedExecutor }

    private enum State { case open, lingering, closed }

    /// What the connection waits for; each has its own deadline.
    private enum Wait { case firstRequest, idle, head, content, answer, output, end }

    /// There were too many connections; this one is only told so.
    nonisolated let isRefused: Bool

    private let loop: EventLoop
    private let context: ServerContext
    /// Nil once closed, also while a request that is under way still holds the connection.
    private var socket: Socket?
    /// What the loop knows the socket by.
    private var token: UInt64 = 0
    private var watchedReadiness = Poller.Readiness.reading
    private var protocolState: HTTP1Connection
    private var state = State.open
    private var isAdvancing = false
    private var isStopping = false
    private var hasHandledRequest = false
    /// Whether the client was sent something that it may still have to read.
    private var hasSent = false

    private var wait = Wait.firstRequest
    private var deadline = UInt64.max
    /// For the content of one request as a whole.
    private var contentDeadline = UInt64.max

    /// Takes ownership of an accepted socket.
    ///
    /// - Parameter isRefused: there are too many connections; the client is only told so.
    init(_ socket: consuming Socket, peer: Peer, isRefused: Bool, loop: EventLoop, context: ServerContext) {
        self.socket = consume socket
        self.isRefused = isRefused
        self.loop = loop
        self.context = context
        protocolState = HTTP1Connection(
            peer: peer, limits: context.configuration.limits, refusalResponse: context.refusalResponse)
    }

    /// Begins to serve.
    func start() {
        guard let descriptor = socket?.descriptor else { return }
        do throws(HTTPServerError) {
            token = try loop.assumeIsolated { $0.add(self, descriptor) }.get()
        } catch {
            // The kernel has no memory for one more socket to watch.
            return close()
        }
        deadline = Monotonic.after(Monotonic.now, seconds: context.configuration.headerTimeoutSeconds)
        if isRefused {
            protocolState.refuseForOverload(retryAfterSeconds: context.configuration.retryAfterSeconds, date: date)
            advance()
        }
    }

    /// Ends the connection when nothing is under way, otherwise after the request under way.
    func stop() {
        guard state == .open, !isStopping else { return }
        isStopping = true
        guard wait == .firstRequest else {
            protocolState.stop()
            // A request may have arrived that its event has not yet told of.
            if wait == .idle { readAvailable() }
            return
        }
        // Its client has just connected and is about to send: it gets a moment, and one answer.
        deadline = min(
            deadline, Monotonic.after(Monotonic.now, seconds: context.configuration.lingerTimeoutSeconds))
    }

    /// Ends what has taken too long.
    func checkDeadline(now: UInt64) {
        guard now >= deadline else { return }
        switch wait {
        case .firstRequest, .idle, .output, .end: close()
        case .answer: break
        case .head, .content:
            protocolState.timeOut(date: date)
            advance()
        }
    }

    /// Cuts the connection and gives its descriptor back.
    func close() {
        guard state != .closed else { return }
        state = .closed
        socket = nil
        context.release(isRefused: isRefused)
        loop.assumeIsolated { [token] in $0.removeConnection(token) }
    }

    /// Goes on with what the socket is ready for.
    func socketIsReady(_ readiness: Poller.Readiness) {
        if readiness.contains(.reading) {
            readAvailable()
        } else if !readiness.isDisjoint(with: .gone) {
            // Reset, or ended by both sides: nobody is left to answer.
            close()
        } else {
            advance()
        }
    }

    private var date: HTTPDate { loop.assumeIsolated { $0.date() } }

    // MARK: Reading

    private static let readBytesMax = 32 * 1024

    private func readAvailable() {
        guard state != .closed else { return }
        withUnsafeTemporaryAllocation(byteCount: Self.readBytesMax, alignment: 1) { buffer in
            // A sender that is faster than we are must not keep the loop to itself.
            for _ in 0..<8 {
                guard let count = read(into: buffer) else { return }
                if count < buffer.count { break }
            }
        }
        if state == .open { advance() }
    }

    /// Reads once. Nil: there is nothing more to do with what has been read.
    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        do throws(HTTPServerError) {
            switch try socket?.read(into: buffer) {
            case .bytes(let count):
                guard state == .open else { return count }
                protocolState.receive(
                    UnsafeRawBufferPointer(rebasing: buffer[..<count]).bindMemory(to: UInt8.self).span)
                if wait == .content { deadline = contentDeadlines(now: Monotonic.now) }
                return protocolState.wantsBytes ? count : 0
            case .endOfStream:
                guard state == .open else {
                    close()
                    return nil
                }
                protocolState.receiveEnd()
                return 0
            case .wouldBlock:
                return 0
            case nil:
                return nil
            }
        } catch {
            // The client has reset the connection, so nobody is left to answer.
            close()
            return nil
        }
    }

    // MARK: Requests

    /// Handles what has arrived and sends what is to be sent, as far as possible now.
    private func advance() {
        guard state == .open, !isAdvancing else { return }
        isAdvancing = true
        defer { isAdvancing = false }
        let date = date
        while state == .open {
            switch protocolState.next(date: date) {
            case .handle(let request):
                handle(request, date: date)
            case .wait:
                let hadOutput = protocolState.outputBytes > 0
                let isDrained = flush()
                // With room for output again, pipelined requests can go on.
                if hadOutput, isDrained, protocolState.phase != .answer, protocolState.phase != .idle { continue }
                updateWait()
                return
            case .close:
                guard flush() else { return updateWait() }
                finish()
            }
        }
    }

    private func handle(_ request: Request, date: HTTPDate) {
        wait = .answer
        deadline = .max
        hasHandledRequest = true
        if isStopping { protocolState.stop() }
        switch context.handler(request) {
        case .now(let response):
            protocolState.answer(response, date: date)
        case .later(let operation):
            Task.immediate {
                let response = await operation()
                self.answer(response)
            }
        case .laterOrCut(let operation):
            Task.immediate {
                let response = await operation()
                self.answer(response)
            }
        }
    }

    /// Sends the response to the request under way, or without one ends the connection.
    private func answer(_ response: Response?) {
        guard state == .open else { return }
        if let response { protocolState.answer(response, date: date) } else { protocolState.cut() }
        advance()
    }

    // MARK: Writing

    /// Sends what there is. False: the client has to take some of it first, or is gone.
    private func flush() -> Bool {
        while protocolState.outputBytes > 0 {
            do throws(HTTPServerError) {
                switch try socket?.write(protocolState.output, from: protocolState.outputStart) {
                case .bytes(let count):
                    hasSent = true
                    protocolState.consumeOutput(count)
                case .wouldBlock, nil:
                    return false
                case .endOfStream:
                    preconditionFailure("send never returns 0 for a buffer that is not empty")
                }
            } catch {
                close()
                return false
            }
        }
        return true
    }

    /// Everything is sent and nothing more will be.
    private func finish() {
        guard !protocolState.inputEnded, hasSent else { return close() }
        // RFC 9112 §9.6: closing now could reset the connection before the client has read the response.
        state = .lingering
        socket?.shutdownWriting()
        updateWait()
    }

    // MARK: Waiting

    /// Sets the deadline of what is waited for now, if that has changed, and reads or stops reading.
    private func updateWait() {
        guard state != .closed else { return }
        let next = nextWait
        if next == .idle { hasSent = false }
        if next != wait {
            wait = next
            let now = Monotonic.now
            deadline =
                switch next {
                case .firstRequest, .head:
                    Monotonic.after(now, seconds: context.configuration.headerTimeoutSeconds)
                case .idle: Monotonic.after(now, seconds: context.configuration.idleTimeoutSeconds)
                case .content: beginContentDeadlines(now: now)
                case .answer: .max
                case .output: Monotonic.after(now, seconds: context.configuration.writeTimeoutSeconds)
                case .end: Monotonic.after(now, seconds: context.configuration.lingerTimeoutSeconds)
                }
        }
        watch()
    }

    private var nextWait: Wait {
        if state == .lingering { return .end }
        if protocolState.outputBytes > 0 { return .output }
        switch protocolState.phase {
        case .idle: return hasHandledRequest ? .idle : .firstRequest
        case .head: return .head
        case .content: return .content
        case .answer: return .answer
        case .closing: return .end
        }
    }

    private func beginContentDeadlines(now: UInt64) -> UInt64 {
        contentDeadline = Monotonic.after(now, seconds: context.configuration.bodyTimeoutSeconds)
        return contentDeadlines(now: now)
    }

    private func contentDeadlines(now: UInt64) -> UInt64 {
        min(contentDeadline, Monotonic.after(now, seconds: context.configuration.bodyStallTimeoutSeconds))
    }

    /// Waits for room to send, otherwise for bytes if they are wanted.
    private func watch() {
        let readiness: Poller.Readiness =
            if state == .lingering {
                .reading
            } else if protocolState.outputBytes > 0 {
                .writing
            } else {
                protocolState.wantsBytes ? .reading : []
            }
        guard readiness != watchedReadiness, let descriptor = socket?.descriptor else { return }
        watchedReadiness = readiness
        loop.assumeIsolated { [token] in $0.watch(token, descriptor, for: readiness) }
    }
}
