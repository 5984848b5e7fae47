internal import Synchronization

/// Counts the batches in which a store made writes durable, by size.
public final class BatchSizes: Sendable {
    /// The maximum number of writes in a batch.
    public static let sizeMax = 256

    /// The numbers of batches of 1, of 2, of 3 to 4, of 5 to 8 writes and so on.
    private let counts = InlineArray<9, Atomic<UInt64>> { _ in Atomic(0) }
    private let writes = Atomic<UInt64>(0)

    /// Creates counters at 0.
    public init() {}

    /// Counts a batch of 1 to ``sizeMax`` writes.
    public func count(_ size: Int) {
        precondition((1...Self.sizeMax).contains(size), "a batch holds something, and no more than it may")
        counts[Int.bitWidth - (size - 1).leadingZeroBitCount].add(1, ordering: .relaxed)
        writes.wrappingAdd(UInt64(size), ordering: .relaxed)
    }

    /// For each size class, its maximum size and its number of batches; and the total number of writes.
    public var snapshot: (counts: [(sizeMax: Int, count: UInt64)], sum: UInt64) {
        (
            counts.indices.map { (1 << $0, counts[$0].load(ordering: .relaxed)) },
            writes.load(ordering: .relaxed)
        )
    }
}

/// Counts a store's failures by kind.
public final class StoreFailureCounts: Sendable {
    /// The kind of access that failed.
    public enum Kind: String, CaseIterable, Sendable {
        /// A read.
        case reading
        /// A write.
        case writing
        /// A read that found damaged data.
        case damaged
    }

    private let reading = Atomic<UInt64>(0)
    private let writing = Atomic<UInt64>(0)
    private let damaged = Atomic<UInt64>(0)

    /// Creates counters at 0.
    public init() {}

    /// Counts one failure.
    public func count(_ kind: Kind) {
        switch kind {
        case .reading: reading.add(1, ordering: .relaxed)
        case .writing: writing.add(1, ordering: .relaxed)
        case .damaged: damaged.add(1, ordering: .relaxed)
        }
    }

    /// The number of failures of a kind.
    public subscript(kind: Kind) -> UInt64 {
        switch kind {
        case .reading: reading.load(ordering: .relaxed)
        case .writing: writing.load(ordering: .relaxed)
        case .damaged: damaged.load(ordering: .relaxed)
        }
    }
}
