import Values

extension SeededGenerator {
    /// Returns true with the probability 1 / `count`.
    mutating func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    /// Removes and returns a random element. The array must not be empty.
    mutating func take<Element>(from elements: inout [Element]) -> Element {
        elements.swapAt(Int.random(in: elements.indices, using: &self), elements.count - 1)
        return elements.removeLast()
    }
}
