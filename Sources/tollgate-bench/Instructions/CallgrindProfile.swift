/// The instructions that a program executed under `valgrind --tool=callgrind`, by function.
///
/// The costs of a function don't include those of the functions that it called.
///
/// - Source: Valgrind's manual, "Callgrind Format Specification".
struct CallgrindProfile {
    /// A function, as the symbols of its object name it.
    struct Function: Hashable {
        /// The path of the program or library; `???` for code that belongs to neither.
        let object: String
        let name: String
    }

    /// The counts of a function.
    struct Cost: Equatable {
        var instructions = 0
        /// 0 unless callgrind was run with `--collect-systime`.
        var systemCalls = 0
        /// The number of calls of the function.
        var calls = 0

        static func += (sum: inout Cost, cost: Cost) {
            sum.instructions += cost.instructions
            sum.systemCalls += cost.systemCalls
            sum.calls += cost.calls
        }
    }

    /// The reason why a file can't be read.
    struct Malformed: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    let costs: [Function: Cost]

    /// Reads the file that callgrind wrote when a program ended.
    ///
    /// - Throws: also if the costs don't add up to the total in the file, as in a truncated file.
    init(_ bytes: [UInt8]) throws(Malformed) {
        var reader = CallgrindReader()
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            try reader.read(bytes[start..<end])
            start = end + 1
        }
        costs = try reader.finish()
    }
}

/// Parses the lines of one file.
private struct CallgrindReader {
    private typealias Malformed = CallgrindProfile.Malformed

    /// Names that the file abbreviates as `(number)` after their first occurrence.
    private struct Names {
        private var known: [Substring: String] = [:]

        mutating func name(_ text: Substring) throws(Malformed) -> String {
            guard text.first == "(", let end = text.firstIndex(of: ")") else { return String(text) }
            let number = text[...end]
            let rest = text[text.index(after: end)...].drop { $0 == " " }
            if !rest.isEmpty { known[number] = String(rest) }
            guard let name = known[number] else { throw Malformed(description: "no name was given for \(number)") }
            return name
        }
    }

    private var objects = Names()
    private var functions = Names()
    private var object = "???"
    private var function: CallgrindProfile.Function?
    private var calledObject: String?
    private var calledName: String?
    /// Whether the next line is the inclusive cost of a call, with everything that the callee called.
    private var isInclusive = false
    private var positionCount = 1
    private var instructionColumn: Int?
    private var systemCallColumn: Int?
    private var total: Int?
    private var costs: [CallgrindProfile.Function: CallgrindProfile.Cost] = [:]

    mutating func read(_ line: ArraySlice<UInt8>) throws(CallgrindProfile.Malformed) {
        guard let first = line.first else { return }
        // A position: a number, or the difference from the previous one.
        switch first {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"):
            return try readCost(line)
        default: break
        }
        let text = String(decoding: line, as: UTF8.self)
        guard let sign = text.firstIndex(where: { $0 == "=" || $0 == ":" }) else { return }
        let value = text[text.index(after: sign)...]
        switch text[...sign] {
        case "ob=": object = try objects.name(value)
        case "fn=": function = .init(object: object, name: try functions.name(value))
        case "cob=": calledObject = try objects.name(value)
        case "cfn=": calledName = try functions.name(value)
        case "calls=": try readCall(value)
        case "positions:": positionCount = value.split(separator: " ").count
        case "events:":
            let events = value.split(separator: " ")
            instructionColumn = events.firstIndex(of: "Ir")
            systemCallColumn = events.firstIndex(of: "sysCount")
        case "totals:":
            guard let column = instructionColumn else { throw Malformed(description: "no event is Ir") }
            let totals = value.split(separator: " ")
            total = column < totals.count ? Int(totals[column]) : 0
        default: break
        }
    }

    private mutating func readCall(_ value: Substring) throws(CallgrindProfile.Malformed) {
        guard let calledName, let count = value.split(separator: " ").first.flatMap({ Int($0) }) else {
            throw Malformed(description: "a call of no function: calls=\(value)")
        }
        costs[.init(object: calledObject ?? object, name: calledName), default: .init()].calls += count
        self.calledName = nil
        calledObject = nil
        isInclusive = true
    }

    private mutating func readCost(_ line: ArraySlice<UInt8>) throws(CallgrindProfile.Malformed) {
        guard !isInclusive else {
            isInclusive = false
            return
        }
        guard let function, let instructionColumn else {
            throw Malformed(description: "a cost of no function or no events: \(String(decoding: line, as: UTF8.self))")
        }
        let columns = line.split(separator: UInt8(ascii: " "))
        // Trailing zeros of a line are omitted.
        func count(_ column: Int?) throws(CallgrindProfile.Malformed) -> Int {
            guard let column, positionCount + column < columns.count else { return 0 }
            guard let count = Int(String(decoding: columns[positionCount + column], as: UTF8.self)) else {
                throw Malformed(description: "not a cost: \(String(decoding: line, as: UTF8.self))")
            }
            return count
        }
        costs[function, default: .init()] += .init(
            instructions: try count(instructionColumn), systemCalls: try count(systemCallColumn))
    }

    /// The costs, after all lines were read.
    func finish() throws(CallgrindProfile.Malformed) -> [CallgrindProfile.Function: CallgrindProfile.Cost] {
        guard let total else { throw Malformed(description: "the file has no totals: the program was killed") }
        let sum = costs.values.reduce(0) { $0 + $1.instructions }
        guard sum == total else {
            throw Malformed(description: "the functions' \(sum) instructions are not the file's total, \(total)")
        }
        return costs
    }
}
