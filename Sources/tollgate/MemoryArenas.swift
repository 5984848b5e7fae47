import CLinux
import Glibc

/// glibc's arenas, from which threads allocate (`mallopt(3)`).
enum MemoryArenas {
    /// Lets there be as many arenas as there are event loops, one for each processor, instead of eight times as many.
    ///
    /// Each arena keeps what it once needed most. With eight times as many a gateway grew for as long as threads of
    /// Dispatch's came and went: by 3 to 5 MiB in a quarter of an hour of mixed load, against 1 MiB with these.
    static func limitToProcessors() {
        let isTaken = mallopt(M_ARENA_MAX, Int32(clamping: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))) == 1
        precondition(isTaken, "glibc takes any count of arenas")
    }
}
