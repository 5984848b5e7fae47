internal import HTTP
internal import HTTPTypes

/// The deadlines. The owner passes the time; no clock is read here.
extension HTTP2Connection {
    /// The latest instant at which ``next(date:now:)`` must be called, on the clock of `now`, in nanoseconds; nil
    /// without a deadline.
    public var nextDeadline: UInt64? {
        guard !isFinished else { return nil }
        var earliest = min(controlDeadline, settingsDeadline, idleDeadline, stopDeadline)
        if outputBytes > 0 { earliest = min(earliest, outputDeadline) }
        for stream in streams.values { earliest = min(earliest, stream.deadline) }
        return earliest == .max ? nil : earliest
    }

    static func time(_ now: UInt64, plusSeconds seconds: Int) -> UInt64 { now + UInt64(seconds) * 1_000_000_000 }

    /// Ends everything that has exceeded its deadline.
    func expire() {
        if now >= controlDeadline { return terminate(.enhanceYourCalm) }
        if now >= settingsDeadline { return terminate(.settingsTimeout) }
        if now >= outputDeadline {
            guard outputBytes == 0 || sentBytes >= sentBytesDue else { return abandon() }
            outputDeadline = .max
        }
        if now >= idleDeadline { return terminate(.noError) }
        if now >= stopDeadline { finishStopping() }
        var hasTimedOut = false
        for stream in streams.values where now >= stream.deadline {
            switch stream.stage {
            case .content:
                refuse(stream, .requestTimeout)
                hasTimedOut = true
            case .answering: reset(stream, .cancel)
            case .answered: reset(stream, .noError)
            case .head, .ready, .inFlight, .ended: break
            }
        }
        // A connection ends if its only remaining requests were too slow.
        if hasTimedOut, !streams.values.contains(where: \.isWanted) { stop() }
    }

    func updateDeadlines() {
        if outputBytes == 0 {
            outputDeadline = .max
        } else if outputDeadline == .max || sentBytes >= sentBytesDue {
            // The bytes that wait now are due at the deadline. Later bytes get a new deadline once these are sent.
            sentBytesDue = sentBytes + UInt64(outputBytes)
            outputDeadline = Self.time(now, plusSeconds: limits.writeTimeoutSeconds)
        }
        if !isIdle {
            idleDeadline = .max
        } else if idleDeadline == .max {
            idleDeadline = Self.time(now, plusSeconds: limits.idleTimeoutSeconds)
        }
    }
}
