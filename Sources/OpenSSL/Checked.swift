internal import COpenSSL

/// The object that a function of libcrypto gave.
///
/// - Throws: `failed`, with the reason from the calling thread's error queue, if it gave none.
func checked<Object>(_ object: Object?, _ function: String) throws(OpenSSLError) -> Object {
    guard let object else { throw .last(function) }
    return object
}

/// The object that a function of libcrypto gave.
///
/// - Throws: `failure` if it gave none.
func checked<Object, Failure: Error>(_ object: Object?, else failure: Failure) throws(Failure) -> Object {
    guard let object else { throw failure }
    return object
}

/// Goes on only if a function of libcrypto succeeded.
///
/// - Throws: `failed`, with the reason from the calling thread's error queue.
func check(_ hasSucceeded: Bool, _ function: String) throws(OpenSSLError) {
    guard hasSucceeded else { throw .last(function) }
}

/// Goes on only if a function of libcrypto succeeded.
func check<Failure: Error>(_ hasSucceeded: Bool, else failure: Failure) throws(Failure) {
    guard hasSucceeded else { throw failure }
}

/// What an `i2d_…` function writes, or nil if it fails.
func encoded(_ encode: (inout UnsafeMutablePointer<UInt8>?) -> Int32) -> [UInt8] {
    var start: UnsafeMutablePointer<UInt8>?
    let count = encode(&start)
    defer { CRYPTO_free(start, "", 0) }
    return Array(UnsafeBufferPointer(start: start, count: max(0, Int(count))))
}
