/// The latest of the entries that came, oldest first, bounded in count and in bytes.
public struct LatestEntries<Entry: Sendable>: Sendable {
    /// The entries, oldest first.
    public private(set) var list: [Entry] = []
    private var byteCount = 0
    private let countMax: Int
    private let byteCountMax: Int
    private let byteCountOf: @Sendable (Entry) -> Int

    /// None yet.
    ///
    /// - Parameters:
    ///   - countMax: how many entries there are at most; the oldest goes when another one comes.
    ///   - byteCountMax: how many bytes all of them have at most together.
    ///   - byteCountOf: how many bytes an entry has.
    public init(countMax: Int, byteCountMax: Int, byteCountOf: @escaping @Sendable (Entry) -> Int) {
        self.countMax = countMax
        self.byteCountMax = byteCountMax
        self.byteCountOf = byteCountOf
    }

    /// Keeps an entry; one that alone has more bytes than may be kept is left out.
    ///
    /// - Returns: whether it was kept.
    @discardableResult
    public mutating func keep(_ entry: Entry) -> Bool {
        guard byteCountOf(entry) <= byteCountMax else { return false }
        list.append(entry)
        byteCount += byteCountOf(entry)
        while list.count > countMax || byteCount > byteCountMax { byteCount -= byteCountOf(list.removeFirst()) }
        return true
    }

    /// Forgets some entries.
    public mutating func removeAll(where isRemoved: (Entry) -> Bool) {
        list.removeAll(where: isRemoved)
        byteCount = list.reduce(0) { $0 + byteCountOf($1) }
    }

    /// Forgets all entries.
    public mutating func removeAll() {
        list = []
        byteCount = 0
    }
}
