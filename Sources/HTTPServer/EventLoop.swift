import Dispatch
import HTTP
import Synchronization

/// One serial queue and the connections that live on it.
actor EventLoop {
    nonisolated let executor: QueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let context: ServerContext
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var currentDate: HTTPDate
    private var timer: (any DispatchSourceTimer)?
    private var timerIsRunning = false
    /// When stopping: what remains is cut then.
    private var cutDeadline: UInt64?
    private var drained: CheckedContinuation<Void, Never>?

    init(label: String, context: ServerContext) {
        executor = QueueExecutor(label: label)
        self.context = context
        currentDate = HTTPDate(unixSeconds: context.clock())
    }

    /// The date for responses, formatted once a second.
    func date() -> HTTPDate {
        let seconds = context.clock()
        if seconds != currentDate.unixSeconds { currentDate = HTTPDate(unixSeconds: seconds) }
        return currentDate
    }

    /// Takes a connection in.
    func add(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = connection
        if !timerIsRunning { runTimer() }
    }

    /// Lets go of a connection that is closed.
    func remove(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = nil
        context.connectionCount.subtract(1, ordering: .relaxed)
        guard connections.isEmpty else { return }
        drained?.resume()
        drained = nil
    }

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

    /// Ends the timer, without which the loop does nothing of its own. The loop must be drained.
    func end() {
        guard let timer else { return }
        // A suspended source must not be released.
        if !timerIsRunning { timer.resume() }
        timer.cancel()
        self.timer = nil
    }

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

extension HTTPServerConfiguration {
    /// The shortest of the deadlines, in seconds.
    var shortestTimeoutSeconds: Double {
        [
            headerTimeoutSeconds, bodyTimeoutSeconds, bodyStallTimeoutSeconds, idleTimeoutSeconds, writeTimeoutSeconds,
            lingerTimeoutSeconds,
        ].reduce(.infinity, min)
    }
}
