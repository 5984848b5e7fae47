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
        /// The request as JSON in UTF-8.
        let text: [UInt8]
    }

    private let entries = Mutex(
        LatestEntries<Entry>(countMax: countMax, byteCountMax: byteCountMax) { $0.text.count })

    /// Creates an empty log.
    public init() {}

    /// Adds a request. A request larger than the whole log is omitted.
    func keep(_ entry: Entry) { entries.withLock { _ = $0.keep(entry) } }

    /// Returns the latest requests that match a filter, oldest first, as a JSON array in UTF-8.
    func text(_ filter: RequestFilter) -> [UInt8] {
        let chosen = entries.withLock { entries in
            entries.list.filter { entry in
                (filter.merchant == nil || entry.merchant == filter.merchant)
                    && (filter.order == nil || entry.order == filter.order)
            }.suffix(filter.limit)
        }
        return Array("[".utf8) + chosen.map(\.text).joined(separator: Array(",".utf8)) + Array("]".utf8)
    }

    /// Removes the requests of a merchant.
    ///
    /// - Parameter names: the names that the merchant has in the paths of the APIs.
    func removeAll(of names: Set<String>) {
        entries.withLock { $0.removeAll { $0.merchant.map(names.contains) ?? false } }
    }

    /// Removes all requests.
    func removeAll() { entries.withLock { $0.removeAll() } }
}
