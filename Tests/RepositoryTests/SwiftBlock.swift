/// A block of Swift in braces that holds statements: the body of a function, an initializer, an accessor or a closure, or
/// a block inside one. The braces of a type, a protocol, an extension or a `switch` are none.
struct SwiftBlock {
    /// The line of the opening brace, from 1.
    let line: Int
    /// The lines between the braces that hold code. Comments, blank lines and the text of long strings don't count.
    let lines: [String]

    /// Whether the block is one `switch` without `default`: a table that the compiler keeps complete.
    var isTable: Bool {
        guard let first = lines.first, let last = lines.last else { return false }
        let end = String(first.prefix { $0 == " " }) + "}"
        return first.firstMatch(of: /^ *(return )?switch\b/) != nil && last == end
            && !lines.dropLast().contains(end) && !lines.contains { $0.contains(/^ *default:/) }
    }

    /// How many lines the longest `case` of a table has.
    var longestCaseLines: Int {
        lines.dropFirst().dropLast().split { $0.contains(/^ *case\b/) }.map { $0.count + 1 }.max() ?? 0
    }

    /// The blocks of a file, each before the blocks around it.
    static func all(in text: String) -> [SwiftBlock] {
        let code = SwiftCode(text).bytes
        var blocks: [SwiftBlock] = []
        var open: [(line: Int, index: Int, isType: Bool)] = []
        var words = DeclarationWords()
        var line = 1
        var index = 0
        while index < code.count {
            let byte = code[index]
            index += 1
            if isWordByte(byte) {
                let start = index - 1
                while index < code.count, isWordByte(code[index]) { index += 1 }
                words.append(String(decoding: code[start..<index], as: UTF8.self))
                continue
            }
            switch byte {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: "{"): open.append((line, index, words.takeIsType()))
            case UInt8(ascii: "}"):
                guard let start = open.popLast(), !start.isType else { continue }
                let block = SwiftBlock(line: start.line, lines: Self.lines(of: code[start.index..<index - 1]))
                if block.lines.first?.contains(/^ *case\b/) != true { blocks.append(block) }
            default: break
            }
            if !" \t\n".utf8.contains(byte) { words.append(String(UnicodeScalar(byte))) }
        }
        return blocks
    }

    /// The lines behind the one of the opening brace and before the one of the closing brace that hold code.
    private static func lines(of code: ArraySlice<UInt8>) -> [String] {
        let space = UInt8(ascii: " ")
        return code.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropFirst().dropLast()
            .compactMap { line in
                line.lastIndex { $0 != space }.map { String(decoding: line[...$0], as: UTF8.self) }
            }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }
}

/// The last words of a file that is read from its start, from which follows whether a brace opens a type.
private struct DeclarationWords {
    private var isType = false
    /// Whether the previous word is one that declares a type if a name follows it.
    private var isAfterKeyword = false
    private var previous = ""

    /// Takes a word or a sign.
    mutating func append(_ word: String) {
        let isName = word.first.map { $0.isLetter || $0 == "_" } == true
        // `class func` declares no type, and `extension:` is the label of an argument.
        if isAfterKeyword, isName, !Self.members.contains(word) { isType = true }
        isAfterKeyword = Self.keywords.contains(word) && !Self.beforeOthers.contains(previous)
        previous = word
    }

    private static let keywords: Set = ["struct", "class", "enum", "actor", "protocol", "extension"]
    /// What `class` may stand before without a type.
    private static let members: Set = ["func", "var", "let", "subscript"]
    /// What stands before such a word where it declares no type.
    private static let beforeOthers: Set = [".", "(", ",", ":", "`", "import", "let", "var"]

    /// Whether the brace that follows opens a type; forgets it, as for the next brace.
    mutating func takeIsType() -> Bool {
        defer { isType = false }
        return isType
    }
}
