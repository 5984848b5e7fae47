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

    private let context: ServerContext
    private let poller: Poller
    private var source: (any DispatchSourceRead)?
    private var connections: [UInt64: Connection] = [:]
    private var listeners: [UInt64: Listener] = [:]
    private var lastToken: UInt64 = 0
    private var currentDate: HTTPDate
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
        let seconds = context.clock()
        if seconds != currentDate.unixSeconds { currentDate = HTTPDate(unixSeconds: seconds) }
        return currentDate
    }

    // MARK: Sockets

    /// Takes a connection in, and gives its token. Fails when the kernel can't watch one more socket.
    func add(_ connection: Connection, _ socket: Int32) -> Result<UInt64, HTTPServerError> {
        let token = newToken(socket)
        if case .success(let token) = token { connections[token] = connection }
        if !timerIsRunning { runTimer() }
        return token
    }

    /// Takes a listener in, and gives its token. Fails when the kernel can't watch one more socket.
    func add(_ listener: Listener, _ socket: Int32) -> Result<UInt64, HTTPServerError> {
        let token = newToken(socket)
        if case .success(let token) = token { listeners[token] = listener }
        return token
    }

    private func newToken(_ socket: Int32) -> Result<UInt64, HTTPServerError> {
        Result { () throws(HTTPServerError) in
            lastToken += 1
            try poller.add(socket, token: lastToken, for: .reading)
            return lastToken
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

    /// Lets go of a connection that is closed.
    func removeConnection(_ token: UInt64) {
        connections[token] = nil
        guard connections.isEmpty else { return }
        drained?.resume()
        drained = nil
    }

    /// Lets go of a listener that is closed.
    func removeListener(_ token: UInt64) { listeners[token] = nil }

    private func poll() {
        // Asking again is cheaper than being woken again; but the tasks on this queue must have their turn.
        for _ in 0..<8 {
            let count = poller.wait { token, readiness in
                // A token that is not found was closed by an event just before.
                if let connection = connections[token] {
                    connection.assumeIsolated { $0.socketIsReady(readiness) }
                } else {
                    listeners[token]?.assumeIsolated { $0.acceptWaiting() }
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
        guard !connections.isEmpty else { return }
        await withCheckedContinuation { drained = $0 }
    }

    private func stopConnections(deadline: UInt64) {
        cutDeadline = deadline
        for connection in connections.values { connection.assumeIsolated { $0.stop() } }
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
        guard !connections.isEmpty else {
            timer?.suspend()
            timerIsRunning = false
            return
        }
        let now = Monotonic.now
        let isCut = cutDeadline.map { $0 <= now } ?? false
        for connection in connections.values {
            connection.assumeIsolated { isCut ? $0.close() : $0.checkDeadline(now: now) }
        }
    }
}
