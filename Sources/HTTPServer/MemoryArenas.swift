internal import CLinux
internal import Glibc

/// glibc's arenas, from which threads allocate (`mallopt(3)`).
public enum MemoryArenas {
    /// Lets this process have as many arenas as there are processors, and so event loops, instead of eight times as many.
    /// To be called before there are threads.
    ///
    /// Each arena keeps what it once needed most. With eight times as many a gateway grew for as long as threads of
    /// Dispatch's came and went: by 3 to 5 MiB in a quarter of an hour of mixed load, against 1 MiB with these.
    public static func limitToProcessors() {
        // It fails only where another allocator stands in for glibc's, such as a sanitizer's, which has no such arenas.
        _ = mallopt(M_ARENA_MAX, Int32(clamping: HTTPServer.processorCount))
    }
}
