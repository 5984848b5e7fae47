internal import Synchronization

/// A histogram of durations. Any number of threads may record durations concurrently.
struct LatencyHistogram: ~Copyable, Sendable {
    /// The upper bounds of the buckets, as Prometheus names them. The last bucket has no bound and is not listed.
    static let bounds: [(nanoseconds: UInt64, text: String)] = [
        (10_000, "0.00001"), (25_000, "0.000025"), (50_000, "0.00005"), (100_000, "0.0001"), (250_000, "0.00025"),
        (500_000, "0.0005"), (1_000_000, "0.001"), (2_500_000, "0.0025"), (5_000_000, "0.005"), (10_000_000, "0.01"),
        (25_000_000, "0.025"), (50_000_000, "0.05"), (100_000_000, "0.1"), (250_000_000, "0.25"),
        (500_000_000, "0.5"), (1_000_000_000, "1"), (2_500_000_000, "2.5"), (5_000_000_000, "5"),
        (10_000_000_000, "10"),
    ]

    private let counts = InlineArray<20, Atomic<UInt64>> { _ in Atomic(0) }
    private let nanoseconds = Atomic<UInt64>(0)

    /// Records a duration in nanoseconds. A duration equal to a bound belongs to the bucket below it.
    func observe(_ duration: UInt64) {
        counts[Self.bucket(of: duration)].add(1, ordering: .relaxed)
        // The sum overflows only after 2^64 ns, which is 584 years.
        nanoseconds.wrappingAdd(duration, ordering: .relaxed)
    }

    /// The durations recorded so far. A duration recorded during the call may be in one number and not in another.
    var snapshot: MetricsText.Histogram {
        let counts = counts.indices.map { self.counts[$0].load(ordering: .relaxed) }
        return MetricsText.Histogram(
            buckets: zip(Self.bounds.map(\.text), counts).map { ($0, $1) }, beyond: counts[counts.count - 1],
            sum: MetricsText.seconds(nanoseconds: nanoseconds.load(ordering: .relaxed)))
    }

    private static func bucket(of duration: UInt64) -> Int {
        bounds.withUnsafeBufferPointer { bounds in
            var (low, high) = (0, bounds.count)
            while low < high {
                let middle = (low + high) / 2
                if bounds[middle].nanoseconds < duration { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }
}
