import Dispatch
import HTTP
import Synchronization

/// One serial queue and the sockets that live on it.
///
/// Dispatch watches the loop's ``Poller`` alone, and that the sockets: a Dispatch source for each socket is no match
/// for connections that are reset. On Linux such a source may lose its registration or be used after it was freed
/// (swift-corelibs-libdispatch issues 833 and 949), which any client could bring about.
actor EventLoop {
    nonisolated let executor: QueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Whose a socket is.
    private enum Owner {
        case connection(Connection)
        case listener(Listener)
    }

    private let context: ServerContext
    private let poller: Poller
    private var source: (any DispatchSourceRead)?
    private var sockets = TokenTable<Owner>()
    private var connectionCount = 0
    private var currentDate: HTTPDate
    /// While a batch of events is handled, one reading of the clock serves all.
    private var isPolling = false
    private var timer: (any DispatchSourceTimer)?
    private var timerIsRunning = false
    /// When stopping: what remains is cut then.
    private var cutDeadline: UInt64?
    private var drained: CheckedContinuation<Void, Never>?

    init(label: String, context: ServerContext) throws(HTTPServerError) {
        executor = QueueExecutor(label: label)
        self.context = context
        currentDate = HTTPDate(unixSeconds: context.clock())
        poller = try Poller()
    }

    /// Begins to watch sockets.
    func start() {
        let source = DispatchSource.makeReadSource(fileDescriptor: poller.descriptor, queue: executor.queue)
        // Both handlers keep the loop, and with it the poller's descriptor, until the source is cancelled.
        source.setEventHandler { self.assumeIsolated { $0.poll() } }
        source.setCancelHandler { withExtendedLifetime(self) {} }
        source.activate()
        self.source = source
    }

    /// Ends what ``start()`` began. The loop must be drained.
    func end() {
        source?.cancel()
        source = nil
        guard let timer else { return }
        // A suspended source must not be released.
        if !timerIsRunning { timer.resume() }
        timer.cancel()
        self.timer = nil
    }

    /// The date for responses, formatted once a second.
    func date() -> HTTPDate {
        if !isPolling { readClock() }
        return currentDate
    }

    private func readClock() {
        let seconds = context.clock()
        if seconds != currentDate.unixSeconds { currentDate = HTTPDate(unixSeconds: seconds) }
    }

    // MARK: Sockets

    /// Takes a connection in, and gives its token. Fails when the kernel can't watch one more socket.
    func add(_ connection: Connection, _ socket: Int32) -> Result<UInt64, HTTPServerError> {
        let token = add(.connection(connection), socket)
        if case .success = token { connectionCount += 1 }
        if !timerIsRunning { runTimer() }
        return token
    }

    /// Takes a listener in, and gives its token. Fails when the kernel can't watch one more socket.
    func add(_ listener: Listener, _ socket: Int32) -> Result<UInt64, HTTPServerError> {
        add(.listener(listener), socket)
    }

    private func add(_ owner: Owner, _ socket: Int32) -> Result<UInt64, HTTPServerError> {
        Result { () throws(HTTPServerError) in
            let token = sockets.nextToken
            try poller.add(socket, token: token, for: .reading)
            sockets.insert(owner)
            return token
        }
    }

    /// Changes what a socket is watched for.
    func watch(_ token: UInt64, _ socket: Int32, for readiness: Poller.Readiness) {
        do throws(HTTPServerError) {
            try poller.change(socket, token: token, to: readiness)
        } catch {
            preconditionFailure("a socket is watched until it is closed: \(error)")
        }
    }

    private var connections: some Sequence<Connection> {
        sockets.elements.lazy.compactMap { owner in
            guard case .connection(let connection) = owner else { return nil }
            return connection
        }
    }

    /// Lets go of a connection that is closed.
    func removeConnection(_ token: UInt64) {
        if sockets.remove(token) != nil { connectionCount -= 1 }
        guard connectionCount == 0 else { return }
        drained?.resume()
        drained = nil
    }

    /// Lets go of a listener that is closed.
    func removeListener(_ token: UInt64) { sockets.remove(token) }

    private func poll() {
        isPolling = true
        defer { isPolling = false }
        // Asking again is cheaper than being woken again; but the tasks on this queue must have their turn.
        for _ in 0..<8 {
            readClock()
            let count = poller.wait { token, readiness in
                switch sockets[token] {
                case .connection(let connection): connection.assumeIsolated { $0.socketIsReady(readiness) }
                case .listener(let listener): listener.assumeIsolated { $0.acceptWaiting() }
                // Closed by an event just before.
                case nil: break
                }
            }
            if count == 0 { return }
        }
    }

    // MARK: Stopping

    /// Returns when all connections are closed: those without a request at once, the others with their answers,
    /// and what remains at the deadline regardless.
    func drain(deadline: UInt64) async {
        stopConnections(deadline: deadline)
        guard connectionCount > 0 else { return }
        await withCheckedContinuation { drained = $0 }
    }

    private func stopConnections(deadline: UInt64) {
        cutDeadline = deadline
        for connection in connections { connection.assumeIsolated { $0.stop() } }
    }

    // MARK: Deadlines

    private func runTimer() {
        timerIsRunning = true
        if let timer { return timer.resume() }
        let timer = DispatchSource.makeTimerSource(queue: executor.queue)
        let seconds = max(0.01, min(0.25, context.configuration.shortestTimeoutSeconds / 4))
        timer.schedule(deadline: .now() + seconds, repeating: seconds, leeway: .milliseconds(10))
        timer.setEventHandler { [weak self] in self?.assumeIsolated { $0.sweep() } }
        timer.activate()
        self.timer = timer
    }

    /// Looks at every deadline. One timer a loop costs less than setting one for each request.
    private func sweep() {
        guard connectionCount > 0 else {
            timer?.suspend()
            timerIsRunning = false
            return
        }
        let now = Monotonic.now
        let isCut = cutDeadline.map { $0 <= now } ?? false
        for connection in connections {
            connection.assumeIsolated { isCut ? $0.close() : $0.checkDeadline(now: now) }
        }
    }
}
