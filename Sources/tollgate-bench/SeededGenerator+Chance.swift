import Values

extension SeededGenerator {
    /// Whether something happens that happens once in so many times.
    mutating func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    /// One of the elements, of which there must be one, taken out of its place.
    mutating func take<Element>(from elements: inout [Element]) -> Element {
        elements.swapAt(Int.random(in: elements.indices, using: &self), elements.count - 1)
        return elements.removeLast()
    }
}
