import Dispatch
import Glibc
import HTTP
import Synchronization

/// One listening socket; deals the connections it accepts to the event loops in turn.
actor Listener {
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.unownedExecutor }

    /// Where it listens.
    nonisolated let address: BoundAddress

    private let socket: Socket
    private let loop: EventLoop
    private let loops: [EventLoop]
    private let context: ServerContext
    private var nextLoop = 0
    private var source: (any DispatchSourceRead)?
    private var isAccepting = false
    private var closed: CheckedContinuation<Void, Never>?

    /// Connections beyond the limit that are still told so; beyond these, they are just closed.
    private static let refusedConnectionsMax = 128
    /// Between two attempts when descriptors or memory have run out.
    private static let pauseMilliseconds = 100

    /// Listens.
    ///
    /// - Parameter loops: at least one; the first also accepts.
    init(_ address: SocketAddress, loops: [EventLoop], context: ServerContext) throws(HTTPServerError) {
        let socket = try Socket.stream(family: address.family)
        self.address = try socket.listen(at: address, backlogMax: context.configuration.backlogMax)
        self.socket = socket
        self.loops = loops
        self.context = context
        loop = loops[0]
    }

    /// Begins to accept.
    func start() {
        let source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: loop.executor.queue)
        source.setEventHandler { self.assumeIsolated { $0.acceptWaiting(countMax: 64) } }
        source.setCancelHandler { self.assumeIsolated { $0.sourceDidCancel() } }
        self.source = source
        isAccepting = true
        source.activate()
    }

    /// Serves those who are already connected, and no one after them.
    func close() async {
        guard let source else { return }
        acceptWaiting(countMax: Int(context.configuration.backlogMax))
        // A suspended source never runs its cancel handler.
        if !isAccepting { source.resume() }
        self.source = nil
        await withCheckedContinuation {
            closed = $0
            source.cancel()
        }
    }

    private func sourceDidCancel() {
        closed?.resume()
        closed = nil
    }

    private func acceptWaiting(countMax: Int) {
        for _ in 0..<countMax {
            do throws(HTTPServerError) {
                guard let (descriptor, address) = try socket.accept() else { return }
                serve(Socket(owning: descriptor), peer: address.peer)
            } catch .systemCall(_, let code) where code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM
            {
                // The connection stays in the kernel's queue, and would raise this event again without end.
                return pause()
            } catch {
                // Errors of the connection that was to be accepted (accept(2)): the next may be well.
                continue
            }
        }
    }

    private func serve(_ socket: consuming Socket, peer: Peer) {
        let count = context.connectionCount.add(1, ordering: .relaxed).newValue
        let isRefused = count > context.configuration.connectionsMax
        guard count <= context.configuration.connectionsMax + Self.refusedConnectionsMax else {
            context.connectionCount.subtract(1, ordering: .relaxed)
            return
        }
        // Responses are written whole, so waiting for more to send only delays them.
        try? socket.setOption(level: Int32(IPPROTO_TCP), TCP_NODELAY, to: 1)
        let loop = loops[nextLoop]
        nextLoop = (nextLoop + 1) % loops.count
        let connection = Connection(socket, peer: peer, loop: loop, context: context)
        loop.executor.queue.async { connection.assumeIsolated { $0.start(isRefused: isRefused) } }
    }

    private func pause() {
        guard isAccepting, let source else { return }
        isAccepting = false
        source.suspend()
        loop.executor.queue.asyncAfter(deadline: .now() + .milliseconds(Self.pauseMilliseconds)) {
            self.assumeIsolated { $0.resume() }
        }
    }

    private func resume() {
        guard !isAccepting, let source else { return }
        isAccepting = true
        source.resume()
    }
}
