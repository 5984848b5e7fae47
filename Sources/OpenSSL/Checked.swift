internal import COpenSSL

/// Returns the object that a libcrypto function returned.
///
/// - Throws: `failed`, with the reason from the calling thread's error queue, if it returned null.
func checked<Object>(_ object: Object?, _ function: String) throws(OpenSSLError) -> Object {
    guard let object else { throw .last(function) }
    return object
}

/// Returns the object that a libcrypto function returned.
///
/// - Throws: `failure` if it returned null.
func checked<Object, Failure: Error>(_ object: Object?, else failure: Failure) throws(Failure) -> Object {
    guard let object else { throw failure }
    return object
}

/// Checks that a libcrypto function succeeded.
///
/// - Throws: `failed`, with the reason from the calling thread's error queue, if it failed.
func check(_ hasSucceeded: Bool, _ function: String) throws(OpenSSLError) {
    guard hasSucceeded else { throw .last(function) }
}

/// Checks that a libcrypto function succeeded. Throws `failure` if it failed.
func check<Failure: Error>(_ hasSucceeded: Bool, else failure: Failure) throws(Failure) {
    guard hasSucceeded else { throw failure }
}

/// Returns the output of an `i2d_…` function, or nil if it fails.
func encoded(_ encode: (inout UnsafeMutablePointer<UInt8>?) -> Int32) -> [UInt8] {
    var start: UnsafeMutablePointer<UInt8>?
    let count = encode(&start)
    defer { CRYPTO_free(start, "", 0) }
    return Array(UnsafeBufferPointer(start: start, count: max(0, Int(count))))
}
