import Glibc

/// Sole owner of a heap block that is overwritten with zeros before it is freed.
///
/// `@unchecked Sendable`: never changed after `init`.
struct WipedBytes: ~Copyable, @unchecked Sendable {
    /// Zero bytes behind the last byte. A scan that reads eight bytes at a time needs no test for the end, and the
    /// first of them stops every scan, as U+0000 stands nowhere in JSON.
    static let paddingBytes = 8

    private let block: UnsafeMutableRawPointer
    private let capacity: Int
    let count: Int

    /// A block of at most `capacity` bytes.
    ///
    /// - Parameter fill: writes to the block and returns how many bytes from its start it wrote.
    init(capacity: Int, filledBy fill: (UnsafeMutableRawBufferPointer) -> Int) {
        block = .allocate(byteCount: capacity + Self.paddingBytes, alignment: 16)
        count = fill(UnsafeMutableRawBufferPointer(start: block, count: capacity))
        precondition(count <= capacity, "filled beyond the capacity")
        self.capacity = capacity
        (block + count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.paddingBytes)
    }

    init(copying source: UnsafeRawBufferPointer) {
        self.init(capacity: source.count) { destination in
            destination.copyMemory(from: source)
            return source.count
        }
    }

    /// Lends the bytes, behind which ``paddingBytes`` zeros may be read. They are valid only during the call.
    func withBytes<R: ~Copyable, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try body(UnsafeRawBufferPointer(start: block, count: count))
    }

    /// Lends the bytes with the address at which they begin, which an empty block has, too.
    func withPaddedBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeRawBufferPointer, UnsafeRawPointer) throws(E) -> R
    ) throws(E) -> R {
        try body(UnsafeRawBufferPointer(start: block, count: count), UnsafeRawPointer(block))
    }

    deinit {
        explicit_bzero(block, capacity)
        block.deallocate()
    }
}
