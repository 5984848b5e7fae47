internal import Glibc
internal import JSON
internal import Values

/// The canonical form of a request's parameters: the JSON as sent without white space, its members sorted, null and
/// empty members left out at every level, amounts as numbers in their shortest form, and whole numbers in place of texts as
/// texts. It is hashed to recognise a repeated request, so it must never change.
///
/// It holds card data, so it is written into memory that is wiped.
enum CanonicalParameters {
    /// - Parameter fields: the operation's fields, which tell the amounts.
    static func text(of document: JSONDocument, _ fields: RequestFields) -> SecretText {
        // Nothing but a number that becomes a text is longer than what it was read from: white space goes, and an escape is
        // no longer than the one it replaces. Such a number is a member, of a name, a colon and a digit at least, and gets
        // two quotation marks.
        let capacity = document.withRawBytes { $0.count + $0.count / 2 }
        var count = 0
        let bytes = SecretBytes(count: capacity) { buffer in
            var writer = CanonicalWriter(buffer: buffer)
            writer.write(document.root, .object(fields))
            count = writer.count
        }
        return bytes.withUnsafeBytes { SecretText(utf8: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
}

/// Writes into a buffer that is known to be large enough; outside of it the buffer's own bounds trap.
private struct CanonicalWriter {
    let buffer: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

    mutating func write(_ node: JSONNode, _ entry: RequestFields.Entry?) {
        switch node.kind {
        case .object:
            append("{")
            let start = count
            for member in Member.sorted(of: node) {
                let before = count
                if count > start { append(",") }
                write(string: member.name)
                append(":")
                let valueStart = count
                write(member.value, entry.flatMap { $0.isLeaf ? nil : $0[member.name.string ?? ""] })
                // Only an object that turned out empty is two bytes long and begins with a brace.
                if count - valueStart == 2, buffer[valueStart] == UInt8(ascii: "{") { count = before }
            }
            append("}")
        case .array:
            append("[")
            for (index, element) in node.elements.enumerated() {
                if index > 0 { append(",") }
                write(element, entry?.element)
            }
            append("]")
        case .string where entry?.isDecimal == true:
            _ = node.withStringBytes { writeAmount($0) }
        case .number where entry?.isDecimal == true:
            node.withRawBytes { writeAmount($0) }
        case .string:
            write(string: node)
        case .number where entry?.isText == true && node.isWholeNumber:
            append("\"")
            node.withRawBytes { append($0) }
            append("\"")
        case .number, .bool, .null:
            node.withRawBytes { append($0) }
        }
    }

    private mutating func write(string node: JSONNode) {
        // What is escaped as it would be here needs no other.
        guard !node.withRawBytes({ appendIfCanonical($0) }) else { return }
        append("\"")
        _ = node.withStringBytes { writeContent($0) }
        append("\"")
    }

    /// Appends a string as it stands, between its quotation marks, if its escapes are those that it must have, in the form
    /// in which ``writeContent(_:)`` writes them.
    private mutating func appendIfCanonical(_ text: UnsafeRawBufferPointer) -> Bool {
        let end = text.count - 1
        var read = 1
        while let start = text.baseAddress, let found = memchr(start + read, 0x5C, end - read) {
            let escape = UnsafeRawPointer(found) - start
            guard "\"\\bfnrt".utf8.contains(text[escape + 1]) else { return false }
            read = escape + 2
        }
        append(text)
        return true
    }

    /// Writes a decimal without zeros that don't count. It is one: the fields were checked.
    private mutating func writeAmount(_ decimal: UnsafeRawBufferPointer) {
        var digits = decimal[...]
        if digits.first == UInt8(ascii: "-") {
            append("-")
            digits.removeFirst()
        }
        if digits.contains(UInt8(ascii: ".")) {
            while digits.last == UInt8(ascii: "0") { digits.removeLast() }
            if digits.last == UInt8(ascii: ".") { digits.removeLast() }
        }
        while digits.count > 1, digits.first == UInt8(ascii: "0"), digits.dropFirst().first != UInt8(ascii: ".") {
            digits.removeFirst()
        }
        append(UnsafeRawBufferPointer(rebasing: digits))
    }

    /// Writes the content of a string with no more escapes than RFC 8259 §7 demands.
    private mutating func writeContent(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while true {
            let plain = JSONWriter.plainLength(of: rest)
            append(UnsafeRawBufferPointer(rebasing: rest[..<plain]))
            guard plain < rest.count else { return }
            appendEscaped(rest[plain])
            rest = UnsafeRawBufferPointer(rebasing: rest[(plain + 1)...])
        }
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        default:
            append("\\u00")
            append(hexadecimalDigit(byte >> 4))
            append(hexadecimalDigit(byte & 0xF))
        }
    }

    private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
    }

    private mutating func append(_ byte: UInt8) {
        buffer[count] = byte
        count += 1
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        UnsafeMutableRawBufferPointer(rebasing: buffer[count..<(count + bytes.count)]).copyMemory(from: bytes)
        count += bytes.count
    }

    private mutating func append(_ literal: StaticString) {
        append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }
}

/// A member of an object that is not null.
private struct Member {
    let name: JSONNode
    let value: JSONNode

    /// An object's members in ascending order of their names' bytes. They are few, and often in order already.
    static func sorted(of object: JSONNode) -> [Member] {
        var sorted: [Member] = []
        sorted.reserveCapacity(object.count)
        for (name, value) in object.namedNodes where !value.isNull {
            let member = Member(name: name, value: value)
            if let last = sorted.last, member.precedes(last) {
                return object.namedNodes.filter { !$0.value.isNull }.map { Member(name: $0.name, value: $0.value) }
                    .sorted { $0.precedes($1) }
            }
            sorted.append(member)
        }
        return sorted
    }

    private func precedes(_ other: Member) -> Bool {
        name.withStringBytes { name in other.name.withStringBytes { name.lexicographicallyPrecedes($0) } } == true
    }
}
