internal import Payments

/// Something that is written together with others, in one transaction of three exchanges: what must be known is asked and
/// locked, then what follows from it is written, and once the server says that it has written all of it, committed. So what
/// stands against one is known before anything of it is written, and takes nothing from its neighbours.
protocol BatchedWrite: Sendable {
    /// What became of it.
    associatedtype Outcome: Sendable

    /// What must be known of everything that a batch touches, locked so that it stays so.
    static func questions(of batch: [Self]) -> [Query]

    /// What becomes of each of a batch, one after the other, and what is to be written for that.
    static func decide(
        _ batch: [Self], on answers: ArraySlice<QueryResult>
    ) throws(StoreFailure) -> BatchDecision<Outcome>
}

/// What is to be written.
struct Change: Sendable {
    let query: Query
    /// How many rows the query writes. A server may write fewer and call that a success, as where a trigger returns NULL.
    let rowCount: Int

    init(_ rowCount: Int, _ query: Query) {
        self.query = query
        self.rowCount = rowCount
    }
}

/// What becomes of a batch.
struct BatchDecision<Outcome: Sendable>: Sendable {
    /// In the batch's order.
    let outcomes: [Outcome]
    /// What is to be written.
    let changes: [Change]
    /// Whether there is something to commit.
    let hasEffect: Bool
}

/// Gathers writes and commits those that wait together in one transaction, so that one sync of the server's log serves
/// all of them.
actor BatchQueue<Write: BatchedWrite> {
    nonisolated var unownedExecutor: UnownedSerialExecutor { connection.executor.asUnownedSerialExecutor() }
    nonisolated let writes: Gathering<Write, Write.Outcome>
    /// How many were committed together.
    nonisolated let sizes = BatchSizes()
    private let connection: Connection
    private var writer = Writer()

    private enum Attempt {
        case done([Write.Outcome])
        /// It had no effect and can have none any more.
        case undone(ServerError?, detail: StoreFailure)
        /// The server has not written every row of it, so it was rolled back.
        case unwritten(StoreFailure)
        /// There is no time left, or nobody can know whether it had an effect.
        case abandoned(StoreFailure)
    }

    init(on connection: Connection, callersMax: Int, timing: Timing) {
        self.connection = connection
        writes = Gathering(
            batchMax: BatchSizes.sizeMax, callersMax: callersMax, milliseconds: timing.callerMilliseconds)
    }

    /// Works until the queue is ended.
    func run() async {
        while let batch = await writes.next() { await write(batch[...]) }
    }

    /// Writes a batch until it is done, or is known not to be and its time is over.
    private func write(_ batch: ArraySlice<Gathering<Write, Write.Outcome>.Asked>) async {
        guard let deadline = batch.first?.deadline else { return }
        var lostRaces = 0
        while true {
            switch await attempt(batch.map(\.item), by: deadline) {
            case .done(let outcomes):
                for (asked, outcome) in zip(batch, outcomes) { writes.answer(asked.number, .success(outcome)) }
                return
            case .undone(let error?, _) where error.isLostRace && !deadline.hasPassed:
                lostRaces += 1
                // Whoever won has gone on, so another attempt finds what it has done; a smaller batch has fewer rivals.
                if lostRaces > 4, batch.count > 1 { return await writeHalves(of: batch) }
            case .undone(let error?, _) where error.mayBeOfOneCaller && !error.isLostRace && batch.count > 1:
                return await writeHalves(of: batch)
            case .unwritten where batch.count > 1: return await writeHalves(of: batch)
            case .undone(nil, _) where !deadline.hasPassed: break
            case .undone(_, let failure), .unwritten(let failure), .abandoned(let failure):
                for asked in batch { writes.answer(asked.number, .failure(failure)) }
                return
            }
        }
    }

    private func writeHalves(of batch: ArraySlice<Gathering<Write, Write.Outcome>.Asked>) async {
        let middle = batch.startIndex + batch.count / 2
        await write(batch[..<middle])
        await write(batch[middle...])
    }

    /// One transaction, from its beginning to its end.
    private func attempt(_ batch: [Write], by deadline: Deadline) async -> Attempt {
        let answers: [QueryResult]
        do throws(ExchangeFailure) {
            if !writer.isKnown { try await register(by: deadline) }
            answers = try await connection.exchange(
                [.run(.begin), writer.advance] + Write.questions(of: batch), connectingBy: deadline)
        } catch {
            // The server forgets a transaction whose connection is lost before its COMMIT was sent.
            return await undo(error)
        }
        guard answers[1].writtenCount == 1 else {
            await rollBack()
            writer = Writer()
            return .undone(nil, detail: .unavailable(detail: "PostgreSQL: the writer's row is gone"))
        }
        let decision: BatchDecision<Write.Outcome>
        do throws(StoreFailure) { decision = try Write.decide(batch, on: answers[2...]) } catch {
            await rollBack()
            return .abandoned(error)
        }
        guard decision.hasEffect else {
            await rollBack()
            return .done(decision.outcomes)
        }
        do throws(ExchangeFailure) {
            let results = try await connection.exchange(decision.changes.map(\.query), connectingBy: nil)
            for (change, result) in zip(decision.changes, results) where result.writtenCount != change.rowCount {
                await rollBack()
                let counts = "\(result.writtenCount) of \(change.rowCount)"
                return .unwritten(.unavailable(detail: "PostgreSQL: it has written \(counts) rows"))
            }
        } catch { return await undo(error) }
        // From here on the batch may be committed, whatever is heard of it.
        do throws(ExchangeFailure) {
            let results = try await connection.exchange([.run(.commit)], connectingBy: nil)
            guard results.last?.command == "COMMIT" else {
                return .undone(nil, detail: .unavailable(detail: "PostgreSQL: the transaction was rolled back"))
            }
            writer.batch += 1
            sizes.count(batch.count)
            return .done(decision.outcomes)
        } catch {
            switch error {
            case .refused(let refusal, _) where !refusal.leavesOutcomeUnknown:
                return await undo(error)
            case .unsent: return .undone(nil, detail: error.failure)
            case .refused, .lost:
                return await resolve(decision.outcomes, error.failure, by: deadline)
            }
        }
    }

    /// Finds out whether a batch was committed whose answer was lost. The batch is never written again to find out: its
    /// number is asked for and, if it isn't there, taken, so that the batch can't be committed any more either.
    private func resolve(
        _ outcomes: [Write.Outcome], _ failure: StoreFailure, by deadline: Deadline
    ) async -> Attempt {
        await connection.drop()
        while true {
            do throws(ExchangeFailure) {
                // Waits for the lost transaction, if the server still works on it.
                let answers = try await connection.exchange(
                    [writer.void, .run(.findWriter, [.bytes(writer.id)])], connectingBy: deadline)
                switch writer.fate(after: answers[1]) {
                case .committed:
                    sizes.count(outcomes.count)
                    return .done(outcomes)
                case .void: return .undone(nil, detail: failure)
                case .unknown: break
                }
            } catch {
                if case .refused = error {} else if !deadline.hasPassed { continue }
            }
            // A batch of another writer can't be mistaken for this one.
            writer = Writer()
            return .abandoned(failure)
        }
    }

    private func undo(_ failure: ExchangeFailure) async -> Attempt {
        guard case .refused(let error, _) = failure else {
            if case .unsent = failure { return .abandoned(failure.failure) }
            return .undone(nil, detail: failure.failure)
        }
        await rollBack()
        return .undone(error, detail: error.failure)
    }

    private func rollBack() async {
        do throws(ExchangeFailure) {
            _ = try await connection.exchange([.run(.rollback)], connectingBy: nil)
        } catch { await connection.drop() }
    }

    private func register(by deadline: Deadline) async throws(ExchangeFailure) {
        _ = try await connection.exchange([.run(.addWriter, [.bytes(writer.id)])], connectingBy: deadline)
        writer.isKnown = true
    }
}
