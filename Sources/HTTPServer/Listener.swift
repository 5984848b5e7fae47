import Dispatch
import Glibc
import HTTP

/// A listening socket. Distributes the connections that it accepts to the event loops in turn.
actor Listener {
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.unownedExecutor }

    /// The address at which it listens.
    nonisolated let address: BoundAddress

    /// Nil once closed.
    private var socket: Socket?
    /// The socket's token in its event loop.
    private var token: UInt64 = 0
    private let loop: EventLoop
    private let loops: [EventLoop]
    private let context: ServerContext
    /// Whether another process created the socket and still holds it.
    private let isInherited: Bool
    private var nextLoop = 0
    private var isPaused = false

    /// The size of the kernel's send buffer for one connection, in bytes.
    private static let sendBytesMax: Int32 = 128 * 1024
    /// The pause before the next attempt when descriptors or memory have run out.
    private static let pauseMilliseconds = 100

    /// Creates a socket that listens.
    ///
    /// - Parameter loops: the event loops, at least one. The first one also accepts.
    init(_ address: SocketAddress, loops: [EventLoop], context: ServerContext) throws(HTTPServerError) {
        let socket = try Socket.stream(family: address.family)
        try Self.prepare(socket, context)
        self.address = try socket.listen(at: address, backlogMax: context.configuration.backlogMax)
        self.socket = consume socket
        self.loops = loops
        self.context = context
        isInherited = false
        loop = loops[0]
    }

    /// Takes over a socket that already listens.
    init(
        inheriting socket: consuming Socket, loops: [EventLoop], context: ServerContext
    ) throws(HTTPServerError) {
        address = try socket.takeOver()
        try Self.prepare(socket, context)
        self.socket = consume socket
        self.loops = loops
        self.context = context
        isInherited = true
        loop = loops[0]
    }

    private static func prepare(_ socket: borrowing Socket, _ context: ServerContext) throws(HTTPServerError) {
        let milliseconds = Int32(clamping: max(1, context.timeouts.write / 1_000_000))
        try socket.setAccepted(sendBytesMax: sendBytesMax, takeMilliseconds: milliseconds)
    }

    /// Starts accepting.
    func start() -> Result<Void, HTTPServerError> {
        guard let descriptor = socket?.descriptor else { return .success(()) }
        return loop.assumeIsolated { $0.add(self, descriptor) }.map { token = $0 }
    }

    /// Stops listening. Clients that are already connected are still accepted; those of an inherited socket are left to
    /// the process that holds it next.
    func close() {
        guard socket != nil else { return }
        if !isInherited { acceptWaiting(countMax: Int(context.configuration.backlogMax)) }
        socket = nil
        loop.assumeIsolated { [token] in $0.removeListener(token) }
    }

    /// Accepts some of the waiting connections.
    func acceptWaiting() { acceptWaiting(countMax: 64) }

    private func acceptWaiting(countMax: Int) {
        for _ in 0..<countMax {
            do throws(HTTPServerError) {
                guard let (descriptor, address) = try socket?.accept() else { return }
                serve(Socket(owning: descriptor), address)
            } catch .systemCall(_, let code) where code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM
            {
                // The connection stays in the kernel's queue, and would raise this event repeatedly.
                return pause()
            } catch {
                // An error of the accepted connection itself (accept(2)): the next connection may succeed.
                continue
            }
        }
    }

    private func serve(_ socket: consuming Socket, _ address: SocketAddress) {
        let peer = address.peer
        guard let place = context.connections.place(for: peer.isLoopback ? nil : address.network) else {
            return context.counters.connectionsRefused.count()
        }
        if place.isRefused {
            context.counters.connectionsRefused.count()
            // A 503 over TLS would require a handshake, which would add to the overload.
            guard context.configuration.tls == nil else { return }
        } else {
            context.counters.connectionsAccepted.count()
        }
        let loop = loops[nextLoop]
        nextLoop = (nextLoop + 1) % loops.count
        let descriptor = socket.release()
        loop.executor.queue.async { loop.assumeIsolated { $0.serve(descriptor, peer: peer, place: place) } }
    }

    private func pause() {
        guard !isPaused else { return }
        isPaused = true
        watch(for: [])
        loop.executor.queue.asyncAfter(deadline: .now() + .milliseconds(Self.pauseMilliseconds)) {
            self.assumeIsolated { $0.resume() }
        }
    }

    private func resume() {
        isPaused = false
        watch(for: .reading)
    }

    private func watch(for readiness: Poller.Readiness) {
        guard let descriptor = socket?.descriptor else { return }
        loop.assumeIsolated { [token] in $0.watch(token, descriptor, for: readiness) }
    }
}
