import CLinux
import Glibc

/// Sole owner of an epoll instance that watches a client's sockets.
struct LoadPoller: ~Copyable {
    private let descriptor: Int32

    init() throws {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw BenchFailure(systemCall: "epoll_create1") }
    }

    deinit { close(descriptor) }

    /// Watches a socket for received bytes. ``wait(milliseconds:_:)`` reports it by `number`. Closing the socket ends the
    /// watch.
    func add(_ socket: Int32, number: Int) throws { try control(EPOLL_CTL_ADD, socket, number, EPOLLIN.rawValue) }

    /// Starts or stops watching a socket for room to send, too.
    func watch(_ socket: Int32, number: Int, forRoom: Bool) throws {
        try control(EPOLL_CTL_MOD, socket, number, EPOLLIN.rawValue | (forRoom ? EPOLLOUT.rawValue : 0))
    }

    private func control(_ operation: Int32, _ socket: Int32, _ number: Int, _ events: UInt32) throws {
        var event = epoll_event()
        event.events = events
        event.data.u64 = UInt64(number)
        guard epoll_ctl(descriptor, operation, socket, &event) == 0 else { throw BenchFailure(systemCall: "epoll_ctl") }
    }

    /// Waits for events and passes them to the body.
    ///
    /// - Returns: whether there was an event.
    func wait(milliseconds: Int32, _ body: (_ number: Int, _ hasRoom: Bool, _ hasBytes: Bool) throws -> Void) throws
        -> Bool
    {
        try withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 256) { events in
            var count = epoll_wait(descriptor, events.baseAddress, 256, milliseconds)
            while count < 0, errno == EINTR { count = epoll_wait(descriptor, events.baseAddress, 256, milliseconds) }
            guard count >= 0 else { throw BenchFailure(systemCall: "epoll_wait") }
            for event in events[..<Int(count)] {
                let hasRoom = event.events & EPOLLOUT.rawValue != 0
                try body(Int(event.data.u64), hasRoom, event.events & ~EPOLLOUT.rawValue != 0)
            }
            return count > 0
        }
    }
}
