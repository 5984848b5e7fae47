internal import Vault

/// Operations on the database as a whole. Each one uses a connection of its own.
struct Administration: Sendable {
    /// The most attempts after a conflict with another transaction, or after a lost connection.
    private let attemptsMax = 20
    private let address: ServerAddress
    let timing: Timing

    init(of address: ServerAddress, timing: Timing) {
        self.address = address
        var timing = timing
        timing.connectMilliseconds = max(3000, timing.connectMilliseconds)
        timing.triesConnectingOnce = true
        self.timing = timing
    }

    /// Runs every migration that the database lacks.
    ///
    /// A migration's number is inserted before it runs, in the same transaction. Another instance that starts the same
    /// migration waits at that key, fails, and then finds the migration done. This needs no lock type that
    /// PostgreSQL-compatible databases lack.
    func migrate() async throws(PostgresStore.OpenFailure) {
        let connection = connection()
        do throws(ExchangeFailure) {
            _ = try await repeated { () throws(ExchangeFailure) in
                try await exchange([.text(Schema.table)], on: connection)
            }
            // Bounded by the number of migrations, as a server that forgets them would otherwise cause an endless loop.
            for _ in Schema.steps { guard try await takeNextStep(on: connection) else { break } }
        } catch { throw failure(error) }
        let taken = try await stepsTaken(on: connection)
        guard taken >= Schema.steps.count else { throw .database(detail: "the table of migrations forgets steps") }
        guard taken == Schema.steps.count else { throw .newerSchema }
        do throws(ExchangeFailure) {
            _ = try await exchange([.text(Schema.removalOfOldWriters)], on: connection)
        } catch { throw failure(error) }
    }

    /// The database's installation mark. Writes the given one if there is none.
    func mark(orElse mark: [UInt8]) async throws(PostgresStore.OpenFailure) -> [UInt8] {
        let connection = connection()
        let results: [QueryResult]
        do throws(ExchangeFailure) {
            results = try await repeated { () throws(ExchangeFailure) in
                try await exchange([.text(Schema.addMark, [.bytes(mark)]), .text(Schema.findMark)], on: connection)
            }
        } catch { throw failure(error) }
        do { return try results[1].bytes(0, 0) } catch {
            throw .database(detail: "the table of the installation can't be read: \(error.detail)")
        }
    }

    /// Empties all data tables.
    func reset() async throws(StoreFailure) {
        let connection = connection()
        do throws(ExchangeFailure) {
            do throws(ExchangeFailure) {
                try await transactRepeatedly(Schema.truncation, on: connection)
            } catch {
                guard case .refused = error else { throw error }
                try await transactRepeatedly(Schema.removal, on: connection)
            }
        } catch { throw error.failure }
    }

    private func transactRepeatedly(_ transaction: [String], on connection: Connection) async throws(ExchangeFailure) {
        _ = try await repeated { () throws(ExchangeFailure) in
            try await transact(transaction.map { .text($0) }, on: connection)
        }
    }

    /// Runs the first missing migration. Returns false if this program knows no further one.
    private func takeNextStep(on connection: Connection) async throws(ExchangeFailure) -> Bool {
        try await repeated { () throws(ExchangeFailure) in
            let taken = try await exchange([.text(Schema.stepsTaken)], on: connection)
            guard let number = try? Int(taken[0].integer(0, 0)), Schema.steps.indices.contains(number) else {
                return false
            }
            let step = Schema.steps[number]
            _ = try await transact(
                [.text("BEGIN"), .text(Schema.record, [.integer(Int64(number) + 1), .bytes(step.name)])]
                    + step.statements.map { .text($0) } + [.text("COMMIT")],
                on: connection)
            return true
        }
    }

    private func stepsTaken(on connection: Connection) async throws(PostgresStore.OpenFailure) -> Int {
        let results: [QueryResult]
        do throws(ExchangeFailure) { results = try await exchange([.text(Schema.stepsTaken)], on: connection) } catch {
            throw failure(error)
        }
        do throws(StoreFailure) { return Int(try results[0].integer(0, 0)) } catch {
            throw .database(detail: "the table of migrations can't be read: \(error.detail)")
        }
    }

    private func failure(_ failure: ExchangeFailure) -> PostgresStore.OpenFailure {
        switch failure {
        case .unsent(let detail), .lost(let detail): .unreachable(detail: detail)
        case .refused(let refusal, _) where refusal.mayPass: .unreachable(detail: refusal.detail)
        case .refused(let refusal, _): .database(detail: refusal.detail + (refusal.remedy.map { "; \($0)" } ?? ""))
        }
    }

    /// Runs one transaction from BEGIN to COMMIT, and rolls back if the server refuses a query.
    private func transact(
        _ queries: [Query], on connection: Connection
    ) async throws(ExchangeFailure) -> [QueryResult] {
        do throws(ExchangeFailure) { return try await exchange(queries, on: connection) } catch {
            if case .refused = error { _ = try? await exchange([.text("ROLLBACK")], on: connection) }
            throw error
        }
    }

    /// Retries an operation that is safe to repeat.
    func repeated<Outcome>(
        afterLoss: Bool = true, _ body: () async throws(ExchangeFailure) -> Outcome
    ) async throws(ExchangeFailure) -> Outcome {
        var attempts = 1
        while true {
            do throws(ExchangeFailure) { return try await body() } catch {
                attempts += 1
                guard attempts <= attemptsMax else { throw error }
                switch error {
                case .lost where afterLoss: break
                case .refused(let refusal, _) where refusal.isConflict || refusal.isOfConcurrentDefinition: break
                case .refused, .lost, .unsent: throw error
                }
            }
        }
    }

    func exchange(_ queries: [Query], on connection: Connection) async throws(ExchangeFailure) -> [QueryResult] {
        try await connection.exchange(
            queries, connectingBy: Deadline(afterMilliseconds: timing.connectMilliseconds),
            milliseconds: timing.administrationMilliseconds)
    }

    func connection(idleMilliseconds: Int = 0) -> Connection {
        Connection(
            to: address, preparing: Query.operatorPreparation(idleMilliseconds: idleMilliseconds), timing: timing,
            label: "tollgate.store.administration")
    }
}
