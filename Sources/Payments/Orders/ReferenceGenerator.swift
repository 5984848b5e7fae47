internal import OpenSSL
internal import Synchronization
internal import Values

/// The source of the numbers and identifiers that a gateway generates: random or, with a seed, deterministic, so that
/// the same sequence of requests gets the same numbers.
///
/// A seed makes session ids predictable, too, which is only acceptable in tests. Keys and passwords never come from
/// this generator.
public final class ReferenceGenerator: Sendable {
    private let seeded = Mutex<SeededGenerator?>(nil)

    /// A generator of random numbers.
    public init() {}

    /// Starts the sequence of a seed; nil returns to random numbers.
    public func seed(_ seed: UInt64?) { seeded.withLock { $0 = seed.map(SeededGenerator.init(seed:)) } }

    /// The next number in a range.
    public func next(in range: ClosedRange<Int>) -> Int {
        seeded.withLock { seeded in
            guard var sequence = seeded else { return .random(in: range) }
            defer { seeded = sequence }
            return .random(in: range, using: &sequence)
        }
    }

    /// The next bytes; from a cryptographic generator unless a seed is set.
    public func bytes(_ count: Int) -> [UInt8] {
        seeded.withLock { seeded in
            guard var sequence = seeded else { return RandomBytes.generate(count) }
            defer { seeded = sequence }
            return (0..<count).map { _ in .random(in: .min ... .max, using: &sequence) }
        }
    }
}

extension ReferenceNumbers {
    /// Creates numbers from a generator.
    public init(_ generator: ReferenceGenerator) {
        self.init(
            systemTraceAuditNumber: { generator.next(in: 1...999_999) },
            acquirerTransactionID: { generator.next(in: 100_000_000...999_999_999) })
    }
}
