internal import OpenSSL
internal import Synchronization
internal import Values

/// Where the numbers and identifiers that a gateway makes up come from: at random, or from a seed, after which the same
/// requests, one after the other, get the same numbers.
///
/// A seed makes session ids predictable, too, which is only acceptable in tests. Keys and passwords never come from here.
public final class ReferenceGenerator: Sendable {
    private let seeded = Mutex<SeededGenerator?>(nil)

    /// A generator of random numbers.
    public init() {}

    /// Begins the sequence of a seed, or with nothing goes back to random numbers.
    public func seed(_ seed: UInt64?) { seeded.withLock { $0 = seed.map(SeededGenerator.init(seed:)) } }

    /// The next number of a range.
    public func next(in range: ClosedRange<Int>) -> Int {
        seeded.withLock { seeded in
            guard var sequence = seeded else { return .random(in: range) }
            defer { seeded = sequence }
            return .random(in: range, using: &sequence)
        }
    }

    /// The next bytes, from a cryptographic generator unless there is a seed.
    public func bytes(_ count: Int) -> [UInt8] {
        seeded.withLock { seeded in
            guard var sequence = seeded else { return RandomBytes.generate(count) }
            defer { seeded = sequence }
            return (0..<count).map { _ in .random(in: .min ... .max, using: &sequence) }
        }
    }
}

extension ReferenceNumbers {
    /// Numbers from a generator.
    public init(_ generator: ReferenceGenerator) {
        self.init(
            systemTraceAuditNumber: { generator.next(in: 1...999_999) },
            acquirerTransactionID: { generator.next(in: 100_000_000...999_999_999) })
    }
}
