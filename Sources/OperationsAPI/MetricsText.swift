/// A document of metrics as Prometheus scrapes it, in its text format 0.0.4.
///
/// - Source: Prometheus, "Exposition formats", text-based format.
struct MetricsText {
    /// The media type of the format.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// A family's kind.
    enum Kind: String {
        /// A number that only grows, until the process ends.
        case counter
        /// A number that goes up and down.
        case gauge
        /// Counts by size.
        case histogram
    }

    /// Names with their values.
    typealias Labels = [(name: String, value: String)]

    /// What a histogram has observed.
    struct Histogram {
        /// How many were at most as large as each bound, and larger than the one before it.
        let buckets: [(bound: String, count: UInt64)]
        /// How many were larger than all bounds.
        let beyond: UInt64
        /// The sum of all, as text.
        let sum: String

        /// How many there were.
        var count: UInt64 { buckets.reduce(beyond) { $0 + $1.count } }
    }

    /// The document so far.
    private(set) var text = ""

    /// Adds a family with a sample for each of some labels. Without any there is nothing to tell, and the family is left out.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [(Labels, String)]) {
        guard !samples.isEmpty else { return }
        begin(name, kind, help)
        for (labels, value) in samples { add(name, labels, value) }
    }

    /// Adds a family of one sample.
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

    /// Nanoseconds in seconds, with no digit lost.
    static func seconds(nanoseconds: UInt64) -> String {
        let fraction = String(nanoseconds % 1_000_000_000)
        return "\(nanoseconds / 1_000_000_000).\(String(repeating: "0", count: 9 - fraction.utf8.count))\(fraction)"
    }
}
