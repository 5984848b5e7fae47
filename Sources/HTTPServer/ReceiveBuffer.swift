import Glibc

/// Sole owner of memory that bytes are received into. An event loop has one for all its connections, so that one that waits
/// takes none.
struct ReceiveBuffer: ~Copyable {
    /// The memory, of which nothing is initialized before it is received into.
    let memory: UnsafeMutableRawBufferPointer

    init(byteCount: Int) { memory = .allocate(byteCount: byteCount, alignment: 16) }

    deinit { memory.deallocate() }

    /// Overwrites the first bytes, which may be card data.
    func wipe(_ count: Int) {
        precondition(count <= memory.count, "no more was received than there was room for")
        if let start = memory.baseAddress { explicit_bzero(start, count) }
    }
}
