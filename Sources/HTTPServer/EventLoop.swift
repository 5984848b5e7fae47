import Dispatch
import HTTP
import Synchronization

/// One serial queue and the sockets that live on it.
///
/// Dispatch only watches the loop's ``Poller``, which watches the sockets: a Dispatch source for each socket is no match
/// for connections that are reset. On Linux such a source may lose its registration or be used after it was freed
/// (swift-corelibs-libdispatch issues 833 and 949), which any client could bring about.
actor EventLoop {
    nonisolated let executor: QueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let context: ServerContext
    private let poller: Poller
    private let plaintext = ReceiveBuffer(byteCount: 64 * 1024)
    private let ciphertext = ReceiveBuffer(byteCount: 32 * 1024)
    private var source: (any DispatchSourceRead)?
    private var connections = ConnectionTable()
    private var listeners: [UInt64: Listener] = [:]
    private var lastListener: UInt64 = 0
    /// Of connections that have more to do than one turn allows.
    private var deferred: [UInt64] = []
    /// When the loop was last entered, in nanoseconds of the monotonic clock.
    private(set) var now = Monotonic.now
    private var currentDate: HTTPDate
    private var dateIsCurrent = false
    private var timer: (any DispatchSourceTimer)?
    private var timerIsRunning = false
    /// When stopping: what remains is cut then.
    private var cutDeadline: UInt64?
    private var cutCount = 0
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

    /// The date for responses, asked for once an entry and formatted once a second.
    func date() -> HTTPDate {
        if !dateIsCurrent {
            let seconds = context.clock()
            if seconds != currentDate.unixSeconds { currentDate = HTTPDate(unixSeconds: seconds) }
            dateIsCurrent = true
        }
        return currentDate
    }

    /// What connections receive into, one at a time.
    var receiveMemory: UnsafeMutableRawBufferPointer { plaintext.memory }
    /// What they receive into what TLS has to decrypt.
    var ciphertextMemory: UnsafeMutableRawBufferPointer { ciphertext.memory }

    /// Overwrites what a connection has received and taken.
    func wipeReceived(_ arrival: Transport.Arrival) {
        if case .bytes(let count) = arrival { plaintext.wipe(count) }
    }

    /// Notes the time. Whatever enters the loop does so first.
    private func enter() {
        now = Monotonic.now
        dateIsCurrent = false
    }

    // MARK: Sockets

    /// Serves a connection that a listener has accepted, and whose descriptor becomes the loop's own.
    func serve(_ descriptor: Int32, peer: Peer, place: ConnectionPlace) {
        enter()
        let connection = Connection(
            Socket(owning: descriptor), tls: context.configuration.tls?(), peer: peer, place: place, now: now,
            context: context)
        connection.token = connections.insert(connection)
        do throws(HTTPServerError) {
            try poller.add(descriptor, token: connection.token, for: .reading)
        } catch {
            // The kernel has no memory for one more socket to watch.
            return connection.close(on: self)
        }
        if !timerIsRunning { runTimer() }
        if place.isRefused { connection.refuse(on: self) }
    }

    /// Takes a listener in, and gives its token. Fails when the kernel can't watch one more socket.
    func add(_ listener: Listener, _ socket: Int32) -> Result<UInt64, HTTPServerError> {
        Result { () throws(HTTPServerError) in
            lastListener += 1
            let token = lastListener | 1 << 63
            try poller.add(socket, token: token, for: .reading)
            listeners[token] = listener
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

    /// Removes a closed connection.
    func remove(_ token: UInt64) {
        connections.remove(token)
        guard connections.count == 0 else { return }
        drained?.resume()
        drained = nil
    }

    /// Removes a closed listener.
    func removeListener(_ token: UInt64) { listeners[token] = nil }

    private func poll() {
        enter()
        // Asking again is cheaper than being woken again; but the tasks on this queue must have their turn.
        var eventsLeft = 2 * Poller.eventsMax
        while eventsLeft > 0 {
            let count = poller.wait { token, readiness in
                // A token that is not found was closed by an event just before.
                if let connection = connections[token] {
                    connection.socketIsReady(readiness, on: self)
                } else {
                    listeners[token]?.assumeIsolated { $0.acceptWaiting() }
                }
            }
            if count == 0 { return }
            eventsLeft -= count
        }
    }

    // MARK: Turns

    /// Gives a connection another turn once what is ready now has had one.
    func deferTurn(of token: UInt64) {
        deferred.append(token)
        guard deferred.count == 1 else { return }
        executor.queue.async { self.assumeIsolated { $0.takeDeferredTurns() } }
    }

    private func takeDeferredTurns() {
        // Dispatch may take a while to tell what is ready.
        poll()
        let tokens = deferred
        deferred = []
        for token in tokens { connections[token]?.takeTurn(on: self) }
    }

    // MARK: Answers

    /// Has a request answered by an operation that may wait, or not at all.
    func perform(_ operation: @escaping @Sendable () async -> Response?, for token: UInt64, stream: Int32) {
        context.counters.requestsInFlight.add(1, ordering: .relaxed)
        Task.immediate {
            let response = await operation()
            self.answer(response, for: token, stream: stream)
        }
    }

    private func answer(_ response: Response?, for token: UInt64, stream: Int32) {
        context.counters.requestsInFlight.subtract(1, ordering: .relaxed)
        enter()
        // It may have been closed meanwhile.
        connections[token]?.answer(response, stream: stream, on: self)
    }

    // MARK: Stopping

    /// Returns when all connections are closed: those without a request after a moment of grace, the others with their
    /// answers, and what remains at the deadline regardless.
    ///
    /// - Returns: how many had requests in flight and were cut.
    func drain(deadline: UInt64) async -> Int {
        enter()
        cutDeadline = deadline
        let graceEnd = min(deadline, Monotonic.after(now, context.timeouts.stopGrace))
        forEachConnection { $0.stop(on: self, hasGrace: graceEnd > now) }
        if graceEnd > now, connections.count > 0 {
            executor.queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: graceEnd - now))) { [weak self] in
                self?.assumeIsolated { $0.endGrace() }
            }
        }
        await withCheckedContinuation { continuation in
            // Not before: nothing promises that no connection ends until this is run (Swift issue 85668).
            if connections.count > 0 { drained = continuation } else { continuation.resume() }
        }
        return cutCount
    }

    private func endGrace() {
        enter()
        forEachConnection { $0.endGrace(on: self) }
    }

    private func forEachConnection(_ body: (Connection) -> Void) {
        for place in 0..<connections.placeCount {
            if let connection = connections[place: place] { body(connection) }
        }
    }

    // MARK: Deadlines

    private func runTimer() {
        timerIsRunning = true
        if let timer { return timer.resume() }
        let timer = DispatchSource.makeTimerSource(queue: executor.queue)
        let seconds = max(0.01, min(0.25, Double(context.timeouts.shortest) / 4e9))
        timer.schedule(deadline: .now() + seconds, repeating: seconds, leeway: .milliseconds(10))
        timer.setEventHandler { [weak self] in self?.assumeIsolated { $0.sweep() } }
        timer.activate()
        self.timer = timer
    }

    /// Looks at every deadline. One timer a loop costs less than setting one for each request.
    private func sweep() {
        guard connections.count > 0 else {
            timer?.suspend()
            timerIsRunning = false
            return
        }
        enter()
        let isCut = cutDeadline.map { $0 <= now } ?? false
        forEachConnection { connection in
            guard isCut else { return connection.checkDeadline(on: self) }
            if connection.isUnderWay { cutCount += 1 }
            connection.close(on: self)
        }
    }
}
