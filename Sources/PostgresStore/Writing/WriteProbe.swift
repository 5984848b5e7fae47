internal import Vault

/// Checks that the server would accept a payment: writes a row of every kind, and rolls back.
struct WriteProbe: Sendable {
    private let connection: Connection
    private let timing: Timing

    init(on connection: Connection, timing: Timing) {
        self.connection = connection
        self.timing = timing
    }

    /// Returns if all rows were written. Nothing is committed, so no other instance sees the rows or waits for their
    /// keys.
    func check() async throws(StoreFailure) {
        let id = (0..<32).map { _ in UInt8.random(in: 0...255) }
        let changes = Self.changes(id)
        let results: [QueryResult]
        do throws(ExchangeFailure) {
            results = try await connection.exchange(
                [.run(.begin)] + changes.map(\.query) + [.run(.rollback)],
                connectingBy: Deadline(afterMilliseconds: timing.callerMilliseconds))
        } catch {
            await connection.drop()
            throw error.failure
        }
        // The store does not keep this connection open.
        await connection.drop()
        for (change, result) in zip(changes, results.dropFirst()) where result.writtenCount != change.rowCount {
            throw .unavailable(detail: "PostgreSQL: it has written \(result.writtenCount) of \(change.rowCount) rows")
        }
    }

    /// An order with an empty merchant, its transaction and token, and a sealed text that it holds.
    private static func changes(_ id: [UInt8]) -> [Change] {
        let (merchant, ids) = (Parameter.bytes([]), Parameter.bytesArray([id]))
        let (none, empty) = (Parameter.integerArray([nil]), Parameter.bytesArray([[]]))
        let order =
            [merchant, ids, .integerArray([1]), empty, none, none] + [.integerArray([0]), empty, none, empty, empty]
        let item = [ids, .integerArray([1]), .integerArray([nil]), .bytesArray([[]])]
        return [
            Change(1, .run(.insertOrders, order)), Change(1, .run(.updateOrders, order)),
            Change(
                1,
                .run(
                    .insertTransactions,
                    [merchant, ids, ids, .integerArray([1]), .bytesArray([[]]), .bytesArray([[]]), .bytesArray([[]])])),
            Change(1, .run(.insertTokens, [ids, .bytesArray([[]]), ids, .flagArray([false])])),
            Change(1, .run(.creditTokens, [ids, .bytesArray([[]]), ids])),
            Change(1, .run(.addGroups, [ids])), Change(1, .run(.changeGroups, [ids, .integerArray([0])])),
            Change(1, .run(.insertItems, item + [ids, .integerArray([0])])), Change(1, .run(.updateItems, item)),
            Change(1, .run(.holdItems, [ids])), Change(1, .run(.insertHolds, [.bytesArray([[]]), ids, ids])),
        ]
    }
}
