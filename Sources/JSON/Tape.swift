/// One value or name of a document: where it stands in the text, and how far its descendants reach on the tape.
struct TapeEntry {
    /// The offset of the first byte; of a string, its opening quotation mark.
    var start: UInt32

    /// The offset behind the last byte; of a string, behind its closing quotation mark.
    var end: UInt32

    /// The index behind the entry and all its descendants. While a container is open: its parent's index.
    var next: UInt32

    /// Bits 0 to 2 are the kind, bit 3 tells a string with escapes, bits 4 to 31 count a container's children.
    private var packed: UInt32

    init(_ kind: JSONNode.Kind, start: Int, end: Int, next: Int, escaped: Bool = false) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.end = UInt32(truncatingIfNeeded: end)
        self.next = UInt32(truncatingIfNeeded: next)
        packed = UInt32(kind.rawValue) | (escaped ? 8 : 0)
    }

    var kind: JSONNode.Kind {
        switch packed & 7 {
        case 0: .null
        case 1: .bool
        case 2: .number
        case 3: .string
        case 4: .array
        default: .object
        }
    }

    var isObject: Bool { packed & 7 == UInt32(JSONNode.Kind.object.rawValue) }

    var isEscaped: Bool { packed & 8 != 0 }

    /// How many elements or members an array or object holds.
    var count: Int { Int(packed >> 4) }

    mutating func countChild() { packed &+= 16 }
}

/// A document's values in the order of its text: a container is followed by its children, each of an object's values is
/// preceded by its name.
typealias Tape = [TapeEntry]

extension Tape {
    /// The text of an entry, of a string without its quotation marks.
    func content(_ index: Int, of text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let entry = self[index]
        let quote = entry.kind == .string ? 1 : 0
        return UnsafeRawBufferPointer(rebasing: text[(Int(entry.start) + quote)..<(Int(entry.end) - quote)])
    }

    /// The dotted path of a value, or of the member that a name begins. See ``JSONNode/path``.
    func path(to target: Int, of text: UnsafeRawBufferPointer) -> String {
        var path = ""
        var container = 0
        while container < target {
            let isObject = self[container].isObject
            var child = container + 1
            var ordinal = 0
            var value = isObject ? child + 1 : child
            while Int(self[value].next) <= target {
                child = Int(self[value].next)
                value = isObject ? child + 1 : child
                ordinal += 1
            }
            if isObject {
                if !path.isEmpty { path += "." }
                path.append(nameForPath: content(child, of: text), isEscaped: self[child].isEscaped)
            } else {
                path += "[\(ordinal)]"
            }
            container = value
        }
        return path
    }
}

extension String {
    /// The most scalars of one name that a path shows.
    private static let pathNameScalarsMax = 64

    /// Appends a name so that a line of a log stays one line: controls as `\u00XX`, a long name cut with an ellipsis.
    fileprivate mutating func append(nameForPath raw: UnsafeRawBufferPointer, isEscaped: Bool) {
        let name =
            isEscaped
            ? WipedBytes(unescaping: raw).withBytes { String(decoding: $0, as: UTF8.self) }
            : String(decoding: raw, as: UTF8.self)
        for (number, scalar) in name.unicodeScalars.enumerated() {
            guard number < Self.pathNameScalarsMax else {
                append("…")
                return
            }
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
            default:
                unicodeScalars.append(scalar)
            }
        }
    }
}
