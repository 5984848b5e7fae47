internal import CLinux

/// Memory that was freed, and that glibc keeps for later allocations.
public enum FreedMemory {
    /// Returns the whole pages of freed memory to the system (`malloc_trim(3)`).
    ///
    /// Threads allocate from arenas, up to eight per processor, and each arena keeps its peak size. Without this call,
    /// a gateway grows as its threads come and go: by a tenth in 15 minutes of mixed load. With fewer arenas, its event
    /// loops would sometimes share one, and each request would then wait for a lock about three times.
    /// arenas its event loops share one now and then, and each request then waits for a lock some three times.
    public static func giveBack() { malloc_trim(0) }
}
