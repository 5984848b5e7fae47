/// The latest entries, oldest first, bounded in number and bytes.
public struct LatestEntries<Entry: Sendable>: Sendable {
    /// The entries, oldest first.
    public private(set) var list: [Entry] = []
    private var byteCount = 0
    private let countMax: Int
    private let byteCountMax: Int
    private let byteCountOf: @Sendable (Entry) -> Int

    /// Creates an empty list.
    ///
    /// - Parameters:
    ///   - countMax: the maximum number of entries; a further entry evicts the oldest.
    ///   - byteCountMax: the maximum number of bytes of all entries together.
    ///   - byteCountOf: returns the number of bytes of an entry.
    public init(countMax: Int, byteCountMax: Int, byteCountOf: @escaping @Sendable (Entry) -> Int) {
        self.countMax = countMax
        self.byteCountMax = byteCountMax
        self.byteCountOf = byteCountOf
    }

    /// Adds an entry, and evicts the oldest ones if necessary. An entry with more bytes than the maximum is not added.
    ///
    /// - Returns: whether the entry was added.
    @discardableResult
    public mutating func keep(_ entry: Entry) -> Bool {
        guard byteCountOf(entry) <= byteCountMax else { return false }
        list.append(entry)
        byteCount += byteCountOf(entry)
        while list.count > countMax || byteCount > byteCountMax { byteCount -= byteCountOf(list.removeFirst()) }
        return true
    }

    /// Removes the entries for which a closure returns true.
    public mutating func removeAll(where isRemoved: (Entry) -> Bool) {
        list.removeAll(where: isRemoved)
        byteCount = list.reduce(0) { $0 + byteCountOf($1) }
    }

    /// Removes all entries.
    public mutating func removeAll() {
        list = []
        byteCount = 0
    }
}
