import Dispatch
import HTTP
import Synchronization

/// A serial queue and the sockets that it serves.
///
/// Dispatch watches only the loop's ``Poller``, which watches the sockets. A Dispatch source for each socket is not
/// safe for connections that are reset: on Linux, such a source may lose its registration or be used after it was freed
/// (swift-corelibs-libdispatch issues 833 and 949), and any client could trigger this.
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
    /// The tokens of connections with more to do than one turn allows.
    private var deferred: [UInt64] = []
    /// The instant at which the loop was last entered, in nanoseconds of the monotonic clock.
    private(set) var now = Monotonic.now
    private var currentDate: HTTPDate
    private var dateIsCurrent = false
    private var timer: (any DispatchSourceTimer)?
    private var timerIsRunning = false
    /// The instant at which the remaining connections are closed; nil unless the loop is stopping.
    private var cutDeadline: UInt64?
    private var cutCount = 0
    private var drained: CheckedContinuation<Void, Never>?

    init(label: String, context: ServerContext) throws(HTTPServerError) {
        executor = QueueExecutor(label: label)
        self.context = context
        currentDate = HTTPDate(unixSeconds: context.clock())
        poller = try Poller()
    }

    /// Starts watching sockets.
    func start() {
        let source = DispatchSource.makeReadSource(fileDescriptor: poller.descriptor, queue: executor.queue)
        // Both handlers retain the loop, and so the poller's descriptor, until the source is cancelled.
        source.setEventHandler { self.assumeIsolated { $0.poll() } }
        source.setCancelHandler { withExtendedLifetime(self) {} }
        source.activate()
        self.source = source
    }

    /// Stops watching sockets. The loop must be drained.
    func end() {
        source?.cancel()
        source = nil
        guard let timer else { return }
        // A suspended source must not be released.
        if !timerIsRunning { timer.resume() }
        timer.cancel()
        self.timer = nil
    }

    /// The date for responses. The clock is read once per entry, and the date is formatted once per second.
    func date() -> HTTPDate {
        if !dateIsCurrent {
            let seconds = context.clock()
            if seconds != currentDate.unixSeconds { currentDate = HTTPDate(unixSeconds: seconds) }
            dateIsCurrent = true
        }
        return currentDate
    }

    /// The buffer into which connections receive bytes, one connection at a time.
    var receiveMemory: UnsafeMutableRawBufferPointer { plaintext.memory }
    /// The buffer into which connections receive bytes that TLS must decrypt.
    var ciphertextMemory: UnsafeMutableRawBufferPointer { ciphertext.memory }

    /// Overwrites received bytes after a connection has processed them.
    func wipeReceived(_ arrival: Transport.Arrival) {
        if case .bytes(let count) = arrival { plaintext.wipe(count) }
    }

    /// Updates the time. Every entry to the loop calls this first.
    private func enter() {
        now = Monotonic.now
        dateIsCurrent = false
    }

    // MARK: Sockets

    /// Serves a connection that a listener has accepted. Takes ownership of its descriptor.
    func serve(_ descriptor: Int32, peer: Peer, place: ConnectionPlace) {
        enter()
        let connection = Connection(
            Socket(owning: descriptor), tls: context.configuration.tls?(), peer: peer, place: place, now: now,
            context: context)
        connection.token = connections.insert(connection)
        do throws(HTTPServerError) {
            try poller.add(descriptor, token: connection.token, for: .reading)
        } catch {
            // The kernel has no memory for watching another socket.
            return connection.close(on: self)
        }
        if !timerIsRunning { runTimer() }
        if place.isRefused { connection.refuse(on: self) }
    }

    /// Adds a listener and returns its token. Fails if the kernel can't watch another socket.
    func add(_ listener: Listener, _ socket: Int32) -> Result<UInt64, HTTPServerError> {
        Result { () throws(HTTPServerError) in
            lastListener += 1
            let token = lastListener | 1 << 63
            try poller.add(socket, token: token, for: .reading)
            listeners[token] = listener
            return token
        }
    }

    /// Changes the events for which a socket is watched.
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
        // Polling repeatedly is cheaper than being woken for each event, but other tasks on this queue must also run.
        var eventsLeft = 2 * Poller.eventsMax
        while eventsLeft > 0 {
            let count = poller.wait { token, readiness in
                // A missing connection was closed while a previous event was handled.
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

    /// Gives a connection another turn after all sockets that are ready now.
    func deferTurn(of token: UInt64) {
        deferred.append(token)
        guard deferred.count == 1 else { return }
        executor.queue.async { self.assumeIsolated { $0.takeDeferredTurns() } }
    }

    private func takeDeferredTurns() {
        // Dispatch may take a while to report ready sockets.
        poll()
        let tokens = deferred
        deferred = []
        for token in tokens { connections[token]?.takeTurn(on: self) }
    }

    // MARK: Answers

    /// Runs an operation that may wait and responds to a request; nil means no response.
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
        // The connection may have been closed in the meantime.
        connections[token]?.answer(response, stream: stream, on: self)
    }

    /// Sends the pieces of a stream, each after the client has received the previous one.
    func send(_ source: any ResponseStream, for token: UInt64, stream: Int32) {
        Task.immediate {
            while let piece = await source.next() {
                guard await self.send(piece, for: token, stream: stream) else { return }
            }
            self.enter()
            self.connections[token]?.send(nil, stream: stream, resuming: nil, on: self)
        }
    }

    private func send(_ piece: [UInt8], for token: UInt64, stream: Int32) async -> Bool {
        enter()
        return await withCheckedContinuation { continuation in
            guard let connection = connections[token] else { return continuation.resume(returning: false) }
            connection.send(piece, stream: stream, resuming: continuation, on: self)
        }
    }

    // MARK: Stopping

    /// Returns when all connections are closed: those without a request after a grace period, the others after their
    /// responses, and all remaining ones at the deadline.
    ///
    /// - Returns: the number of connections that were closed with requests in flight.
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
            // Checked here and not before the call: connections may close before this closure runs (Swift issue 85668).
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

    /// Checks every deadline. One timer per loop costs less than a timer for each request.
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
