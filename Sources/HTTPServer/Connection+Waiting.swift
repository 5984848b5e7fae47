import HTTP

// What a connection waits for.
extension Connection {
    /// Whether something would be lost if the connection were cut.
    var isUnderWay: Bool {
        switch deadlines.wait {
        case .head, .content, .answer, .output: true
        case .http2: exchange.phase != .closing
        case .handshake, .firstRequest, .idle, .end: false
        }
    }

    /// Ends the connection when nothing is in flight, otherwise after the requests in flight.
    ///
    /// - Parameter hasGrace: whether one that waits for a request goes on to, until ``endGrace(on:)``. Of HTTP/2 it tells the
    ///   client at once, and waits as that demands.
    func stop(on loop: isolated EventLoop, hasGrace: Bool) {
        guard state == .open, !isStopping else { return }
        isStopping = true
        switch deadlines.wait {
        case .firstRequest, .handshake:
            // Its client has just connected and is about to send: it gets a moment, and one answer.
            limitToMoment(on: loop)
        case .idle where hasGrace && !exchange.isHTTP2: break
        case .idle, .head, .content, .answer, .output, .http2, .end: stopExchange(on: loop)
        }
    }

    /// Ends a connection that has waited for one more request since the server was told to stop.
    func endGrace(on loop: isolated EventLoop) {
        if state == .open, isStopping, deadlines.wait == .idle { stopExchange(on: loop) }
    }

    private func stopExchange(on loop: isolated EventLoop) {
        exchange.stop()
        // A request may have arrived whose event is still to come.
        transport.socketIsReadable()
        takeTurn(on: loop)
    }

    /// Ends what has taken too long.
    func checkDeadline(on loop: isolated EventLoop) {
        if deadlines.wait == .idle {
            sweepCount += 1
            // Memory that the next request would use again, if there is one soon.
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
            // Asked at every check: a late client may read what it was sent at any time.
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

    /// Sets the deadline of what is waited for, if that has changed, and watches the socket for it.
    func updateWait(on loop: isolated EventLoop) {
        guard state != .closed else { return }
        let next = nextWait
        if next == .idle { hasSent = false }
        deadlines.wait(
            for: next, now: loop.now, bytesSent: transport.bytesSent, bytesWaiting: exchange.outputBytes,
            timeouts: context.timeouts)
        // Once stopped, a client that has just connected is not waited for as long as another.
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

    /// Whether the client has to take something before more can be sent.
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
