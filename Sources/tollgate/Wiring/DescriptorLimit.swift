import Glibc

/// The process's limit on open descriptors (`getrlimit(2)`). A part of it is reserved, so that connections can't exhaust
/// the descriptors that the store needs. Otherwise a client without credentials could block all other clients.
enum DescriptorLimit {
    /// The number of descriptors that served connections can't use. They are for the store's files and readers, the event
    /// loops, the listeners, and the 128 connections that are only told that there are too many.
    private static let reserved = 256

    /// Raises the soft limit as far as `connectionsWanted` connections need, at most to the hard limit.
    ///
    /// - Returns: the number of connections that may be served at once, at least one.
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
