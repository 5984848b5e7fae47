internal import CLibPQ
internal import Dispatch
internal import Glibc

/// Tells on a queue when a session's socket is ready.
///
/// Dispatch watches an epoll instance, and that the socket: on Linux a Dispatch source for a socket may lose its
/// registration when the socket is reset (swift-corelibs-libdispatch issue 833), and libpq opens another socket whenever
/// it tries another address.
final class Readiness {
    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private var watched: (socket: Int32, events: UInt32)?

    /// Nothing if the process has no descriptor left.
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

    /// Watches a socket for input, and for room to write if that is wanted.
    func watch(_ socket: Int32, forWriting: Bool) {
        let events = EPOLLIN.rawValue | (forWriting ? EPOLLOUT.rawValue : 0)
        if let watched, watched == (socket, events) { return }
        control(socket, events)
    }

    /// Watches a socket that may be another one of the same number.
    func watchAnew(_ socket: Int32, forReading: Bool, forWriting: Bool) {
        control(socket, (forReading ? EPOLLIN.rawValue : 0) | (forWriting ? EPOLLOUT.rawValue : 0))
    }

    private func control(_ socket: Int32, _ events: UInt32) {
        var event = epoll_event()
        event.events = events
        if epoll_ctl(descriptor, EPOLL_CTL_MOD, socket, &event) != 0 {
            // A descriptor that was closed since has left by itself.
            _ = epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event)
        }
        watched = (socket, events)
    }
}
