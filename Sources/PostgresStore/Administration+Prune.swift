internal import Values
internal import Vault

extension Administration {
    /// How many transactions in a row may find orders but remove none, because all of them were committed to in the
    /// meantime. The next run finds others.
    private var idleStepsMax: Int { 20 }

    /// Removes orders in short transactions, then items that no order has held since the same instant.
    func prune(_ pruning: Pruning, countMax: Int) async throws(StoreFailure) -> Int {
        // The server ends this session if it stays idle in a transaction, so a lost client does not block others.
        let connection = connection(idleMilliseconds: timing.idleMilliseconds)
        var removedCount = 0
        var idleSteps = 0
        while removedCount < countMax, idleSteps < idleStepsMax {
            let stepMax = min(Pruning.stepMax, countMax - removedCount)
            let step: Int?
            do throws(ExchangeFailure) {
                // Not retried after a lost connection, as the transaction may have been committed.
                step = try await repeated(afterLoss: false) { () throws(ExchangeFailure) in
                    try await pruneSome(pruning, stepMax: stepMax, on: connection)
                }
            } catch { throw error.failure }
            guard let step else { break }
            removedCount += step
            idleSteps = step == 0 ? idleSteps + 1 : 0
        }
        guard let instant = pruning.agedBefore else { return removedCount }
        while removedCount < countMax {
            let stepMax = min(Pruning.unheldStepMax, countMax - removedCount)
            let step: (foundCount: Int, removedCount: Int)
            do throws(ExchangeFailure) {
                step = try await repeated(afterLoss: false) { () throws(ExchangeFailure) in
                    try await removeUnheld(before: instant, stepMax: stepMax, on: connection)
                }
            } catch { throw error.failure }
            removedCount += step.removedCount
            guard step.foundCount == stepMax, step.removedCount > 0 else { break }
        }
        return removedCount
    }

    /// One transaction, which removes at most `stepMax` items that no order has held since an instant.
    private func removeUnheld(
        before instant: Instant, stepMax: Int, on connection: Connection
    ) async throws(ExchangeFailure) -> (foundCount: Int, removedCount: Int) {
        do throws(ExchangeFailure) {
            let found = try await exchange(
                [.text(Statement.begin.sql), Pruning.lock, Pruning.unheld(before: instant, countMax: stepMax)],
                on: connection)
            let names = try found[2].read(Pruning.names)
            let removedCount = try await remove(names, by: Pruning.removal(ofUnheld: names), on: connection)
            _ = try await goOn([.text("COMMIT")], on: connection)
            return (names.count, removedCount)
        } catch {
            if case .refused = error { _ = try? await goOn([.text("ROLLBACK")], on: connection) }
            throw error
        }
    }

    /// Locks items and runs a query that removes some of them.
    func remove(
        _ names: [[UInt8]], by removal: Query, on connection: Connection
    ) async throws(ExchangeFailure) -> Int {
        guard !names.isEmpty else { return 0 }
        // In READ COMMITTED each statement has its own snapshot. The last statement therefore sees every change that
        // the locks waited for.
        let answers = try await goOn(Pruning.locks(ofItems: names) + [removal], on: connection)
        let changes = try answers[2].read(Pruning.countChange)
        if !changes.isEmpty { _ = try await goOn(changes, on: connection) }
        return answers[2].rowCount
    }

    /// Releases the items that orders hold, and removes those that no other order holds.
    func removeHeld(
        by orders: [(merchant: [UInt8], orders: [[UInt8]])], on connection: Connection
    ) async throws(ExchangeFailure) {
        guard !orders.isEmpty else { return }
        var names: Set<[UInt8]> = []
        for rows in try await goOn(Pruning.held(by: orders), on: connection) {
            names.formUnion(try rows.read(Pruning.names))
        }
        guard !names.isEmpty else { return }
        _ = try await goOn(Pruning.releases(of: orders), on: connection)
        let sorted = names.sorted(by: precedes)
        _ = try await remove(sorted, by: Pruning.removal(ofReleased: sorted), on: connection)
    }

    /// One transaction, which removes at most `stepMax` orders.
    ///
    /// - Returns: how many orders were removed; nil if no further order can be removed.
    private func pruneSome(
        _ pruning: Pruning, stepMax: Int, on connection: Connection
    ) async throws(ExchangeFailure) -> Int? {
        do throws(ExchangeFailure) {
            let found = try await search(pruning, stepMax: stepMax, on: connection)
            let orders = Pruning.byMerchant(found.candidates)
            let locked = orders.isEmpty ? [] : try await goOn(Pruning.locks(of: orders), on: connection)
            var versions: [[UInt8]: [[UInt8]: Int64]] = [:]
            for ((merchant, _), rows) in zip(orders, locked) {
                versions[merchant] = try rows.read(Pruning.versions)
            }
            // Orders that were committed to in the meantime are kept.
            let going = found.candidates.filter { versions[$0.merchant]?[$0.order] == $0.version }
            let goingByMerchant = Pruning.byMerchant(going)
            try await removeHeld(by: goingByMerchant, on: connection)
            _ = try await goOn(
                Pruning.removals(of: goingByMerchant)
                    + [Pruning.note(found.orderCount - Int64(going.count)), .text("COMMIT")], on: connection)
            return orders.isEmpty ? nil : going.count
        } catch {
            if case .refused = error { _ = try? await goOn([.text("ROLLBACK")], on: connection) }
            throw error
        }
    }

    /// Begins a transaction and finds the orders that can be removed, oldest first.
    private func search(
        _ pruning: Pruning, stepMax: Int, on connection: Connection
    ) async throws(ExchangeFailure) -> (candidates: [Pruning.Candidate], orderCount: Int64) {
        var answers = try await exchange([.text(Statement.begin.sql), Pruning.lock], on: connection)
        var orderCount = try answers[1].read(Pruning.number)
        if let instant = pruning.agedBefore {
            answers = try await goOn([Pruning.search(before: instant, countMax: stepMax)], on: connection)
            let candidates = try answers[0].read(Pruning.candidates)
            if !candidates.isEmpty { return (candidates, orderCount) }
        }
        guard let ordersMax = pruning.ordersMax else { return ([], orderCount) }
        if orderCount <= ordersMax {
            answers = try await goOn([Pruning.count], on: connection)
            orderCount = try answers[0].read(Pruning.number)
        }
        guard orderCount > ordersMax else { return ([], orderCount) }
        let countMax = Int(min(Int64(stepMax), orderCount - ordersMax))
        answers = try await goOn(
            [Pruning.search(before: pruning.surplusBefore, countMax: countMax)], on: connection)
        return (try answers[0].read(Pruning.candidates), orderCount)
    }

    /// Runs further queries of the transaction that is open on a connection.
    func goOn(_ queries: [Query], on connection: Connection) async throws(ExchangeFailure) -> [QueryResult] {
        try await connection.exchange(
            queries, connectingBy: nil, milliseconds: timing.administrationMilliseconds)
    }
}
