internal import Glibc

/// Sole owner of a heap block of a fixed capacity that is filled from its start, and overwritten with zeros before it is
/// freed.
///
/// `@unchecked Sendable`: it has one owner at a time, and nobody else changes it.
struct WipedText: ~Copyable, @unchecked Sendable {
    private let block: UnsafeMutableRawPointer
    private let capacity: Int

    /// How many bytes have been appended and not dropped.
    private(set) var count = 0

    init(capacity: Int) {
        block = .allocate(byteCount: max(capacity, 1), alignment: 1)
        self.capacity = capacity
    }

    deinit {
        explicit_bzero(block, capacity)
        block.deallocate()
    }

    /// Appends bytes.
    ///
    /// - Returns: false, with nothing appended, if they do not fit.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= capacity - count else { return false }
        UnsafeMutableRawBufferPointer(start: block + count, count: bytes.count).copyMemory(from: bytes)
        count += bytes.count
        return true
    }

    /// Forgets all but the first bytes.
    mutating func drop(after kept: Int) {
        precondition((0...count).contains(kept), "only what was appended can be kept")
        count = kept
    }

    /// Lends a part of what was appended. The bytes are valid only during the call.
    func withBytes<R: ~Copyable, E: Error>(
        _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        precondition(range.upperBound <= count, "only what was appended can be lent")
        return try body(UnsafeRawBufferPointer(start: block + range.lowerBound, count: range.count))
    }
}
