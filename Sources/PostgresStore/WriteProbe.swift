internal import Payments

/// Writes what orders, tokens and sealed texts are written by, and takes it back: whether the server would take a payment.
struct WriteProbe: Sendable {
    private let connection: Connection
    private let timing: Timing

    init(on connection: Connection, timing: Timing) {
        self.connection = connection
        self.timing = timing
    }

    /// Returns if all was written. Nothing of it is ever committed, so no other instance sees it or waits for its keys.
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
        // It is not one of those that a store always has.
        await connection.drop()
        for (change, result) in zip(changes, results.dropFirst()) where result.writtenCount != change.rowCount {
            throw .unavailable(detail: "PostgreSQL: it has written \(result.writtenCount) of \(change.rowCount) rows")
        }
    }

    /// An order of no merchant, with a transaction and a token, and a sealed text that it holds.
    private static func changes(_ id: [UInt8]) -> [Change] {
        let (merchant, ids) = (Parameter.bytes([]), Parameter.bytesArray([id]))
        let order = [merchant, ids, .integerArray([1]), .bytesArray([[]]), .integerArray([nil]), .integerArray([nil])]
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
