/// The fencing token of one queue: a row of `writers`.
///
/// Each batch increments the row's number within its own transaction. The row therefore shows whether a batch was
/// committed.
struct FencingToken: Sendable {
    /// 16 random bytes.
    let id: [UInt8]
    /// The number of the last batch that was committed or fenced off.
    var batch: Int64 = 0
    /// Whether the row has been inserted.
    var isKnown = false

    /// The outcome of the batch that follows ``batch``.
    enum Fate {
        case committed
        /// The batch was fenced off: its number is taken, so it was not committed and never will be.
        case void
        case unknown
    }

    init() { id = (0..<16).map { _ in UInt8.random(in: 0...255) } }

    /// Increments the row within a batch's transaction. Updates no row if another batch has taken the number.
    var advance: Query { .run(.advanceWriter, [.bytes(id), .integer(batch), .integer(batch + 1)]) }

    /// Fences off the next batch: adds 2 to the row, unless that batch was committed.
    var void: Query { .run(.advanceWriter, [.bytes(id), .integer(batch), .integer(batch + 2)]) }

    /// Reads the outcome from the row that was selected after ``void``, and advances the token to the row's number.
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
