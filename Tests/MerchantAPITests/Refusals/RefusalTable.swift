/// The refusals of one operation, or of several that share an order, first the one that wins over all others.
struct RefusalTable: Sendable, CustomStringConvertible {
    /// Two kinds of fault that never meet, and why.
    struct Exclusion: Sendable {
        let one: [RefusalRow]
        let other: [RefusalRow]
        let reason: String

        init(_ one: [RefusalRow], _ other: [RefusalRow], _ reason: String) {
            (self.one, self.other, self.reason) = (one, other, reason)
        }
    }

    /// The rows that come before a table's own.
    enum Start {
        case nothing, content, retrieval, request, transaction

        /// What the page says of it.
        var text: String {
            switch self {
            case .nothing: "No other table comes first."
            case .content: "The rows about the path and the content of [every request](#every-request) come first."
            case .retrieval: "The rows of [every request](#every-request) come first. The content is not read."
            case .request: "The rows of [every request](#every-request) come first."
            case .transaction:
                "The rows of [every request](#every-request) and of "
                    + "[every operation on a transaction](#every-operation-on-a-transaction) come first."
            }
        }

        var rows: [RefusalRow] {
            switch self {
            case .nothing: []
            case .content: RefusalRow.route + RefusalRow.content
            case .retrieval: RefusalRow.route + RefusalRow.caller
            case .request: RefusalRow.route + RefusalRow.content + RefusalRow.caller
            case .transaction: Self.request.rows + RefusalRow.transaction
            }
        }
    }

    /// The heading of the page's table.
    let title: String
    /// The requests that are held to the table.
    let calls: [RefusalCall]
    /// What comes before.
    var start = Start.nothing
    /// The table's own rows.
    let rows: [RefusalRow]
    var exclusions: [Exclusion] = []

    var description: String { title }
    /// All rows, those of the tables before among them.
    var allRows: [RefusalRow] { start.rows + rows }

    /// Why a request is never wrong in both ways; nil if it can be.
    func reasonAgainst(_ one: RefusalRow, _ other: RefusalRow) -> String? {
        if one.sources.isDisjoint(with: other.sources) { return "A payment has one source." }
        if let about = one.about, about == other.about { return "There is one \(about)." }
        return (Self.everywhere + exclusions).first { exclusion in
            func are(_ first: RefusalRow, _ second: RefusalRow) -> Bool {
                exclusion.one.contains { $0.wrong == first.wrong }
                    && exclusion.other.contains { $0.wrong == second.wrong }
            }
            return are(one, other) || are(other, one)
        }?.reason
    }

    /// The faults that one request can have both of, the one first that wins.
    var pairs: [(RefusalRow, RefusalRow)] {
        let rows = allRows
        return rows.indices.flatMap { index in
            rows.indices.dropFirst(index + 1).compactMap { other in
                let isNear = other - index <= 3 || !(rows[index].isLarge || rows[other].isLarge)
                return isNear && reasonAgainst(rows[index], rows[other]) == nil ? (rows[index], rows[other]) : nil
            }
        }
    }

    /// The table as the page shows it, below its heading.
    var markdown: String {
        let head = "## \(title)\n\n\(start.text)\n\n| | Wrong | Status | Field | Type |\n|---|---|---|---|---|\n"
        return rows.enumerated().reduce(head) {
            $0 + "| \($1.offset + 1) | \($1.element.cells) |\n"
        }
    }
}
