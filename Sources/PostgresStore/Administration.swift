internal import Payments

/// What is done to a database as a whole, each time on a connection that is there for it alone.
struct Administration: Sendable {
    /// How often something is begun that lost against another transaction, or whose connection was lost.
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

    /// Takes the database through every step that it hasn't seen.
    ///
    /// A step's number is added before the step is taken, in the same transaction: another instance that begins the same
    /// step waits at that key, loses, and then finds the step taken. That needs no lock that a kin of PostgreSQL lacks.
    func migrate() async throws(PostgresStore.OpenFailure) {
        let connection = connection()
        do throws(ExchangeFailure) {
            _ = try await repeated { () throws(ExchangeFailure) in
                try await exchange([.text(Schema.table)], on: connection)
            }
            // As often as there are steps: a server that forgets them would go on for ever.
            for _ in Schema.steps { guard try await takeNextStep(on: connection) else { break } }
        } catch { throw failure(error) }
        let taken = try await stepsTaken(on: connection)
        guard taken >= Schema.steps.count else { throw .database(detail: "the table of migrations forgets steps") }
        guard taken == Schema.steps.count else { throw .newerSchema }
        do throws(ExchangeFailure) {
            _ = try await exchange([.text(Schema.removalOfOldWriters)], on: connection)
        } catch { throw failure(error) }
    }

    /// The mark of the database, which becomes this one if there is none.
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

    /// Empties every table that something is put into.
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

    /// Takes the first step that was not taken; false if there is none that this program knows.
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

    /// One transaction, from BEGIN to COMMIT.
    private func transact(
        _ queries: [Query], on connection: Connection
    ) async throws(ExchangeFailure) -> [QueryResult] {
        do throws(ExchangeFailure) { return try await exchange(queries, on: connection) } catch {
            if case .refused = error { _ = try? await exchange([.text("ROLLBACK")], on: connection) }
            throw error
        }
    }

    /// What is repeated here may be done twice without harm.
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
                case .refused(let refusal, _) where refusal.isLostRace || refusal.isOfConcurrentDefinition: break
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
