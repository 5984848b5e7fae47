/// The event that one connection waits for, and its deadline.
struct Deadlines {
    /// The event; each has its own deadline.
    enum Wait {
        /// The end of the TLS handshake.
        case handshake
        /// A first request, of which no byte has arrived.
        case firstRequest
        /// Another request, of which no byte has arrived.
        case idle
        /// The rest of a header section.
        case head
        /// The rest of a request's content.
        case content
        /// The response to a request.
        case answer
        /// The peer receives the output.
        case output
        /// Any event while HTTP/2 has streams; HTTP/2 keeps its own deadlines.
        case http2
        /// The peer closes its side.
        case end
    }

    /// The event that the connection waits for.
    private(set) var wait: Wait
    /// The deadline of that event.
    private(set) var instant: UInt64

    /// The deadline of the whole request that is arriving.
    private var requestInstant: UInt64
    /// The deadline of the request's content.
    private var contentInstant = UInt64.max
    /// The value of `bytesSent` that must be reached by ``instant``.
    private var bytesDue: UInt64 = 0
    /// The deadline by which a peer must have received the output after the server ended the connection.
    private(set) var endInstant = UInt64.max
    /// Whether an idle peer needs no further check that it has received its last response.
    private var isFree = false
    /// Whether the peer has been too slow once; it then has only a short time to read the response that reports it.
    private var isTooSlow = false

    /// Creates the deadlines of a newly accepted connection.
    ///
    /// - Parameter isEncrypted: whether the connection begins with a TLS handshake.
    init(isEncrypted: Bool, now: UInt64, timeouts: Timeouts) {
        wait = isEncrypted ? .handshake : .firstRequest
        instant = Monotonic.after(now, isEncrypted ? timeouts.handshake : timeouts.header)
        requestInstant = Monotonic.after(now, timeouts.request)
    }

    /// Sets the event that the connection waits for. Has no effect if it is the same event.
    ///
    /// - Parameters:
    ///   - bytesSent: the number of bytes sent since the connection was accepted.
    ///   - bytesWaiting: the number of bytes still to be sent.
    mutating func wait(for next: Wait, now: UInt64, bytesSent: UInt64, bytesWaiting: Int, timeouts: Timeouts) {
        if next == wait {
            // A new deadline starts once the bytes due by the previous one were sent. A slow peer has not received them
            // in time.
            guard next == .output, bytesSent >= bytesDue, bytesWaiting > 0 else { return }
        }
        wait = next
        switch next {
        case .handshake: instant = Monotonic.after(now, timeouts.handshake)
        case .firstRequest: instant = min(requestInstant, Monotonic.after(now, timeouts.header))
        case .idle:
            isFree = timeouts.write >= timeouts.idle
            instant = Monotonic.after(now, min(timeouts.write, timeouts.idle))
        case .head: instant = min(requestInstant, Monotonic.after(now, timeouts.header))
        case .content:
            contentInstant = min(requestInstant, Monotonic.after(now, timeouts.body))
            contentArrives(now: now, timeouts: timeouts)
        case .answer, .http2: instant = .max
        case .output:
            bytesDue = bytesSent &+ UInt64(bytesWaiting)
            instant = Monotonic.after(now, isTooSlow ? timeouts.linger : timeouts.write)
        case .end:
            instant = Monotonic.after(now, timeouts.linger)
            endInstant = Monotonic.after(now, max(timeouts.linger, timeouts.write))
        }
    }

    /// Records the first byte of a request other than the connection's first.
    mutating func requestBegins(now: UInt64, timeouts: Timeouts) {
        requestInstant = Monotonic.after(now, timeouts.request)
    }

    /// Records that bytes have arrived: extends the deadline if content is expected.
    mutating func contentArrives(now: UInt64, timeouts: Timeouts) {
        guard wait == .content else { return }
        instant = min(contentInstant, Monotonic.after(now, timeouts.bodyStall))
    }

    /// Records that a request was handled, so that the next wait starts a new deadline.
    mutating func answers() {
        wait = .answer
        instant = .max
    }

    /// Records that the peer was too slow.
    mutating func expire() { isTooSlow = true }

    /// Extends the wait for an idle peer after the check that it received its last response. Returns false if it did
    /// not, or has been idle for too long.
    ///
    /// - Parameter isHTTP2: whether HTTP/2 keeps the deadline from then on.
    mutating func extendIdle(hasTakenAnswer: Bool, isHTTP2: Bool, timeouts: Timeouts) -> Bool {
        guard hasTakenAnswer, isHTTP2 || !isFree else { return false }
        isFree = true
        instant = isHTTP2 ? .max : Monotonic.after(instant, timeouts.idle - timeouts.write)
        return true
    }

    /// Shortens the wait to end at an instant, if that is earlier.
    mutating func limit(to instant: UInt64) { self.instant = min(self.instant, instant) }
}

/// The deadlines of a configuration, in nanoseconds.
struct Timeouts: Sendable {
    let handshake: UInt64
    let header: UInt64
    let body: UInt64
    let bodyStall: UInt64
    let request: UInt64
    let idle: UInt64
    let write: UInt64
    let linger: UInt64
    let stopGrace: UInt64

    init(_ configuration: HTTPServerConfiguration) {
        handshake = Monotonic.nanoseconds(configuration.handshakeTimeoutSeconds)
        header = Monotonic.nanoseconds(configuration.headerTimeoutSeconds)
        body = Monotonic.nanoseconds(configuration.bodyTimeoutSeconds)
        bodyStall = Monotonic.nanoseconds(configuration.bodyStallTimeoutSeconds)
        request = Monotonic.nanoseconds(configuration.requestTimeoutSeconds)
        idle = Monotonic.nanoseconds(configuration.idleTimeoutSeconds)
        write = Monotonic.nanoseconds(configuration.writeTimeoutSeconds)
        linger = Monotonic.nanoseconds(configuration.lingerTimeoutSeconds)
        stopGrace = Monotonic.nanoseconds(configuration.stopGraceSeconds)
    }

    /// The shortest of the periodically checked deadlines.
    var shortest: UInt64 { [handshake, header, body, bodyStall, request, idle, write, linger].reduce(.max, min) }
}
