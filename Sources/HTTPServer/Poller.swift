import CLinux
import Glibc

/// Sole owner of one epoll instance (`epoll(7)`), level-triggered.
struct Poller: ~Copyable, Sendable {
    /// Readable when a watched socket is ready.
    let descriptor: Int32

    /// How many sockets ``wait(_:)`` gives at most.
    static let eventsMax = 64

    /// What a watched socket is ready for.
    struct Readiness: OptionSet {
        let rawValue: UInt32
        static let reading = Readiness(rawValue: EPOLLIN.rawValue)
        static let writing = Readiness(rawValue: EPOLLOUT.rawValue)
        /// An error, or the end of both directions; told whether asked for or not.
        static let gone = Readiness(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
    }

    init() throws(HTTPServerError) {
        let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .systemCall("epoll_create1", errno: errno) }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Watches a socket. Closing its descriptor ends that.
    ///
    /// - Parameter token: what ``wait(_:)`` names the socket by.
    func add(_ socket: Int32, token: UInt64, for readiness: Readiness) throws(HTTPServerError) {
        try control(EPOLL_CTL_ADD, socket, token, readiness)
    }

    /// Changes what a socket is watched for.
    func change(_ socket: Int32, token: UInt64, to readiness: Readiness) throws(HTTPServerError) {
        try control(EPOLL_CTL_MOD, socket, token, readiness)
    }

    /// Gives the sockets that are ready now to the body, at most ``eventsMax``, without waiting.
    ///
    /// - Returns: how many there were.
    func wait(_ body: (_ token: UInt64, _ readiness: Readiness) -> Void) -> Int {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.eventsMax) { events in
            let count = Int(epoll_wait(descriptor, events.baseAddress, Int32(events.count), 0))
            // EINTR is the only possible error, and the caller polls again.
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
