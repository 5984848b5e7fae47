internal import COpenSSL

/// Sole owner of one memory `BIO`, through which PEM is read and written.
struct MemoryBIO: ~Copyable {
    let bio: OpaquePointer  // BIO *

    /// An empty one, to be written to.
    init() throws(OpenSSLError) {
        guard let bio = BIO_new(BIO_s_secmem()) else { throw .last("BIO_new") }
        self.bio = bio
    }

    deinit { BIO_free_all(bio) }

    /// Appends a copy of `bytes`, which lies in memory that is wiped when it goes.
    func write(_ bytes: UnsafeRawBufferPointer) throws(OpenSSLError) {
        guard bytes.count <= Int(Int32.max), BIO_write(bio, bytes.baseAddress, Int32(bytes.count)) == bytes.count else {
            throw .last("BIO_write")
        }
    }

    /// What was written so far.
    func withContent<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var start: UnsafeMutablePointer<CChar>?
        let count = shim_BIO_get_mem_data(bio, &start)
        return body(UnsafeRawBufferPointer(start: start, count: count))
    }
}
