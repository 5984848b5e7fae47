internal import Payments
internal import Synchronization

/// The latest events of the gateway, in memory, for clients that follow them.
///
/// Each event has a number, one more than the event before it. A client that follows keeps only the number of its last
/// event, so a slow client costs no memory; what it has missed by then is reported to it.
public final class EventLog: Sendable {
    /// The kind of an event.
    enum Kind: String, Sendable {
        /// A request with its reply, as the journal shows it.
        case request
        /// A transaction has changed an order.
        case order
        /// The scripts that are waiting have changed.
        case outcomes
        /// The gateway, or one merchant's data, was reset.
        case reset
        /// The client has missed events, which are no longer known.
        case missed
    }

    /// One event.
    struct Event: Sendable {
        let id: Int
        let kind: Kind
        /// A JSON object in UTF-8 on one line.
        let data: [UInt8]
    }

    /// The maximum number of events that are kept.
    static let countMax = 512
    /// The maximum total size of the events' data, in bytes. The data of requests are shared with the journal.
    static let byteCountMax = 2 << 20
    /// The maximum number of streams that one client follows at the same time.
    static let followersMax = 16

    private struct State {
        var lastID = 0
        var events = LatestEntries<Event>(countMax: countMax, byteCountMax: byteCountMax) { $0.data.count }
        var followers: [Int: (client: String, wake: @Sendable () -> Void)] = [:]
        var lastFollower = 0
    }

    private let state = Mutex(State())

    /// Creates a log without events.
    public init() {}

    /// Adds an event, and wakes the clients that follow.
    ///
    /// - Parameter data: makes the data from the event's number.
    /// - Returns: the event's number.
    @discardableResult
    func publish(_ kind: Kind, _ data: (_ id: Int) -> [UInt8]) -> Int {
        let (id, wakes) = state.withLock { state in
            state.lastID += 1
            state.events.keep(Event(id: state.lastID, kind: kind, data: data(state.lastID)))
            return (state.lastID, state.followers.values.map(\.wake))
        }
        for wake in wakes { wake() }
        return id
    }

    /// Publishes that something has changed; clients get the present state by its own path.
    func publish(_ kind: Kind) { publish(kind) { _ in Array("{}".utf8) } }

    /// Removes all events, whose data may be of a merchant that was reset, and publishes the reset.
    ///
    /// A client that has not read the removed events yet gets a ``Kind/missed``.
    func reset() {
        state.withLock { $0.events.removeAll() }
        publish(.reset)
    }

    /// The number of the latest event; 0 if there was none.
    var lastID: Int { state.withLock { $0.lastID } }

    /// The events after a number, oldest first, up to a total size.
    ///
    /// - Parameter byteCountMax: at least one event is returned, whatever its size.
    /// - Returns: the events; if some are no longer known, the first one is of the kind ``Kind/missed``.
    func events(after id: Int, byteCountMax: Int) -> [Event] {
        state.withLock { state in
            // A number from before a restart is greater than the latest one.
            let isKnown = id <= state.lastID
            var found: [Event] = []
            var byteCount = 0
            for event in state.events.list where event.id > id || !isKnown {
                byteCount += event.data.count
                guard found.isEmpty || byteCount <= byteCountMax else { break }
                found.append(event)
            }
            let next = found.first?.id ?? state.lastID + 1
            guard !isKnown || next > id + 1 else { return found }
            let gap = Event(id: max(0, next - 1), kind: .missed, data: Array("{\"after\":\(id)}".utf8))
            return [gap] + found
        }
    }

    /// Adds a stream, whose closure is called after every event.
    ///
    /// - Returns: a number for ``unfollow(_:)``; nil if the client has too many streams.
    func follow(_ client: String, _ wake: @escaping @Sendable () -> Void) -> Int? {
        state.withLock { state in
            guard state.followers.values.count(where: { $0.client == client }) < Self.followersMax else { return nil }
            state.lastFollower += 1
            state.followers[state.lastFollower] = (client, wake)
            return state.lastFollower
        }
    }

    /// Removes a stream.
    func unfollow(_ follower: Int) { state.withLock { _ = $0.followers.removeValue(forKey: follower) } }
}
