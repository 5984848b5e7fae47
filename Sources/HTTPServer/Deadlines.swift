/// What one connection waits for, and until when.
struct Deadlines {
    /// What is waited for; each has its own deadline.
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
        /// The answer to a request.
        case answer
        /// That the peer takes what it is sent.
        case output
        /// Whatever HTTP/2 waits for while it has streams; it keeps its own deadlines.
        case http2
        /// That the peer closes its side.
        case end
    }

    /// What is waited for.
    private(set) var wait: Wait
    /// When that has taken too long.
    private(set) var instant: UInt64

    /// When the request that is arriving has taken too long as a whole.
    private var requestInstant: UInt64
    /// When its content has.
    private var contentInstant = UInt64.max
    /// How many bytes must have been sent at ``instant``.
    private var bytesDue: UInt64 = 0
    /// When a peer that was told the end must have taken what it was sent.
    private(set) var endInstant = UInt64.max
    /// Whether an idle peer has taken its last answer, or never will be asked.
    private var isFree = false
    /// Whether the peer was too slow once, and only has a moment left to read the response that says so.
    private var isTooSlow = false

    /// A connection that was just accepted.
    ///
    /// - Parameter isEncrypted: it begins with a handshake.
    init(isEncrypted: Bool, now: UInt64, timeouts: Timeouts) {
        wait = isEncrypted ? .handshake : .firstRequest
        instant = Monotonic.after(now, isEncrypted ? timeouts.handshake : timeouts.header)
        requestInstant = Monotonic.after(now, timeouts.request)
    }

    /// Records what is waited for. Nothing changes while it stays the same.
    ///
    /// - Parameters:
    ///   - bytesSent: since the connection was accepted.
    ///   - bytesWaiting: to be sent.
    mutating func wait(for next: Wait, now: UInt64, bytesSent: UInt64, bytesWaiting: Int, timeouts: Timeouts) {
        if next == wait {
            // A peer that takes its answers may always have more to take; a slow one has not taken in time what was due.
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

    /// The first byte of a request that is not the connection's first has arrived.
    mutating func requestBegins(now: UInt64, timeouts: Timeouts) {
        requestInstant = Monotonic.after(now, timeouts.request)
    }

    /// Bytes have arrived, which allow more time while content is waited for.
    mutating func contentArrives(now: UInt64, timeouts: Timeouts) {
        guard wait == .content else { return }
        instant = min(contentInstant, Monotonic.after(now, timeouts.bodyStall))
    }

    /// A request was handled: the next wait starts a new deadline.
    mutating func answers() {
        wait = .answer
        instant = .max
    }

    /// The peer was too slow.
    mutating func expire() { isTooSlow = true }

    /// Whether an idle peer may stay, at the time when it must have taken its last answer.
    ///
    /// - Parameter isHTTP2: from then on HTTP/2 keeps the deadline.
    mutating func extendIdle(hasTakenAnswer: Bool, isHTTP2: Bool, timeouts: Timeouts) -> Bool {
        guard hasTakenAnswer, isHTTP2 || !isFree else { return false }
        isFree = true
        instant = isHTTP2 ? .max : Monotonic.after(instant, timeouts.idle - timeouts.write)
        return true
    }

    /// Waits no longer than until then.
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

    /// The shortest of those that are checked periodically.
    var shortest: UInt64 { [handshake, header, body, bodyStall, request, idle, write, linger].reduce(.max, min) }
}
