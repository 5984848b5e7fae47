internal import CLibPQ
internal import Dispatch
internal import Glibc

/// Reports on a queue when a session's socket is ready.
///
/// Dispatch watches an epoll instance, which watches the socket. On Linux a Dispatch source may lose its registration
/// when the socket is reset (swift-corelibs-libdispatch issue 833). libpq also opens a new socket for each address that
/// it tries.
final class Readiness {
    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private var watched: (socket: Int32, events: UInt32)?

    /// Returns nil if the process has no file descriptor left.
    init?(queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
        let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: handler)
        source.setCancelHandler { close(descriptor) }
        source.activate()
    }

    deinit { source.cancel() }

    /// Watches a socket for input, and optionally until it is writable.
    func watch(_ socket: Int32, forWriting: Bool) {
        let events = EPOLLIN.rawValue | (forWriting ? EPOLLOUT.rawValue : 0)
        if let watched, watched == (socket, events) { return }
        control(socket, events)
    }

    /// Registers the socket again: libpq may have opened a new socket under the same number.
    func watchAnew(_ socket: Int32, forReading: Bool, forWriting: Bool) {
        control(socket, (forReading ? EPOLLIN.rawValue : 0) | (forWriting ? EPOLLOUT.rawValue : 0))
    }

    private func control(_ socket: Int32, _ events: UInt32) {
        var event = epoll_event()
        event.events = events
        if epoll_ctl(descriptor, EPOLL_CTL_MOD, socket, &event) != 0 {
            // epoll removes a descriptor when it is closed.
            _ = epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event)
        }
        watched = (socket, events)
    }
}
