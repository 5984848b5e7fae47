import Glibc

/// The sole owner of a heap block that is overwritten with zeros before it is freed.
///
/// `@unchecked Sendable` is safe: the block is never changed after `init`.
struct WipedBytes: ~Copyable, @unchecked Sendable {
    /// The number of zero bytes after the last byte. A scan that reads eight bytes at a time need not check for the
    /// end, and the first zero stops every scan, because U+0000 is not valid anywhere in JSON.
    static let paddingBytes = 8

    private let block: UnsafeMutableRawPointer
    private let capacity: Int
    let count: Int

    /// Creates a block of at most `capacity` bytes.
    ///
    /// - Parameter fill: writes to the block and returns the number of bytes that it wrote from its start.
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

    /// Calls the body with the bytes, followed by ``paddingBytes`` readable zeros. They are valid only during the call.
    func withBytes<R: ~Copyable, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try body(UnsafeRawBufferPointer(start: block, count: count))
    }

    /// Calls the body with the bytes and their start address, which even an empty block has.
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
