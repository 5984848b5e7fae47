import HTTP

// The waiting states of a connection, and their deadlines.
extension Connection {
    /// Whether closing the connection now would lose a request or a response.
    var isUnderWay: Bool {
        switch deadlines.wait {
        case .head, .content, .answer, .output: true
        case .http2: exchange.phase != .closing
        case .handshake, .firstRequest, .idle, .end: false
        }
    }

    /// Ends the connection at once if no request is in flight, otherwise after the responses.
    ///
    /// - Parameter hasGrace: whether an idle HTTP/1.1 connection continues to wait for a request until
    ///   ``endGrace(on:)``. An HTTP/2 client is notified at once.
    func stop(on loop: isolated EventLoop, hasGrace: Bool) {
        guard state == .open, !isStopping else { return }
        isStopping = true
        switch deadlines.wait {
        case .firstRequest, .handshake:
            // The client has just connected and is about to send, so it gets a short time, and one response.
            limitToMoment(on: loop)
        case .idle where hasGrace && !exchange.isHTTP2: break
        case .idle, .head, .content, .answer, .output, .http2, .end: stopExchange(on: loop)
        }
    }

    /// Ends a connection that has been idle since the server was told to stop.
    func endGrace(on loop: isolated EventLoop) {
        if state == .open, isStopping, deadlines.wait == .idle { stopExchange(on: loop) }
    }

    private func stopExchange(on loop: isolated EventLoop) {
        exchange.stop()
        cancelStreams()
        // A request may have arrived for which the event has not been received yet.
        transport.socketIsReadable()
        takeTurn(on: loop)
    }

    /// Checks the deadlines, and ends what has exceeded them.
    func checkDeadline(on loop: isolated EventLoop) {
        if deadlines.wait == .idle {
            sweepCount += 1
            // Idle connections release their memory at the second check: an active client would soon need it again.
            if sweepCount == 2 { exchange.releaseMemory() }
        }
        if !isStopping, deadlines.wait == .idle, hasExpiredCertificate { return stop(on: loop, hasGrace: false) }
        if loop.now >= exchange.nextDeadline { takeTurn(on: loop) }
        guard loop.now >= deadlines.instant else { return }
        switch deadlines.wait {
        case .idle:
            let hasTakenAnswer = !transport.hasUnacknowledgedBytes()
            let mayStay = deadlines.extendIdle(
                hasTakenAnswer: hasTakenAnswer, isHTTP2: exchange.isHTTP2, timeouts: context.timeouts)
            if !mayStay { close(on: loop, isReset: !hasTakenAnswer) }
        case .handshake, .firstRequest: close(on: loop)
        case .output: close(on: loop, isReset: true)
        case .end:
            // Checked every time: a slow client may read its response at any time.
            let hasTakenAnswer = !transport.hasUnacknowledgedBytes()
            if hasTakenAnswer || loop.now >= deadlines.endInstant { close(on: loop, isReset: !hasTakenAnswer) }
        case .answer, .http2:
            break
        case .head, .content:
            deadlines.expire()
            exchange.timeOut(date: loop.date())
            takeTurn(on: loop)
        }
    }

    /// Updates the deadline, and the events for which the socket is watched.
    func updateWait(on loop: isolated EventLoop) {
        guard state != .closed else { return }
        let next = nextWait
        if next == .idle { hasSent = false }
        deadlines.wait(
            for: next, now: loop.now, bytesSent: transport.bytesSent, bytesWaiting: exchange.outputBytes,
            timeouts: context.timeouts)
        // While stopping, a newly connected client gets less time to send its first request.
        if isStopping, next == .firstRequest { limitToMoment(on: loop) }
        var readiness: Poller.Readiness = []
        if wantsBytes { readiness.insert(.reading) }
        if isSending { readiness.insert(.writing) }
        guard readiness != watchedReadiness else { return }
        watchedReadiness = readiness
        loop.watch(token, transport.descriptor, for: readiness)
    }

    private func limitToMoment(on loop: isolated EventLoop) {
        deadlines.limit(to: Monotonic.after(loop.now, context.timeouts.linger))
    }

    /// Whether the client must read before more can be sent.
    private var isSending: Bool { state == .open && (exchange.outputBytes > 0 || transport.isBlocked) }

    private var nextWait: Deadlines.Wait {
        if state == .lingering { return .end }
        if isSending { return .output }
        if transport.isInHandshake { return .handshake }
        if exchange.isHTTP2 { return exchange.phase == .idle ? .idle : .http2 }
        switch exchange.phase {
        case .idle: return hasHandledRequest ? .idle : .firstRequest
        case .head: return .head
        case .content: return .content
        case .answer: return .answer
        case .closing: return .end
        }
    }
}
