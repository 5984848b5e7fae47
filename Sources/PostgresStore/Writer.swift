internal import Payments

/// A row of the database that one queue counts its batches in: each batch takes the number after the last one, in its own
/// transaction. So whether a batch was committed can be looked up.
struct Writer: Sendable {
    /// 16 random bytes.
    let id: [UInt8]
    /// The number of the last batch that was committed, or was made void.
    var batch: Int64 = 0
    /// Whether the row is there.
    var isKnown = false

    /// What became of the batch after the last one.
    enum Fate {
        case committed
        /// Its number is taken, so it was not committed and can't be.
        case void
        case unknown
    }

    init() { id = (0..<16).map { _ in UInt8.random(in: 0...255) } }

    /// Takes the next number for the batch whose transaction it is in; writes no row if that isn't the next one.
    var advance: Query { .run(.advanceWriter, [.bytes(id), .integer(batch), .integer(batch + 1)]) }

    /// Takes the next number and the one after it, unless a batch has the next.
    var void: Query { .run(.advanceWriter, [.bytes(id), .integer(batch), .integer(batch + 2)]) }

    /// What the row tells after ``void``; the writer goes on from there.
    mutating func fate(after row: QueryResult) -> Fate {
        guard row.rowCount == 1, let found = try? row.integer(0, 0) else { return .unknown }
        switch found {
        case batch + 1:
            batch = found
            return .committed
        case batch + 2:
            batch = found
            return .void
        default: return .unknown
        }
    }
}
