import Testing

@testable import OpenSSL

/// What becomes of a call into libcrypto that fails.
struct CheckedTests {
    @Test func `a call that gives nothing is an error that names it, and the queue is left empty`() throws {
        _ = OpenSSLError.last("before")
        #expect(throws: OpenSSLError.failed(function: "X509_new", reason: "")) {
            try checked(nil as Int?, "X509_new")
        }
        #expect(try checked(7, "X509_new") == 7)
        #expect(throws: OpenSSLError.failed(function: "X509_sign", reason: "")) { try check(false, "X509_sign") }
        try check(true, "X509_sign")
        #expect(OpenSSLError.failed(function: "X509_sign", reason: "").description == "X509_sign failed")
        #expect(OpenSSLError.failed(function: "X509_sign", reason: "why").description == "X509_sign: why")
    }

    @Test func `a call may have an error of its own`() throws {
        let refusal = TrustStore.Refusal(code: 1, depth: 0)
        #expect(throws: refusal) { try checked(nil as Int?, else: refusal) }
        #expect(try checked(7, else: refusal) == 7)
        #expect(throws: refusal) { try check(false, else: refusal) }
        try check(true, else: refusal)
    }

    @Test func `what can't be encoded is no bytes`() {
        #expect(encoded { _ in -1 } == [])
        #expect(encoded { _ in 0 } == [])
    }
}
