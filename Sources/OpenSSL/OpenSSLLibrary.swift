internal import COpenSSL

/// The library as a whole.
public enum OpenSSLLibrary {
    /// Lets OpenSSL keep what it holds when the process exits, for programs that exit while other threads work: by itself
    /// it frees everything at `exit(3)` (OPENSSL_init_crypto(3)), and a thread that uses a key at that moment crashes.
    ///
    /// To be called before anything else of OpenSSL is used; later it has no effect.
    public static func stayUntilExit() {
        // It fails only where OpenSSL can't be had at all, which the first use tells.
        _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    }
}
