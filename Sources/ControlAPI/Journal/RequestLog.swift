internal import JSON
internal import Payments
internal import Synchronization

/// The latest requests of merchants with their replies, masked, in memory.
public final class RequestLog: Sendable {
    /// The maximum number of requests; then the oldest is evicted for a new one.
    public static let countMax = 256
    /// The maximum total size of the requests, in bytes.
    public static let byteCountMax = 2 << 20

    /// One request, masked.
    struct Entry: Sendable {
        let merchant: String?
        let order: String?
        /// The status of the reply; nil if none was sent.
        let status: Int?
        /// The `response.gatewayCode` of the reply.
        let outcome: String?
        /// The request as a JSON object in UTF-8.
        let text: [UInt8]
    }

    private struct State {
        var entries = LatestEntries<(id: Int, entry: Entry)>(countMax: countMax, byteCountMax: byteCountMax) {
            $0.entry.text.count
        }
    }

    private let state = Mutex(State())
    private let events: EventLog

    /// Creates an empty log.
    ///
    /// - Parameter events: publishes every request, and gives it its identifier.
    public init(events: EventLog = EventLog()) { self.events = events }

    /// Adds a request, and publishes it. A request larger than the whole log is only published.
    func keep(_ entry: Entry) {
        state.withLock { state in
            // Under the lock, so that the log is in the order of the identifiers.
            let id = events.publish(.request) { Self.text(entry, id: $0) }
            state.entries.keep((id, entry))
        }
    }

    private static func text(_ entry: Entry, id: Int) -> [UInt8] {
        Array("{\"id\":\(id),".utf8) + entry.text.dropFirst()
    }

    /// Returns the latest requests that match a filter, oldest first, as a JSON array in UTF-8.
    func text(_ filter: RequestFilter) -> [UInt8] {
        let chosen = state.withLock { state in
            state.entries.list.filter { filter.matches($0.entry, id: $0.id) }.suffix(filter.limit)
        }
        let texts = chosen.map { Self.text($0.entry, id: $0.id) }
        return Array("[".utf8) + texts.joined(separator: Array(",".utf8)) + Array("]".utf8)
    }

    /// Removes the requests of a merchant.
    ///
    /// - Parameter names: the names that the merchant has in the paths of the APIs.
    func removeAll(of names: Set<String>) {
        state.withLock { $0.entries.removeAll { $0.entry.merchant.map(names.contains) ?? false } }
    }

    /// Removes all requests.
    func removeAll() { state.withLock { $0.entries.removeAll() } }
}
