/// The code of a Swift file: its text with comments, strings and regular expressions blanked out.
///
/// Every byte keeps its place and every newline stays, so that line numbers are those of the file. The code of an
/// interpolation stays too.
struct SwiftCode {
    /// As many bytes as the text has.
    private(set) var bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
        readCode(isInterpolation: false)
    }

    /// Reads code to the end of the file, or through the parenthesis that closes an interpolation.
    private mutating func readCode(isInterpolation: Bool) {
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "/") where next(is: "/"): blankLine()
            case UInt8(ascii: "/") where next(is: "*"): blankBlockComment()
            case UInt8(ascii: "/") where isStartOfRegex: blankRegex(hashes: 0)
            case UInt8(ascii: "\""): readString(hashes: 0)
            case UInt8(ascii: "#"):
                let hashes = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
                position += hashes
                if has("\"") { readString(hashes: hashes) } else if has("/") { blankRegex(hashes: hashes) }
            case UInt8(ascii: "("):
                depth += 1
                position += 1
            case UInt8(ascii: ")"):
                depth -= 1
                position += 1
                if isInterpolation, depth < 0 { return }
            default: position += 1
            }
        }
    }

    /// Blanks a string of one line or several, except the code of its interpolations.
    private mutating func readString(hashes: Int) {
        let quotes = has("\"\"\"") ? "\"\"\"" : "\""
        let end = quotes + String(repeating: "#", count: hashes)
        let escape = "\\" + String(repeating: "#", count: hashes)
        blank(quotes.utf8.count)
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\"") where has(end):
                // The quote stays in the code: a `/` after it divides.
                position += end.utf8.count
                return
            case UInt8(ascii: "\\") where has(escape + "("):
                blank(escape.utf8.count + 1)
                readCode(isInterpolation: true)
                bytes[position - 1] = UInt8(ascii: " ")
            case UInt8(ascii: "\\") where has(escape): blank(escape.utf8.count + 1)
            default: blank(1)
            }
        }
    }

    /// Blanks a regular expression. One without `#` ends on its line.
    private mutating func blankRegex(hashes: Int) {
        let end = "/" + String(repeating: "#", count: hashes)
        blank(1)
        while position < bytes.count, !has(end), hashes > 0 || bytes[position] != UInt8(ascii: "\n") {
            blank(has("\\") ? 2 : 1)
        }
        blank(end.utf8.count)
    }

    /// Whether a `/` starts a regular expression: nothing that it could divide stands before it, no space behind it.
    private var isStartOfRegex: Bool {
        guard position + 1 < bytes.count, !" \t\n)".utf8.contains(bytes[position + 1]) else { return false }
        let before = bytes[..<position].last { !" \t\n".utf8.contains($0) }
        return before.map { "(,=:[{&|?!".utf8.contains($0) } ?? true
    }

    private mutating func blankLine() {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { blank(1) }
    }

    /// Blanks a comment of `/*` and `*/`, and those inside it.
    private mutating func blankBlockComment() {
        var depth = 0
        repeat {
            if has("/*") { depth += 1 } else if has("*/") { depth -= 1 }
            blank(has("/*") || has("*/") ? 2 : 1)
        } while depth > 0 && position < bytes.count
    }

    private mutating func blank(_ count: Int) {
        for _ in 0..<count where position < bytes.count {
            if bytes[position] != UInt8(ascii: "\n") { bytes[position] = UInt8(ascii: " ") }
            position += 1
        }
    }

    private func has(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private func next(is sign: Unicode.Scalar) -> Bool {
        position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: sign)
    }
}
