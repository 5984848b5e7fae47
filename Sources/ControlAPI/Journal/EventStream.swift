internal import HTTP
internal import HTTPTypes
internal import Synchronization

/// The events of the gateway as server-sent events (WHATWG HTML §9.2.6, `text/event-stream`).
///
/// Each event has the fields `id`, `event` and `data`, one line of JSON. The first piece is the number after which the
/// stream begins, so that a client can resume even if it has received no event. A comment is sent after every 15 seconds
/// without an event, so that proxies keep the connection open.
final class EventStream: ResponseStream {
    /// The time without an event after which a comment is sent.
    static let commentMilliseconds = 15_000
    /// The maximum size of the events in one piece, in bytes, unless one event alone is larger.
    private static let pieceBytesMax = 65_536

    private struct State {
        var lastID: Int
        var hasBegun = false
        /// Whether there may be events after ``lastID``.
        var hasNews = true
        /// Whether a comment is due.
        var isCommentDue = false
        var isCanceled = false
        var follower: Int?
        var comment: Task<Void, Never>?
        var waiting: CheckedContinuation<Void, Never>?

        var mustWait: Bool { !hasNews && !isCommentDue && !isCanceled }

        mutating func takeWaiting() -> CheckedContinuation<Void, Never>? {
            defer { waiting = nil }
            return waiting
        }
    }

    private let state: Mutex<State>
    private let log: EventLog
    private let pause: Pause

    /// Follows a log; nil if the client follows it too often already.
    ///
    /// - Parameters:
    ///   - id: the number of the last event that the client knows; nil to begin with the next event.
    ///   - client: the address range that counts as one client.
    init?(_ log: EventLog, after id: Int?, client: String, pause: @escaping Pause) {
        state = Mutex(State(lastID: id ?? log.lastID))
        self.log = log
        self.pause = pause
        guard let follower = log.follow(client, { [weak self] in self?.wake { $0.hasNews = true } }) else { return nil }
        state.withLock { $0.follower = follower }
    }

    deinit { cancel() }

    func next() async -> [UInt8]? {
        while true {
            let (id, hasBegun, isCanceled, isCommentDue) = state.withLock { state in
                defer { (state.hasNews, state.hasBegun, state.isCommentDue) = (false, true, false) }
                return (state.lastID, state.hasBegun, state.isCanceled, state.isCommentDue)
            }
            guard !isCanceled else { return nil }
            guard hasBegun else {
                wake { $0.hasNews = true }
                return Array("id: \(id)\n\n".utf8)
            }
            let events = log.events(after: id, byteCountMax: Self.pieceBytesMax)
            if let last = events.last {
                state.withLock { ($0.lastID, $0.hasNews) = (last.id, true) }
                return events.flatMap(\.serverSent)
            }
            if isCommentDue { return Array(":\n\n".utf8) }
            await wait()
        }
    }

    func cancel() {
        let (follower, comment) = state.withLock { state in
            defer { (state.follower, state.comment) = (nil, nil) }
            return (state.follower, state.comment)
        }
        if let follower { log.unfollow(follower) }
        comment?.cancel()
        wake { $0.isCanceled = true }
    }

    /// Waits for an event, for the time of the next comment or for the end of the stream.
    private func wait() async {
        await withCheckedContinuation { continuation in
            let mustWait = state.withLock { state in
                guard state.mustWait else { return false }
                state.waiting = continuation
                guard state.comment == nil else { return true }
                state.comment = Task { [weak self, pause] in
                    await pause(Self.commentMilliseconds)
                    self?.wake {
                        $0.isCommentDue = true
                        $0.comment = nil
                    }
                }
                return true
            }
            if !mustWait { continuation.resume() }
        }
    }

    private func wake(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            return state.takeWaiting()
        }?.resume()
    }
}

extension EventLog.Event {
    /// The event as the lines of a stream.
    fileprivate var serverSent: [UInt8] {
        Array("id: \(id)\nevent: \(kind.rawValue)\ndata: ".utf8) + data + Array("\n\n".utf8)
    }
}

extension HTTPField.Name {
    /// `Last-Event-ID`: the number of the last event that a client knows (WHATWG HTML §9.2.4).
    static let lastEventID: HTTPField.Name = {
        guard let name = HTTPField.Name("Last-Event-ID") else { preconditionFailure("a token of RFC 9110") }
        return name
    }()
}
