internal import CLinux
internal import Glibc

/// What keeps the keys and cards in this process's memory from a disk and from other processes of its user.
public enum ProtectedMemory {
    /// No core is written from now on (`core(5)`), and only root may trace the process or read its memory (`ptrace(2)`).
    ///
    /// - Returns: whether the system did so.
    public static func begin() -> Bool {
        // A core that is handed to a program, as systemd has it, is not bound by the limit; a process that may not be dumped
        // has none at all.
        let isForbidden = linux_forbid_dumps() == 0
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        return setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0 && isForbidden
    }
}
