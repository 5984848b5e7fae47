import Glibc

/// The sole owner of a receive buffer. An event loop shares one among all its connections, so that idle connections
/// need none.
struct ReceiveBuffer: ~Copyable {
    /// The memory, uninitialized until bytes are received into it.
    let memory: UnsafeMutableRawBufferPointer

    init(byteCount: Int) { memory = .allocate(byteCount: byteCount, alignment: 16) }

    deinit { memory.deallocate() }

    /// Overwrites the first bytes, which may be card data.
    func wipe(_ count: Int) {
        precondition(count <= memory.count, "no more was received than there was room for")
        if let start = memory.baseAddress { explicit_bzero(start, count) }
    }
}
