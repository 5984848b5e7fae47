import Dispatch
import Glibc
public import HTTP
import HTTPTypes
import Synchronization

/// An HTTP server on POSIX sockets and Dispatch.
///
/// Each connection lives on one of a few serial queues, where requests are parsed, handled and answered. The handler
/// is called there too, so it must not block.
public final class HTTPServer: Sendable {
    private struct State {
        var loops: [EventLoop] = []
        var listeners: [Listener] = []
        var isStopped = false
    }

    private let context: ServerContext
    private let state = Mutex(State())

    /// Makes a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - refusalResponse: the response to requests that never reach the handler; by default the status in plain text.
    ///   - clock: seconds since 1970-01-01 00:00:00 UTC, for the `Date` field and nothing else. Called on every event loop.
    ///   - handler: answers requests. Called on every event loop.
    public init(
        configuration: HTTPServerConfiguration = HTTPServerConfiguration(),
        refusalResponse: @escaping RefusalResponse = HTTPServer.plainRefusalResponse,
        clock: @escaping @Sendable () -> Int64,
        handler: @escaping Handler
    ) {
        context = ServerContext(
            configuration: configuration, handler: handler, refusalResponse: refusalResponse, clock: clock)
    }

    /// Begins to listen; may be called for several addresses.
    ///
    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address, or a name, of which every address is bound: `localhost` is both 127.0.0.1 and ::1,
    ///     `::` is all addresses of both kinds.
    ///   - port: 0 lets the system choose.
    /// - Returns: the first address that was bound.
    /// - Throws: ``HTTPServerError`` when no address could be bound.
    @discardableResult
    public func start(host: String, port: UInt16) throws(HTTPServerError) -> BoundAddress {
        let loops = try startedLoops()
        var bound: BoundAddress?
        var failure = HTTPServerError.unknownHost(host)
        for var address in try SocketAddress.resolve(host) {
            address.port = bound?.port ?? port
            do throws(HTTPServerError) {
                let listener = try Listener(address, loops: loops, context: context)
                try begin(listener, on: loops[0])
                bound = bound ?? listener.address
            } catch .stopped {
                throw .stopped
            } catch {
                failure = error
            }
        }
        guard let bound else { throw failure }
        return bound
    }

    /// Begins to listen on a socket that another process made, such as `systemd` for a service that it activates.
    ///
    /// - Parameter descriptor: of a TCP socket that listens. Becomes the server's own, also when this throws.
    /// - Returns: where it listens.
    @discardableResult
    public func start(inheriting descriptor: Int32) throws(HTTPServerError) -> BoundAddress {
        let socket = Socket(owning: descriptor)
        let loops = try startedLoops()
        let listener = try Listener(inheriting: socket, loops: loops, context: context)
        try begin(listener, on: loops[0])
        return listener.address
    }

    private func begin(_ listener: Listener, on loop: EventLoop) throws(HTTPServerError) {
        try loop.executor.queue.sync { listener.assumeIsolated { $0.start() } }.get()
        let isStopped = state.withLock { state in
            if !state.isStopped { state.listeners.append(listener) }
            return state.isStopped
        }
        guard isStopped else { return }
        loop.executor.queue.sync { listener.assumeIsolated { $0.close() } }
        throw .stopped
    }

    /// What the server has done, and is doing.
    public var statistics: HTTPServerStatistics {
        context.counters.snapshot(connectionsOpen: context.connections.servedCount)
    }

    /// Returns once every event loop has run a block: within milliseconds, unless something blocks one.
    public func pingEventLoops() async {
        for loop in state.withLock(\.loops) {
            await withCheckedContinuation { continuation in loop.executor.queue.async { continuation.resume() } }
        }
    }

    /// Stops: listens no more, closes idle connections after a moment, finishes the requests in flight and tells their
    /// clients that the connection ends. Returns when every connection is closed.
    ///
    /// - Parameter seconds: after so many, what is still in flight is cut.
    /// - Returns: how many connections were cut that had a request in flight.
    @discardableResult
    public func stop(withinSeconds seconds: Double) async -> Int {
        let deadline = Monotonic.after(Monotonic.now, Monotonic.nanoseconds(seconds))
        let (listeners, loops) = state.withLock { state in
            state.isStopped = true
            defer {
                state.listeners = []
                state.loops = []
            }
            return (state.listeners, state.loops)
        }
        for listener in listeners { await listener.close() }
        let cutCount = await withTaskGroup { group in
            for loop in loops { group.addTask { await loop.drain(deadline: deadline) } }
            return await group.reduce(0, +)
        }
        for loop in loops { await loop.end() }
        return cutCount
    }

    /// The event loops, which the first call starts.
    private func startedLoops() throws(HTTPServerError) -> [EventLoop] {
        try state.withLock { state throws(HTTPServerError) in
            guard !state.isStopped else { throw .stopped }
            guard state.loops.isEmpty else { return state.loops }
            let configured = context.configuration.eventLoopCount
            let count = configured > 0 ? configured : Self.processorCount
            var loops: [EventLoop] = []
            for index in 0..<count { loops.append(try EventLoop(label: "http.loop.\(index)", context: context)) }
            for loop in loops { loop.executor.queue.async { loop.assumeIsolated { $0.start() } } }
            state.loops = loops
            return loops
        }
    }

    /// How many processors there are, and event loops unless the configuration says otherwise.
    static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// The status's reason phrase in plain text.
    public static let plainRefusalResponse: RefusalResponse = { status, _ in
        Response(status: status, contentType: "text/plain", body: Array("\(status.reasonPhrase)\n".utf8))
    }
}
