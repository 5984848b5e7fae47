/// The refusals of one service, first the one that wins over all others.
struct RefusalTable: Sendable, CustomStringConvertible {
    /// The heading of the page's table.
    let title: String
    /// The root element of the request.
    var root = ""
    /// The path below `payments`.
    var service = ""
    /// The good request.
    var message: @Sendable (FaultyMessage, RefusalBench) throws -> Message = { _, _ in Message(text: "") }
    /// The table's own rows.
    let rows: [RefusalRow]

    var description: String { title }
    /// Whether this is the table that all others go on from.
    var isStart: Bool { service.isEmpty }
    /// All rows, those of the first table among them.
    var allRows: [RefusalRow] { (isStart ? [] : RefusalRow.everyRequest) + rows }

    /// The faults that one request can have both of, the one first that wins.
    var pairs: [(RefusalRow, RefusalRow)] {
        let rows = allRows
        return rows.indices.flatMap { index in
            rows[(index + 1)...].compactMap { other in
                let one = rows[index]
                return one.excludes(other) ? nil : (one, other)
            }
        }
    }

    /// The table as the page shows it, below its heading.
    var markdown: String {
        let start =
            isStart ? "No other table comes first." : "The rows of [every request](#every-request) come first."
        let head = "### \(title)\n\n\(start)\n\n| | Wrong | Status | Code | Path |\n|---|---|---|---|---|\n"
        return rows.enumerated().reduce(head) { $0 + "| \($1.offset + 1) | \($1.element.cells) |\n" }
    }
}
