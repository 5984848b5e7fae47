/// Parses one document to a tape, strictly by RFC 8259, without recursion.
///
/// Zero bytes follow the JSON text (``WipedBytes/paddingBytes``). U+0000 is not valid anywhere in JSON, so every scan
/// stops at them and `position` never exceeds the length.
struct Parser {
    let text: UnsafeRawBufferPointer
    let start: UnsafeRawPointer
    var position = 0
    private(set) var tape: Tape = []

    private let limits: JSONLimits
    /// The index of the innermost open container, or -1. Each open container's `next` is its parent's index.
    private var container = -1
    private var depth = 0
    private var values = 0

    private init(_ text: UnsafeRawBufferPointer, start: UnsafeRawPointer, limits: JSONLimits) {
        self.text = text
        self.start = start
        self.limits = limits
        tape.reserveCapacity(min(64, text.count))
    }

    /// - Precondition: `bytes` has at most `limits.bytesMax` bytes.
    static func tape(of bytes: borrowing WipedBytes, limits: JSONLimits) throws(JSONFault) -> Tape {
        try bytes.withPaddedBytes { text, start throws(JSONFault) in
            var parser = Parser(text, start: start, limits: limits)
            try parser.readDocument()
            return parser.tape
        }
    }

    /// The byte at `position`, or 0 at the end.
    var byte: UInt8 { start.load(fromByteOffset: position, as: UInt8.self) }

    /// The fault for the byte at `position`, which the grammar refuses for `reason`.
    func fault(_ reason: JSONFault.Reason) -> JSONFault {
        if position == text.count { return fault(.unexpectedEnd, at: position) }
        if byte >= 0x80 && scalarLength(at: position) == nil { return fault(.invalidUTF8, at: position) }
        return fault(reason, at: position)
    }

    func fault(_ reason: JSONFault.Reason, at offset: Int) -> JSONFault { JSONFault(reason, at: offset, of: text) }

    mutating func append(_ entry: TapeEntry) { tape.append(entry) }

    private mutating func readDocument() throws(JSONFault) {
        skipWhiteSpace()
        var justOpened = try readValue()
        while container >= 0 {
            skipWhiteSpace()
            let isObject = tape[container].isObject
            if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                try close()
                justOpened = false
                continue
            }
            if !justOpened {
                guard byte == UInt8(ascii: ",") else { throw fault(.unexpectedCharacter) }
                position += 1
                skipWhiteSpace()
            }
            if isObject { try readName() }
            justOpened = try readValue()
        }
        skipWhiteSpace()
        guard position == text.count else { throw fault(.textAfterEnd) }
    }

    private mutating func skipWhiteSpace() {
        while true {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): position += 1
            default: return
            }
        }
    }

    /// Reads a scalar, or the opening bracket of a container.
    ///
    /// - Returns: whether it opened a container.
    private mutating func readValue() throws(JSONFault) -> Bool {
        values += 1
        guard values <= limits.valuesMax else { throw fault(.tooManyValues) }
        if container >= 0 { tape[container].countChild() }
        switch byte {
        case UInt8(ascii: "\""): try readString()
        case UInt8(ascii: "{"):
            try open(.object)
            return true
        case UInt8(ascii: "["):
            try open(.array)
            return true
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber()
        case UInt8(ascii: "t"): try readLiteral("true", .bool)
        case UInt8(ascii: "f"): try readLiteral("false", .bool)
        case UInt8(ascii: "n"): try readLiteral("null", .null)
        default: throw fault(.unexpectedCharacter)
        }
        return false
    }

    private mutating func open(_ kind: JSONNode.Kind) throws(JSONFault) {
        guard depth < limits.depthMax else { throw fault(.tooDeep, at: position) }
        // A root's parent is -1, which is stored in `next` with all bits set.
        tape.append(TapeEntry(kind, start: position, end: position, next: container))
        container = tape.count - 1
        depth += 1
        position += 1
    }

    private mutating func close() throws(JSONFault) {
        position += 1
        let parent = tape[container].next
        tape[container].end = UInt32(position)
        tape[container].next = UInt32(tape.count)
        if tape[container].isObject, let name = tape.repeatedName(in: container, of: text) {
            throw duplicateName(at: name, parent: parent)
        }
        container = parent == .max ? -1 : Int(parent)
        depth -= 1
    }

    /// The fault for a repeated name with the index `name`, in the container that was closed last.
    private mutating func duplicateName(at name: Int, parent: UInt32) -> JSONFault {
        // A path is found by the ends of containers. Containers that are still open extend to the end of the tape.
        var open = parent
        while open != .max {
            let outer = tape[Int(open)].next
            tape[Int(open)].next = .max
            open = outer
        }
        return JSONFault(
            .duplicateName, at: Int(tape[name].start), of: text, path: tape.path(to: name, of: text))
    }

    private mutating func readName() throws(JSONFault) {
        guard byte == UInt8(ascii: "\"") else { throw fault(.unexpectedCharacter) }
        try readString()
        skipWhiteSpace()
        guard byte == UInt8(ascii: ":") else { throw fault(.unexpectedCharacter) }
        position += 1
        skipWhiteSpace()
    }

    private mutating func readLiteral(_ literal: StaticString, _ kind: JSONNode.Kind) throws(JSONFault) {
        let offset = position
        for index in 0..<literal.utf8CodeUnitCount {
            guard byte == literal.utf8Start[index] else { throw fault(.unexpectedCharacter) }
            position += 1
        }
        tape.append(TapeEntry(kind, start: offset, end: position, next: tape.count + 1))
    }

    /// Reads `-`? (`0` | `1`–`9` digits) (`.` digits)? ((`e`|`E`) (`+`|`-`)? digits)? (RFC 8259 §6).
    private mutating func readNumber() throws(JSONFault) {
        let offset = position
        if byte == UInt8(ascii: "-") { position += 1 }
        if byte == UInt8(ascii: "0") {
            position += 1
            if isDigit(byte) { throw fault(.invalidNumber) }
        } else {
            try readDigits()
        }
        if byte == UInt8(ascii: ".") {
            position += 1
            try readDigits()
        }
        if byte | 0x20 == UInt8(ascii: "e") {
            position += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
            try readDigits()
        }
        tape.append(TapeEntry(.number, start: offset, end: position, next: tape.count + 1))
    }

    /// Reads one or more digits.
    private mutating func readDigits() throws(JSONFault) {
        guard isDigit(byte) else { throw fault(.invalidNumber) }
        repeat { position += 1 } while isDigit(byte)
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
