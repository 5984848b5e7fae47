import Glibc

/// How many descriptors the process may have open (`getrlimit(2)`), shared out so that connections can't take those that
/// the store needs: a client without credentials would otherwise shut out every other.
enum DescriptorLimit {
    /// What is kept from the connections that are served: the store's files and readers, the event loops, the listeners,
    /// and the 128 connections that are only told that there are too many.
    private static let reserved = 256

    /// Raises the soft limit as far as `connectionsWanted` need it and the hard limit lets it.
    ///
    /// - Returns: how many connections may be served at once, at least one.
    static func connectionsMax(wanted connectionsWanted: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return connectionsWanted }
        let needed = rlim_t(connectionsWanted + reserved)
        if limit.rlim_cur < needed {
            var raised = limit
            raised.rlim_cur = min(needed, limit.rlim_max)
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
        }
        return limit.rlim_cur >= needed ? connectionsWanted : max(1, Int(limit.rlim_cur) - reserved)
    }
}
