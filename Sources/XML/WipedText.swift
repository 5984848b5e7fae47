internal import Glibc

/// The sole owner of a heap block of a fixed capacity, which is filled from its start and overwritten with zeros before
/// it is freed.
///
/// `@unchecked Sendable` is safe: the block has one owner at a time, and only the owner changes it.
struct WipedText: ~Copyable, @unchecked Sendable {
    private let block: UnsafeMutableRawPointer
    private let capacity: Int

    /// The number of bytes that were appended and not dropped.
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
    /// - Returns: false, without appending anything, if they do not fit.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= capacity - count else { return false }
        UnsafeMutableRawBufferPointer(start: block + count, count: bytes.count).copyMemory(from: bytes)
        count += bytes.count
        return true
    }

    /// Drops all bytes after the first `kept`.
    mutating func drop(after kept: Int) {
        precondition((0...count).contains(kept), "only what was appended can be kept")
        count = kept
    }

    /// Calls the body with a part of the appended bytes. They are valid only during the call.
    func withBytes<R: ~Copyable, E: Error>(
        _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        precondition(range.upperBound <= count, "only what was appended can be lent")
        return try body(UnsafeRawBufferPointer(start: block + range.lowerBound, count: range.count))
    }
}
