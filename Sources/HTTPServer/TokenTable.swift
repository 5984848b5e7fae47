/// Elements by tokens, which lie in one place each and are found without hashing. A removed element's token finds nothing
/// ever after, so an event that was told of a closed socket doesn't find the one that came after it.
struct TokenTable<Element> {
    private struct Slot {
        /// The upper half of the token, never 0; the lower half is the slot's index.
        var generation: UInt32
        var element: Element?

        static var firstGeneration: UInt32 { 1 }
    }

    private var slots: [Slot] = []
    private var freeIndexes: [UInt32] = []

    /// The token under which the next ``insert(_:)`` takes its element in; never 0.
    var nextToken: UInt64 {
        guard let index = freeIndexes.last else { return Self.token(UInt32(slots.count), Slot.firstGeneration) }
        return Self.token(index, slots[Int(index)].generation)
    }

    /// Takes an element in under ``nextToken``.
    mutating func insert(_ element: Element) {
        if let index = freeIndexes.popLast() {
            slots[Int(index)].element = element
        } else {
            slots.append(Slot(generation: Slot.firstGeneration, element: element))
        }
    }

    /// Takes an element out; nothing if the token is of none.
    @discardableResult
    mutating func remove(_ token: UInt64) -> Element? {
        guard let element = self[token] else { return nil }
        let index = UInt32(truncatingIfNeeded: token)
        slots[Int(index)].element = nil
        slots[Int(index)].generation = max(Slot.firstGeneration, slots[Int(index)].generation &+ 1)
        freeIndexes.append(index)
        return element
    }

    /// The element of a token.
    subscript(token: UInt64) -> Element? {
        let index = Int(token & 0xFFFF_FFFF)
        guard index < slots.count, UInt64(slots[index].generation) == token >> 32 else { return nil }
        return slots[index].element
    }

    /// Every element, as they are now: they may be removed meanwhile.
    var elements: some Sequence<Element> { slots.lazy.compactMap(\.element) }

    private static func token(_ index: UInt32, _ generation: UInt32) -> UInt64 {
        UInt64(generation) << 32 | UInt64(index)
    }
}
