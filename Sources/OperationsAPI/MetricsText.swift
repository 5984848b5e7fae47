/// A metrics document in Prometheus's text format 0.0.4.
///
/// - Source: Prometheus, "Exposition formats", text-based format.
struct MetricsText {
    /// The media type of the format.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// The kind of a metric family.
    enum Kind: String {
        /// A number that only grows while the process runs.
        case counter
        /// A number that may grow and shrink.
        case gauge
        /// Counts of values by size.
        case histogram
    }

    /// Label names with their values.
    typealias Labels = [(name: String, value: String)]

    /// The values that a histogram has recorded.
    struct Histogram {
        /// The number of values in each bucket: at most its bound, and larger than the previous bound.
        let buckets: [(bound: String, count: UInt64)]
        /// The number of values larger than all bounds.
        let beyond: UInt64
        /// The sum of all values, as text.
        let sum: String

        /// The number of values.
        var count: UInt64 { buckets.reduce(beyond) { $0 + $1.count } }
    }

    /// The text written so far.
    private(set) var text = ""

    /// Adds a family with one sample per label set. A family without samples is omitted.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [(Labels, String)]) {
        guard !samples.isEmpty else { return }
        begin(name, kind, help)
        for (labels, value) in samples { add(name, labels, value) }
    }

    /// Adds a family with one sample.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: String) {
        add(name, kind, help, [([], value)])
    }

    /// Adds a family of histograms.
    mutating func add(_ name: String, _ help: String, _ histograms: [(Labels, Histogram)]) {
        guard !histograms.isEmpty else { return }
        begin(name, .histogram, help)
        for (labels, histogram) in histograms {
            var count: UInt64 = 0
            for bucket in histogram.buckets {
                count += bucket.count
                add(name + "_bucket", labels + [("le", bucket.bound)], String(count))
            }
            add(name + "_bucket", labels + [("le", "+Inf")], String(histogram.count))
            add(name + "_sum", labels, histogram.sum)
            add(name + "_count", labels, String(histogram.count))
        }
    }

    private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
    }

    private mutating func add(_ name: String, _ labels: Labels, _ value: String) {
        text += name
        if !labels.isEmpty {
            text += "{"
            text += labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }.joined(separator: ",")
            text += "}"
        }
        text += " \(value)\n"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.append(character)
            }
        }
    }

    /// Converts nanoseconds to seconds without loss of precision.
    static func seconds(nanoseconds: UInt64) -> String {
        let fraction = String(nanoseconds % 1_000_000_000)
        return "\(nanoseconds / 1_000_000_000).\(String(repeating: "0", count: 9 - fraction.utf8.count))\(fraction)"
    }
}
