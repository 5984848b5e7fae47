import Dispatch
import Glibc
public import HTTP
import HTTPTypes
import Synchronization

/// An HTTP server on POSIX sockets and Dispatch.
///
/// Each connection belongs to one of a few serial queues, on which requests are parsed, handled and answered. The
/// handler is called there too, so it must not block.
public final class HTTPServer: Sendable {
    private struct State {
        var loops: [EventLoop] = []
        var listeners: [Listener] = []
        var isStopped = false
    }

    private let context: ServerContext
    private let state = Mutex(State())

    /// Creates a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - refusalResponse: the response to requests that never reach the handler; by default the status as plain text.
    ///   - clock: returns seconds since 1970-01-01 00:00:00 UTC, used only for the `Date` field. Called on every event
    ///     loop.
    ///   - handler: handles requests. Called on every event loop.
    public init(
        configuration: HTTPServerConfiguration = HTTPServerConfiguration(),
        refusalResponse: @escaping RefusalResponse = HTTPServer.plainRefusalResponse,
        clock: @escaping @Sendable () -> Int64,
        handler: @escaping Handler
    ) {
        context = ServerContext(
            configuration: configuration, handler: handler, refusalResponse: refusalResponse, clock: clock)
    }

    /// Starts listening. May be called for several addresses.
    ///
    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address, or a name, all of whose addresses are bound: `localhost` is both 127.0.0.1
    ///     and ::1, `::` is all IPv4 and IPv6 addresses.
    ///   - port: the port; 0 lets the system choose.
    /// - Returns: the first bound address.
    /// - Throws: ``HTTPServerError`` if no address could be bound.
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

    /// Starts listening on an inherited socket, such as one from `systemd` socket activation.
    ///
    /// - Parameter descriptor: a listening TCP socket. The server takes ownership of it, even if this throws.
    /// - Returns: the address at which it listens.
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

    /// The server's counters.
    public var statistics: HTTPServerStatistics {
        context.counters.snapshot(connectionsOpen: context.connections.servedCount)
    }

    /// Returns after every event loop has run a block: within milliseconds, unless an event loop is blocked.
    public func pingEventLoops() async {
        for loop in state.withLock(\.loops) {
            await withCheckedContinuation { continuation in loop.executor.queue.async { continuation.resume() } }
        }
    }

    /// Stops the server: stops listening, closes idle connections after a grace period, and finishes the requests in
    /// flight, with a notice to their clients that the connection ends. Returns when every connection is closed.
    ///
    /// - Parameter seconds: the time after which requests still in flight are cut off.
    /// - Returns: the number of connections that were cut off with a request in flight.
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

    /// The event loops; started by the first call.
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

    /// The number of processors, which is also the default number of event loops.
    static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Creates a response with the status's reason phrase as plain text.
    public static let plainRefusalResponse: RefusalResponse = { status, _ in
        Response(status: status, contentType: "text/plain", body: Array("\(status.reasonPhrase)\n".utf8))
    }
}
