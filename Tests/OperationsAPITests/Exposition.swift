/// Prometheus's text format 0.0.4, read strictly: what a scraper would pass over is refused here.
///
/// - Source: Prometheus, "Exposition formats", text-based format, and "Metric and label naming".
struct Exposition {
    /// What is wrong with a document.
    struct Fault: Error, Equatable {
        let line: Int
        let reason: String
    }

    struct Sample {
        let name: String
        let labels: [String: String]
        let value: String
    }

    struct Family {
        let name: String
        let help: String
        let kind: String
        var samples: [Sample] = []
    }

    private(set) var families: [Family] = []

    /// Reads a document.
    init(_ text: String) throws {
        guard text.isEmpty || text.hasSuffix("\n") else { throw Fault(line: 0, reason: "the last line has no end") }
        var help: (name: String, text: String)?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().enumerated() {
            func check(_ condition: Bool, _ reason: String) throws {
                if !condition { throw Fault(line: index + 1, reason: reason) }
            }
            if line.hasPrefix("# HELP ") {
                let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
                try check(parts.count == 4 && !parts[3].isEmpty && help == nil, "HELP")
                try check(!families.contains { $0.name == parts[2] }, "a family begins twice")
                help = (String(parts[2]), String(parts[3]))
            } else if line.hasPrefix("# TYPE ") {
                let parts = line.split(separator: " ", omittingEmptySubsequences: false)
                try check(parts.count == 4 && parts[2] == help?.name ?? "", "TYPE follows its HELP")
                try check(["counter", "gauge", "histogram"].contains(parts[3]), "an unknown type")
                try check(parts[3] != "counter" || parts[2].hasSuffix("_total"), "a counter's name ends with _total")
                families.append(Family(name: String(parts[2]), help: help?.text ?? "", kind: String(parts[3])))
                help = nil
            } else {
                let sample = try Self.sample(line, index + 1)
                try check(help == nil && !families.isEmpty, "a sample stands in a family")
                let family = families[families.count - 1]
                let names =
                    family.kind == "histogram"
                    ? ["_bucket", "_sum", "_count"].map { family.name + $0 } : [family.name]
                try check(names.contains(sample.name), "a sample of another family")
                try check(
                    !family.samples.contains { $0.name == sample.name && $0.labels == sample.labels }, "a series twice")
                families[families.count - 1].samples.append(sample)
            }
        }
        guard help == nil else { throw Fault(line: 0, reason: "HELP without a family") }
        for family in families { try Self.check(family) }
    }

    /// The value of the one sample of a name with at least these labels.
    subscript(name: String, labels: [String: String]) -> String? {
        let found = families.flatMap(\.samples).filter { sample in
            sample.name == name && labels.allSatisfy { sample.labels[$0.key] == $0.value }
        }
        return found.count == 1 ? found[0].value : nil
    }

    private static func isName(_ text: Substring) -> Bool {
        text.wholeMatch(of: /[a-zA-Z_][a-zA-Z0-9_]*/) != nil
    }

    private static func sample(_ line: Substring, _ number: Int) throws -> Sample {
        let fault = Fault(line: number, reason: "no sample")
        let name = line.prefix { $0 != "{" && $0 != " " }
        guard isName(name) else { throw fault }
        var rest = line[name.endIndex...]
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest.removeFirst()
            repeat {
                let label = rest.prefix { $0 != "=" }
                guard isName(label), !label.hasPrefix("__"), labels[String(label)] == nil else { throw fault }
                rest = rest[label.endIndex...].dropFirst()
                guard rest.popFirst() == "\"" else { throw fault }
                var value = ""
                while let character = rest.popFirst(), character != "\"" {
                    guard character == "\\" else {
                        value.append(character)
                        continue
                    }
                    switch rest.popFirst() {
                    case "\\": value.append("\\")
                    case "\"": value.append("\"")
                    case "n": value.append("\n")
                    default: throw fault
                    }
                }
                labels[String(label)] = value
                guard let separator = rest.popFirst(), separator == "," || separator == "}" else { throw fault }
                if separator == "}" { break }
            } while true
        }
        guard rest.popFirst() == " ", Double(rest) != nil else { throw fault }
        return Sample(name: String(name), labels: labels, value: String(rest))
    }

    private static func check(_ family: Family) throws {
        guard !family.samples.isEmpty else { throw Fault(line: 0, reason: "\(family.name): no sample") }
        guard family.kind == "histogram" else { return }
        let groups = Dictionary(grouping: family.samples) { sample in
            sample.labels.filter { $0.key != "le" }.sorted { $0.key < $1.key }.map { "\($0)" }.joined()
        }
        for group in groups.values {
            func values(_ suffix: String) -> [Sample] { group.filter { $0.name == family.name + suffix } }
            let buckets = values("_bucket")
            let bounds = buckets.compactMap { $0.labels["le"].flatMap { $0 == "+Inf" ? .infinity : Double($0) } }
            let counts = buckets.compactMap { UInt64($0.value) }
            guard bounds.count == buckets.count, counts.count == buckets.count, bounds.last == .infinity,
                zip(bounds, bounds.dropFirst()).allSatisfy(<), zip(counts, counts.dropFirst()).allSatisfy(<=),
                values("_sum").count == 1, values("_count").map(\.value) == counts.suffix(1).map({ String($0) }),
                values("_sum").allSatisfy({ $0.labels["le"] == nil })
            else { throw Fault(line: 0, reason: "\(family.name): no histogram") }
        }
    }
}
