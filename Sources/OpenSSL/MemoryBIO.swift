internal import COpenSSL

/// Sole owner of one memory `BIO`, through which PEM is read and written.
struct MemoryBIO: ~Copyable {
    let bio: OpaquePointer  // BIO *

    /// An empty one, to be written to.
    init() throws(OpenSSLError) {
        bio = try checked(BIO_new(BIO_s_secmem()), "BIO_new")
    }

    deinit { BIO_free_all(bio) }

    /// Appends a copy of `bytes`, which lies in memory that is wiped when it goes.
    func write(_ bytes: UnsafeRawBufferPointer) throws(OpenSSLError) {
        let count = Int32(clamping: bytes.count)
        try check(Int(BIO_write(bio, bytes.baseAddress, count)) == bytes.count, "BIO_write")
    }

    /// What was written so far.
    func withContent<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var start: UnsafeMutablePointer<CChar>?
        let count = shim_BIO_get_mem_data(bio, &start)
        return body(UnsafeRawBufferPointer(start: start, count: count))
    }
}
