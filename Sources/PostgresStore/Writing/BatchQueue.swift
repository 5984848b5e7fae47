internal import Payments
internal import Vault

/// A write that is committed in one transaction with others. The transaction takes three exchanges:
///
/// 1. Select and lock everything that the decisions depend on.
/// 2. Write the changes.
/// 3. Commit, once the server has reported the expected number of written rows.
///
/// A refused write is found before anything is written, so it does not affect the other writes of the batch.
protocol BatchedWrite: Sendable {
    /// The result of one write.
    associatedtype Outcome: Sendable

    /// The queries that select, and lock against changes, everything that a batch depends on.
    static func lockQueries(of batch: [Self]) -> [Query]

    /// Decides each write of a batch in order.
    ///
    /// - Returns: the outcomes, and the changes that must be written for them.
    static func decide(
        _ batch: [Self], on answers: ArraySlice<QueryResult>
    ) throws(StoreFailure) -> BatchDecision<Outcome>
}

/// A query that writes rows.
struct Change: Sendable {
    let query: Query
    /// How many rows the query must write. A server may write fewer and still report success, as when a trigger returns
    /// NULL.
    let rowCount: Int

    init(_ rowCount: Int, _ query: Query) {
        self.query = query
        self.rowCount = rowCount
    }
}

/// The outcomes of a batch and the changes that they require.
struct BatchDecision<Outcome: Sendable>: Sendable {
    /// One for each write, in the batch's order.
    let outcomes: [Outcome]
    /// The changes to write, in this order.
    let changes: [Change]
    /// Whether the transaction has anything to commit.
    let hasEffect: Bool
}

/// Group commit: commits all waiting writes in one transaction, so that they share one sync of the server's WAL.
actor BatchQueue<Write: BatchedWrite> {
    nonisolated var unownedExecutor: UnownedSerialExecutor { connection.executor.asUnownedSerialExecutor() }
    nonisolated let writes: RequestQueue<Write, Write.Outcome>
    /// How many writes were committed together.
    nonisolated let sizes = BatchSizes()
    private let connection: Connection
    private var fence = FencingToken()

    private enum Attempt {
        case done([Write.Outcome])
        /// The transaction had no effect and can't have one later.
        case undone(ServerError?, detail: StoreFailure)
        /// The server wrote fewer rows than expected, so the transaction was rolled back.
        case unwritten(StoreFailure)
        /// The deadline has passed, or it can't be determined whether the transaction was committed.
        case abandoned(StoreFailure)
    }

    init(on connection: Connection, callersMax: Int, timing: Timing) {
        self.connection = connection
        writes = RequestQueue(
            batchMax: BatchSizes.sizeMax, callersMax: callersMax, milliseconds: timing.callerMilliseconds)
    }

    /// Writes batches until the queue is ended.
    func run() async {
        while let batch = await writes.next() { await write(batch[...]) }
    }

    /// Retries a batch until it is committed, or until it is known to have failed and its deadline has passed.
    private func write(_ batch: ArraySlice<RequestQueue<Write, Write.Outcome>.Asked>) async {
        guard let deadline = batch.first?.deadline else { return }
        var lostRaces = 0
        while true {
            switch await attempt(batch.map(\.item), by: deadline) {
            case .done(let outcomes):
                for (asked, outcome) in zip(batch, outcomes) { writes.answer(asked.number, .success(outcome)) }
                return
            case .undone(let error?, _) where error.isConflict && !deadline.hasPassed:
                lostRaces += 1
                // The transaction that won has committed, so the next attempt sees its rows. A smaller batch conflicts
                // with fewer transactions.
                if lostRaces > 4, batch.count > 1 { return await writeHalves(of: batch) }
            case .undone(let error?, _) where error.mayBeOfOneCaller && !error.isConflict && batch.count > 1:
                return await writeHalves(of: batch)
            case .unwritten where batch.count > 1: return await writeHalves(of: batch)
            case .undone(nil, _) where !deadline.hasPassed: break
            case .undone(_, let failure), .unwritten(let failure), .abandoned(let failure):
                for asked in batch { writes.answer(asked.number, .failure(failure)) }
                return
            }
        }
    }

    private func writeHalves(of batch: ArraySlice<RequestQueue<Write, Write.Outcome>.Asked>) async {
        let middle = batch.startIndex + batch.count / 2
        await write(batch[..<middle])
        await write(batch[middle...])
    }

    /// Runs one transaction from BEGIN to COMMIT.
    private func attempt(_ batch: [Write], by deadline: Deadline) async -> Attempt {
        let answers: [QueryResult]
        do throws(ExchangeFailure) {
            if !fence.isKnown { try await register(by: deadline) }
            answers = try await connection.exchange(
                [.run(.begin), fence.advance] + Write.lockQueries(of: batch), connectingBy: deadline)
        } catch {
            // The server rolls back a transaction whose connection is lost before COMMIT is sent.
            return await undo(error)
        }
        guard answers[1].writtenCount == 1 else {
            await rollBack()
            fence = FencingToken()
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
        // From here on the batch may be committed, whatever error follows.
        do throws(ExchangeFailure) {
            let results = try await connection.exchange([.run(.commit)], connectingBy: nil)
            guard results.last?.command == "COMMIT" else {
                return .undone(nil, detail: .unavailable(detail: "PostgreSQL: the transaction was rolled back"))
            }
            fence.batch += 1
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

    /// Determines whether a batch was committed when the answer to its COMMIT was lost.
    ///
    /// The batch is not written again. Instead the row of the fencing token is advanced: if the batch's number is still
    /// free it is taken, so the lost transaction can't commit later.
    private func resolve(
        _ outcomes: [Write.Outcome], _ failure: StoreFailure, by deadline: Deadline
    ) async -> Attempt {
        await connection.drop()
        while true {
            do throws(ExchangeFailure) {
                // This UPDATE waits for the lost transaction, if the server still runs it.
                let answers = try await connection.exchange(
                    [fence.void, .run(.findWriter, [.bytes(fence.id)])], connectingBy: deadline)
                switch fence.fate(after: answers[1]) {
                case .committed:
                    sizes.count(outcomes.count)
                    return .done(outcomes)
                case .void: return .undone(nil, detail: failure)
                case .unknown: break
                }
            } catch {
                if case .refused = error {} else if !deadline.hasPassed { continue }
            }
            // The new token has its own row, so the lost batch can't be mistaken for one of its batches.
            fence = FencingToken()
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
        _ = try await connection.exchange([.run(.addWriter, [.bytes(fence.id)])], connectingBy: deadline)
        fence.isKnown = true
    }
}
