internal import Synchronization

/// How many writes a store made durable together, for each time that it did.
public final class BatchSizes: Sendable {
    /// The most writes in one batch.
    public static let sizeMax = 256

    /// Batches of 1, of 2, of 3 to 4, of 5 to 8 and so on.
    private let counts = InlineArray<9, Atomic<UInt64>> { _ in Atomic(0) }
    private let writes = Atomic<UInt64>(0)

    /// None yet.
    public init() {}

    /// Counts a batch of 1 to ``sizeMax`` writes.
    public func count(_ size: Int) {
        precondition((1...Self.sizeMax).contains(size), "a batch holds something, and no more than it may")
        counts[Int.bitWidth - (size - 1).leadingZeroBitCount].add(1, ordering: .relaxed)
        writes.wrappingAdd(UInt64(size), ordering: .relaxed)
    }

    /// How many batches were of at most each size and larger than the one before, and how many writes all of them held.
    public var snapshot: (counts: [(sizeMax: Int, count: UInt64)], sum: UInt64) {
        (
            counts.indices.map { (1 << $0, counts[$0].load(ordering: .relaxed)) },
            writes.load(ordering: .relaxed)
        )
    }
}

/// How often a store failed.
public final class StoreFailureCounts: Sendable {
    /// What it was asked for.
    public enum Kind: String, CaseIterable, Sendable {
        /// To find something.
        case reading
        /// To keep something.
        case writing
        /// To find what turned out to be damaged.
        case damaged
    }

    private let reading = Atomic<UInt64>(0)
    private let writing = Atomic<UInt64>(0)
    private let damaged = Atomic<UInt64>(0)

    /// None yet.
    public init() {}

    /// Counts one failure.
    public func count(_ kind: Kind) {
        switch kind {
        case .reading: reading.add(1, ordering: .relaxed)
        case .writing: writing.add(1, ordering: .relaxed)
        case .damaged: damaged.add(1, ordering: .relaxed)
        }
    }

    /// How many of a kind there were.
    public subscript(kind: Kind) -> UInt64 {
        switch kind {
        case .reading: reading.load(ordering: .relaxed)
        case .writing: writing.load(ordering: .relaxed)
        case .damaged: damaged.load(ordering: .relaxed)
        }
    }
}
