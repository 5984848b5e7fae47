internal import COpenSSL

/// The sole owner of one memory `BIO`, for reading and writing PEM.
struct MemoryBIO: ~Copyable {
    let bio: OpaquePointer  // BIO *

    /// Creates an empty BIO for writing.
    init() throws(OpenSSLError) {
        bio = try checked(BIO_new(BIO_s_secmem()), "BIO_new")
    }

    deinit { BIO_free_all(bio) }

    /// Appends a copy of `bytes`, in memory that is wiped when it is freed.
    func write(_ bytes: UnsafeRawBufferPointer) throws(OpenSSLError) {
        let count = Int32(clamping: bytes.count)
        try check(Int(BIO_write(bio, bytes.baseAddress, count)) == bytes.count, "BIO_write")
    }

    /// Calls the body with all written bytes. They are valid only during the call.
    func withContent<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var start: UnsafeMutablePointer<CChar>?
        let count = shim_BIO_get_mem_data(bio, &start)
        return body(UnsafeRawBufferPointer(start: start, count: count))
    }
}
