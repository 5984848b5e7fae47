internal import CLinux

/// Memory that was freed, which glibc keeps for what is allocated next.
public enum FreedMemory {
    /// Gives the whole pages of it back to the system (`malloc_trim(3)`).
    ///
    /// Threads allocate from arenas, up to eight a processor, each of which keeps what it once needed most. Left alone, a
    /// gateway grows for as long as its threads come and go: by a tenth in a quarter of an hour of mixed load. With fewer
    /// arenas its event loops share one now and then, and each request then waits for a lock some three times.
    public static func giveBack() { malloc_trim(0) }
}
