import CLinux
import Glibc

/// The sole owner of one epoll instance (`epoll(7)`), level-triggered.
struct Poller: ~Copyable, Sendable {
    /// The epoll descriptor; readable when a watched socket is ready.
    let descriptor: Int32

    /// The maximum number of sockets that one ``wait(_:)`` reports.
    static let eventsMax = 64

    /// The events for which a watched socket is ready.
    struct Readiness: OptionSet {
        let rawValue: UInt32
        static let reading = Readiness(rawValue: EPOLLIN.rawValue)
        static let writing = Readiness(rawValue: EPOLLOUT.rawValue)
        /// An error, or the end of both directions. Always reported, even if not requested.
        static let gone = Readiness(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
    }

    init() throws(HTTPServerError) {
        let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .systemCall("epoll_create1", errno: errno) }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Watches a socket until its descriptor is closed.
    ///
    /// - Parameter token: identifies the socket in ``wait(_:)``.
    func add(_ socket: Int32, token: UInt64, for readiness: Readiness) throws(HTTPServerError) {
        try control(EPOLL_CTL_ADD, socket, token, readiness)
    }

    /// Changes the events for which a socket is watched.
    func change(_ socket: Int32, token: UInt64, to readiness: Readiness) throws(HTTPServerError) {
        try control(EPOLL_CTL_MOD, socket, token, readiness)
    }

    /// Calls the body for each socket that is ready now, at most ``eventsMax``, without waiting.
    ///
    /// - Returns: the number of sockets.
    func wait(_ body: (_ token: UInt64, _ readiness: Readiness) -> Void) -> Int {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.eventsMax) { events in
            let count = Int(epoll_wait(descriptor, events.baseAddress, Int32(events.count), 0))
            // EINTR is the only possible error, and the caller polls repeatedly.
            guard count > 0 else { return 0 }
            for event in events[..<count] { body(event.data.u64, Readiness(rawValue: event.events)) }
            return count
        }
    }

    private func control(
        _ operation: Int32, _ socket: Int32, _ token: UInt64, _ readiness: Readiness
    ) throws(HTTPServerError) {
        var event = epoll_event()
        event.events = readiness.rawValue
        event.data.u64 = token
        guard epoll_ctl(descriptor, operation, socket, &event) == 0 else {
            throw .systemCall("epoll_ctl", errno: errno)
        }
    }
}
