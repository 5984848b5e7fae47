internal import CLinux
internal import Glibc

/// Protects the keys and card data in this process's memory from being written to disk or read by other processes of
/// its user.
public enum ProtectedMemory {
    /// Disables core dumps (`core(5)`), and makes the process traceable and its memory readable only by root
    /// (`ptrace(2)`).
    ///
    /// - Returns: whether the system calls succeeded.
    public static func begin() -> Bool {
        // The limit does not apply to a core dump that is piped to a program, as with systemd. A process that is not
        // dumpable has no core dump at all.
        let isForbidden = linux_forbid_dumps() == 0
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        return setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0 && isForbidden
    }
}
