internal import Vault

extension Administration {
    /// Removes a merchant's orders with what they hold, then the tokens that they credited, then the items of its groups.
    ///
    /// Each step goes on after the last row of the one before, so it ends even if the merchant goes on paying.
    func reset(_ rows: MerchantRows) async throws(StoreFailure) {
        // The server ends this session if it stays idle in a transaction, so a lost client does not block others.
        let connection = connection(idleMilliseconds: timing.idleMilliseconds)
        do throws(ExchangeFailure) {
            try await inSteps { (id) throws(ExchangeFailure) in
                try await self.removeOrders(rows, after: id, on: connection)
            }
            try await inSteps { (digest) throws(ExchangeFailure) in
                try await self.removeTokens(rows, after: digest, on: connection)
            }
            try await inSteps { (name) throws(ExchangeFailure) in
                try await self.removeItems(rows, after: name, on: connection)
            }
        } catch { throw error.failure }
    }

    /// Repeats a step, which takes the last row of the one before, and returns its own; nil if there are no further ones.
    private func inSteps(_ step: ([UInt8]) async throws(ExchangeFailure) -> [UInt8]?) async throws(ExchangeFailure) {
        var last: [UInt8]? = []
        while let after = last {
            // A step that was done although its answer was lost finds nothing to do.
            let next = try await repeated { () throws(ExchangeFailure) in try await step(after) }
            // A server that does not sort would otherwise cause an endless loop.
            if let next, !precedes(after, next) {
                throw .refused(ServerError(sqlState: "XX001", message: "rows came in another order"), query: 0)
            }
            last = next
        }
    }

    private func removeOrders(
        _ rows: MerchantRows, after id: [UInt8], on connection: Connection
    ) async throws(ExchangeFailure) -> [UInt8]? {
        try await rollingBack(on: connection) { () throws(ExchangeFailure) in
            let found = try await exchange(
                [.text(Statement.begin.sql), Pruning.lock, rows.orders(after: id)], on: connection)
            let orderCount = try found[1].read(Pruning.number)
            let ids = try found[2].read(Pruning.names)
            let orders = ids.isEmpty ? [] : [(merchant: rows.merchant, orders: ids)]
            if !ids.isEmpty { _ = try await goOn(Pruning.locks(of: orders), on: connection) }
            try await removeHeld(by: orders, on: connection)
            _ = try await goOn(
                Pruning.removals(of: orders) + [Pruning.note(orderCount - Int64(ids.count)), .text("COMMIT")],
                on: connection)
            return ids.count < MerchantRows.ordersMax ? nil : ids.last
        }
    }

    private func removeTokens(
        _ rows: MerchantRows, after digest: [UInt8], on connection: Connection
    ) async throws(ExchangeFailure) -> [UInt8]? {
        try await rollingBack(on: connection) { () throws(ExchangeFailure) in
            let found = try await exchange([.text(Statement.begin.sql), rows.tokens(after: digest)], on: connection)
            let digests = try found[1].read(Pruning.names)
            _ = try await goOn(
                (digests.isEmpty ? [] : [rows.removal(ofTokens: digests)]) + [.text("COMMIT")], on: connection)
            return digests.count < MerchantRows.rowsMax ? nil : digests.last
        }
    }

    private func removeItems(
        _ rows: MerchantRows, after name: [UInt8], on connection: Connection
    ) async throws(ExchangeFailure) -> [UInt8]? {
        try await rollingBack(on: connection) { () throws(ExchangeFailure) in
            let found = try await exchange([.text(Statement.begin.sql), rows.items(after: name)], on: connection)
            let names = try found[1].read(Pruning.names)
            _ = try await remove(names, by: rows.removal(ofItems: names), on: connection)
            _ = try await goOn([.text("COMMIT")], on: connection)
            return names.count < MerchantRows.rowsMax ? nil : names.last
        }
    }

    /// Runs a transaction, and rolls back if the server refuses a query.
    private func rollingBack<Outcome>(
        on connection: Connection, _ transaction: () async throws(ExchangeFailure) -> Outcome
    ) async throws(ExchangeFailure) -> Outcome {
        do throws(ExchangeFailure) { return try await transaction() } catch {
            if case .refused = error { _ = try? await goOn([.text("ROLLBACK")], on: connection) }
            throw error
        }
    }
}
