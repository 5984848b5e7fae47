internal import Dispatch

/// One connection to the server, opened on first use and reopened after a loss.
///
/// It runs one exchange at a time. Callers with several queries send them in one exchange.
actor Connection {
    nonisolated let executor: QueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private enum Activity {
        case none
        case connecting(CheckedContinuation<String?, Never>)
        case exchanging(CheckedContinuation<Session.Received, Never>)
        case pausing(CheckedContinuation<Void, Never>)
    }

    private let address: ServerAddress
    /// Sent first on every new session.
    private let preparation: [Query]
    private let timing: Timing
    private var session: Session?
    private var readiness: Readiness?
    private var activity = Activity.none
    private var deadline = Deadline(afterMilliseconds: 0)
    private var ticker: Ticker?
    /// How many connection attempts have failed in a row, and the last error.
    private var failedAttempts = 0
    private var lastFailure = "PostgreSQL: no connection yet"

    init(to address: ServerAddress, preparing preparation: [Query], timing: Timing, label: String) {
        executor = QueueExecutor(label: label)
        self.address = address
        self.preparation = preparation
        self.timing = timing
    }

    /// Sends queries in one pipeline and waits for all their results.
    ///
    /// - Parameters:
    ///   - connectingBy: the deadline for connecting, if there is no connection. Nil if the queries continue a
    ///     transaction on this connection; they are then never sent on another one.
    ///   - milliseconds: the timeout for the server's answer. The connection is dropped after it.
    func exchange(
        _ queries: [Query], connectingBy: Deadline?, milliseconds: Int? = nil
    ) async throws(ExchangeFailure) -> [QueryResult] {
        if session == nil {
            guard let connectingBy else { throw .unsent(detail: "PostgreSQL: the connection was lost") }
            try await connect(by: connectingBy)
        }
        let received = await send(queries, by: Deadline(afterMilliseconds: milliseconds ?? timing.answerMilliseconds))
        switch received {
        case .all(let results, nil): return results
        case .all(_, let refusal?):
            // The server may have become read-only, and another host of the URL may accept writes.
            if refusal.error.asksForAnotherConnection { drop() }
            throw .refused(refusal.error, query: refusal.query)
        case .lost(let detail): throw .lost(detail: detail)
        case .notAll: preconditionFailure("an exchange ends with all or none")
        }
    }

    /// Closes the connection. The server rolls back any open transaction.
    func drop() {
        session = nil
        readiness = nil
    }

    private func connect(by limit: Deadline) async throws(ExchangeFailure) {
        repeat {
            if failedAttempts > 0 {
                await pause(milliseconds: timing.pauseMilliseconds(beforeAttempt: failedAttempts), limit)
            }
            let attempt = min(limit, Deadline(afterMilliseconds: timing.connectMilliseconds))
            if let detail = await openSession(by: attempt) {
                drop()
                failedAttempts += 1
                lastFailure = detail
            } else {
                failedAttempts = 0
                return
            }
        } while !limit.hasPassed && !timing.triesConnectingOnce
        throw .unsent(detail: lastFailure)
    }

    /// Connects and prepares the session.
    ///
    /// - Returns: nil on success, otherwise the error.
    private func openSession(by limit: Deadline) async -> String? {
        guard let new = Session(to: address) else { return "PostgreSQL: no memory for a connection" }
        let handler: @Sendable () -> Void = { [weak self] in self?.assumeIsolated { $0.socketIsReady() } }
        guard let readiness = Readiness(queue: executor.queue, handler: handler) else {
            return "PostgreSQL: no descriptor for a connection"
        }
        self.readiness = readiness
        session = new
        let failure = await withCheckedContinuation { (continuation: CheckedContinuation<String?, Never>) in
            activity = .connecting(continuation)
            watchTime(until: limit)
            // The first step waits until the socket is connected. Without a socket, the step reports why there is none.
            if new.socket >= 0 {
                readiness.watchAnew(new.socket, forReading: false, forWriting: true)
            } else {
                advanceConnecting()
            }
        }
        if let failure { return failure }
        guard !preparation.isEmpty else { return nil }
        switch await send(preparation, by: limit) {
        case .all(_, nil): return nil
        case .all(_, let refusal?): return refusal.error.detail
        case .lost(let detail): return detail
        case .notAll: preconditionFailure("an exchange ends with all or none")
        }
    }

    private func send(_ queries: [Query], by limit: Deadline) async -> Session.Received {
        guard case .none = activity else { preconditionFailure("one exchange at a time") }
        return await withCheckedContinuation { continuation in
            activity = .exchanging(continuation)
            watchTime(until: limit)
            // Send only after the activity is set. An answer that arrives earlier would be taken for a closed
            // connection, and Swift does not guarantee that this job runs before others on the queue (Swift issue
            // 85668).
            guard let session else {
                // The session may have been lost in the meantime.
                return finishExchange(.lost(detail: "PostgreSQL: the connection was lost"))
            }
            if let detail = session.send(queries) { return finishExchange(.lost(detail: detail)) }
            flush()
        }
    }

    private func pause(milliseconds: Int, _ limit: Deadline) async {
        await withCheckedContinuation { continuation in
            activity = .pausing(continuation)
            watchTime(until: min(limit, Deadline(afterMilliseconds: milliseconds)))
        }
    }

    private func socketIsReady() {
        guard let session else { return }
        switch activity {
        case .none, .pausing:
            if !session.isAliveWhenIdle() { drop() }
        case .connecting: advanceConnecting()
        case .exchanging:
            guard flush() else { return }
            switch session.receive() {
            case .notAll: break
            case let received: finishExchange(received)
            }
        }
    }

    private func advanceConnecting() {
        guard let session else { return }
        switch session.advance() {
        case .waiting(let forWriting):
            readiness?.watchAnew(session.socket, forReading: !forWriting, forWriting: forWriting)
        case .connected:
            readiness?.watchAnew(session.socket, forReading: true, forWriting: false)
            finishConnecting(nil)
        case .failed(let detail): finishConnecting(detail)
        }
    }

    /// Writes buffered data to the socket. Returns false if the connection is lost.
    @discardableResult
    private func flush() -> Bool {
        guard let session, let isAllWritten = session.flush() else {
            finishExchange(.lost(detail: "PostgreSQL: the connection was lost while sending"))
            return false
        }
        readiness?.watch(session.socket, forWriting: !isAllWritten)
        return true
    }

    private func finishConnecting(_ failure: String?) {
        guard case .connecting(let continuation) = activity else { return }
        activity = .none
        continuation.resume(returning: failure)
    }

    private func finishExchange(_ received: Session.Received) {
        guard case .exchanging(let continuation) = activity else { return }
        activity = .none
        if case .lost = received { drop() }
        continuation.resume(returning: received)
    }

    // MARK: Time

    private func watchTime(until limit: Deadline) {
        deadline = limit
        let ticker = ticker ?? Ticker(queue: executor.queue) { [weak self] in self?.assumeIsolated { $0.tick() } }
        ticker.run()
        self.ticker = ticker
    }

    private func tick() {
        if case .none = activity { ticker?.pause() }
        guard deadline.hasPassed else { return }
        switch activity {
        case .none: break
        case .connecting: finishConnecting("PostgreSQL: the server didn't answer while connecting")
        case .exchanging: finishExchange(.lost(detail: "PostgreSQL: the server didn't answer in time"))
        case .pausing(let continuation):
            activity = .none
            continuation.resume()
        }
    }
}
