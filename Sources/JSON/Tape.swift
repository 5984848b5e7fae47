/// One value or name of a document: its range in the JSON text, and the extent of its descendants on the tape.
struct TapeEntry {
    /// The offset of the first byte; for a string, of its opening quotation mark.
    var start: UInt32

    /// The offset after the last byte; for a string, after its closing quotation mark.
    var end: UInt32

    /// The index after the entry and all its descendants. While a container is open: its parent's index.
    var next: UInt32

    /// Bits 0 to 2: the kind. Bit 3: whether a string has escapes. Bits 4 to 31: the number of a container's children.
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

    /// The number of elements or members of an array or object.
    var count: Int { Int(packed >> 4) }

    mutating func countChild() { packed &+= 16 }
}

/// A document's values in document order: a container is followed by its children, and each value in an object is
/// preceded by its name.
typealias Tape = [TapeEntry]

extension Tape {
    /// The JSON text of an entry, without the quotation marks of a string.
    func content(_ index: Int, of text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let entry = self[index]
        let quote = entry.kind == .string ? 1 : 0
        return UnsafeRawBufferPointer(rebasing: text[(Int(entry.start) + quote)..<(Int(entry.end) - quote)])
    }

    /// The dotted path of a value, or of the member with a name. See ``JSONNode/path``.
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
    /// The maximum number of scalars of one name in a path.
    private static let pathNameScalarsMax = 64

    /// Appends a name so that it fits in one log line: control characters as `\u00XX`, and a long name truncated with
    /// an ellipsis.
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
