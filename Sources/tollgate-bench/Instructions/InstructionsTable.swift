/// The costs of several kinds of requests, one column per kind.
struct InstructionsTable: CustomStringConvertible {
    private var columns: [(name: String, cost: RequestInstructions)] = []

    /// Adds a column.
    mutating func add(_ name: String, _ cost: RequestInstructions) { columns.append((name, cost)) }

    /// Instructions by owner and in total, then allocations and system calls.
    var description: String {
        func line(_ name: String, decimals: Int = 0, _ number: (RequestInstructions) -> Double) -> ReportLine {
            ReportLine(
                name, columns.map { number($0.cost).rounded(to: decimals) }, nameWidth: 16, columnWidth: 17)
        }
        var lines = [ReportLine("a request", columns.map(\.name), nameWidth: 16, columnWidth: 17)]
        lines += CostOwner.allCases.map { owner in line(owner.rawValue) { $0.instructions[owner, default: 0] } }
        lines.append(line("instructions", \.total))
        lines.append(line("allocations", decimals: 1, \.allocations))
        lines.append(line("system calls", decimals: 1, \.systemCalls))
        return lines.map(\.description).joined(separator: "\n")
    }

    /// Prints the table.
    func print() { Swift.print(self) }
}
