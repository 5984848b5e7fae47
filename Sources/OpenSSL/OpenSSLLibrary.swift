internal import COpenSSL

/// Settings of the OpenSSL library as a whole.
public enum OpenSSLLibrary {
    /// Prevents OpenSSL from freeing its memory when the process exits. By default it frees everything at `exit(3)`
    /// (OPENSSL_init_crypto(3)), and another thread that is using a key at that moment crashes.
    ///
    /// Must be called before any other use of OpenSSL; later it has no effect.
    public static func stayUntilExit() {
        // It fails only if OpenSSL is unusable, which the first use reports.
        _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    }
}
