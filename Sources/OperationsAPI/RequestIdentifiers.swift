internal import Synchronization
internal import Values

/// Generates request identifiers: 13 characters of `0`…`9` and `a`…`v`, unique within the process. Identifiers of
/// different processes are equal only by chance.
struct RequestIdentifiers: ~Copyable, Sendable {
    private let count: Atomic<UInt64>

    /// Starts at a random number by default.
    init(startingAt start: UInt64 = .random(in: 0...UInt64.max)) { count = Atomic(start) }

    /// Returns the next identifier. It is short enough to be stored inside the `String` value, so that no memory is
    /// allocated.
    func next() -> String {
        // Different seeds give different first numbers, and those of neighbouring seeds are far apart.
        var generator = SeededGenerator(seed: count.wrappingAdd(1, ordering: .relaxed).newValue)
        var bits = generator.next()
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
}
