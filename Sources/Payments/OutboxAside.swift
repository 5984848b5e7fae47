internal import Values

/// The numbers of messages that were set aside, and when they are looked at again.
struct OutboxAside: Equatable {
    /// For how long messages are left alone that couldn't be read, in milliseconds.
    static let pauseMilliseconds: Int64 = 3_600_000
    /// How many ranges there are at most; two are joined where there would be more.
    static let rangesMax = 64

    /// In order, without overlaps. Among those numbers may be some of messages that are gone.
    private(set) var ranges: [ClosedRange<Int64>] = []
    /// The number from which on they are looked at next.
    var from: Int64 = 0
    /// When that is.
    var due = Instant(secondsSinceEpoch: 0)

    /// Some of the numbers, from ``from`` on.
    func numbers(countMax: Int) -> [Int64] {
        var numbers: [Int64] = []
        for range in ranges where range.upperBound >= from {
            for number in max(range.lowerBound, from)...range.upperBound {
                guard numbers.count < countMax else { return numbers }
                numbers.append(number)
            }
        }
        return numbers
    }

    /// Adds a number behind all others.
    mutating func append(_ number: Int64) {
        guard let last = ranges.last else { return ranges = [number...number] }
        guard last.upperBound < number else { return }
        if last.upperBound == number - 1 {
            ranges[ranges.count - 1] = last.lowerBound...number
            return
        }
        ranges.append(number...number)
        if ranges.count > Self.rangesMax { joinNearest() }
    }

    /// Takes a number out; it stays if that would make too many ranges.
    mutating func remove(_ number: Int64) {
        guard let index = ranges.firstIndex(where: { $0.contains(number) }) else { return }
        let range = ranges[index]
        var parts: [ClosedRange<Int64>] = []
        if range.lowerBound < number { parts.append(range.lowerBound...(number - 1)) }
        if number < range.upperBound { parts.append((number + 1)...range.upperBound) }
        guard ranges.count - 1 + parts.count <= Self.rangesMax else { return }
        ranges.replaceSubrange(index...index, with: parts)
    }

    private mutating func joinNearest() {
        let nearest = ranges.indices.dropLast().min { first, second in
            ranges[first + 1].lowerBound - ranges[first].upperBound
                < ranges[second + 1].lowerBound - ranges[second].upperBound
        }
        guard let nearest else { return }
        let joined = ranges[nearest].lowerBound...ranges[nearest + 1].upperBound
        ranges.replaceSubrange(nearest...(nearest + 1), with: [joined])
    }
}

extension OutboxAside {
    /// The ranges as they are kept: `3-5 9-9`.
    var text: String { ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: " ") }

    /// Reads ranges as they are kept.
    init(text: String, from: Int64, due: Instant) throws(RecordFault) {
        self.from = from
        self.due = due
        for part in text.split(separator: " ") {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]), first <= last,
                ranges.last?.upperBound ?? -1 < first, ranges.count < Self.rangesMax
            else { throw .member("aside") }
            ranges.append(first...last)
        }
    }
}
