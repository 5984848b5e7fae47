import Foundation

/// A line of a table: a name, and right-aligned columns.
struct ReportLine: CustomStringConvertible {
    let description: String

    /// - Parameter nameWidth: the width of the name's column in characters, including the gap after it.
    init(_ name: String, _ columns: [String], nameWidth: Int = 28, columnWidth: Int = 12) {
        description = columns.reduce(name + Self.spaces(nameWidth - name.count)) { line, column in
            line + Self.spaces(columnWidth - column.count) + column
        }
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(1, count)) }
}

extension Double {
    /// The number with the given number of decimals.
    func rounded(to decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}

extension [Double] {
    /// The middle value; for an even count the upper of the two middle values. The array must not be empty.
    var median: Double { sorted()[count / 2] }

    /// The distance between the lowest and the highest value, in per cent of the median.
    var spreadPercent: Double {
        guard let least = self.min(), let most = self.max(), median > 0 else { return 0 }
        return (most - least) / median * 100
    }
}
