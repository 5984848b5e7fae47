public import Glibc

/// What a child gets besides its files: every signal, each with its default action. A test runner may ignore or block
/// signals, which a child would inherit.
public struct SpawnAttributes: ~Copyable {
    private var attributes = posix_spawnattr_t()

    /// They block no signal and ignore none.
    public init() {
        posix_spawnattr_init(&attributes)
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    }

    deinit {
        var attributes = attributes
        posix_spawnattr_destroy(&attributes)
    }

    /// Gives them to a call.
    public func withPointer<Result>(_ body: (UnsafePointer<posix_spawnattr_t>) throws -> Result) rethrows -> Result {
        try withUnsafePointer(to: attributes, body)
    }
}
