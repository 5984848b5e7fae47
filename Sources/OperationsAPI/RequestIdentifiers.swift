internal import Synchronization

/// Gives each request an identifier of its own: 13 characters of `0`…`9` and `a`…`v`, which no other request of the same process
/// has, and one of another process only by chance.
struct RequestIdentifiers: ~Copyable, Sendable {
    private let count: Atomic<UInt64>

    /// Begins anywhere.
    init(startingAt start: UInt64 = .random(in: 0...UInt64.max)) { count = Atomic(start) }

    /// The next one. Its text lies in the string itself, so that it costs no memory.
    func next() -> String {
        var bits = Self.scattered(count.wrappingAdd(1, ordering: .relaxed).newValue)
        return String(unsafeUninitializedCapacity: 13) { characters in
            for index in 0..<13 {
                let digit = UInt8(truncatingIfNeeded: bits & 31)
                characters.initializeElement(
                    at: index, to: digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
                bits >>= 5
            }
            return 13
        }
    }

    /// A number for each number, and no number twice: neighbours lie far apart.
    ///
    /// - Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", the finalizer of SplitMix64.
    private static func scattered(_ number: UInt64) -> UInt64 {
        var bits = number
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
