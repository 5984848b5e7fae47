internal import Synchronization
internal import Values

/// Gives each request an identifier of its own: 13 characters of `0`…`9` and `a`…`v`, which no other request of the same process
/// has, and one of another process only by chance.
struct RequestIdentifiers: ~Copyable, Sendable {
    private let count: Atomic<UInt64>

    /// Begins anywhere.
    init(startingAt start: UInt64 = .random(in: 0...UInt64.max)) { count = Atomic(start) }

    /// The next one. Its text lies in the string itself, so that it costs no memory.
    func next() -> String {
        // Each seed has a first number of its own, and those of neighbours lie far apart.
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
