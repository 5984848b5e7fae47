import Foundation

/// A line of a table: a name, and columns flush right.
struct ReportLine: CustomStringConvertible {
    let description: String

    /// - Parameter nameWidth: characters that the name takes, with the gap after it.
    init(_ name: String, _ columns: [String], nameWidth: Int = 28, columnWidth: Int = 12) {
        description = columns.reduce(name + Self.spaces(nameWidth - name.count)) { line, column in
            line + Self.spaces(columnWidth - column.count) + column
        }
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(1, count)) }
}

extension Double {
    /// The number with so many decimals.
    func rounded(to decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}

extension [Double] {
    /// The middle one; of an even number the upper of the two. There must be one.
    var median: Double { sorted()[count / 2] }

    /// How far the lowest and the highest lie apart, in per cent of the median.
    var spreadPercent: Double {
        guard let least = self.min(), let most = self.max(), median > 0 else { return 0 }
        return (most - least) / median * 100
    }
}
