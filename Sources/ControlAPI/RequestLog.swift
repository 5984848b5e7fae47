internal import JSON
internal import Payments
internal import Synchronization

/// The latest requests of merchants with their replies, masked, in memory.
public final class RequestLog: Sendable {
    /// How many requests there are at most; the oldest goes when another one comes.
    public static let countMax = 256
    /// How many bytes all of them have at most together.
    public static let byteCountMax = 2 << 20

    /// One request, masked.
    struct Entry: Sendable {
        let merchant: String?
        let order: String?
        /// JSON in UTF-8.
        let text: [UInt8]
    }

    private let entries = Mutex(
        LatestEntries<Entry>(countMax: countMax, byteCountMax: byteCountMax) { $0.text.count })

    /// An empty log.
    public init() {}

    /// Keeps a request; one that alone has more bytes than may be kept is left out.
    func keep(_ entry: Entry) { entries.withLock { _ = $0.keep(entry) } }

    /// The latest requests that a filter lets through, oldest first, as a JSON array in UTF-8.
    func text(_ filter: RequestFilter) -> [UInt8] {
        let chosen = entries.withLock { entries in
            entries.list.filter { entry in
                (filter.merchant == nil || entry.merchant == filter.merchant)
                    && (filter.order == nil || entry.order == filter.order)
            }.suffix(filter.limit)
        }
        return Array("[".utf8) + chosen.map(\.text).joined(separator: Array(",".utf8)) + Array("]".utf8)
    }

    /// Forgets all requests.
    func removeAll() { entries.withLock { $0.removeAll() } }
}
