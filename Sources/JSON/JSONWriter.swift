import Glibc

extension JSONValue {
    /// The value's JSON text: without white space, with members in ascending order of their names' code points at every
    /// level, with only the escapes that RFC 8259 §7 requires, and everything else as UTF-8.
    ///
    /// Equal values have the same JSON text, byte for byte, so it can be hashed.
    public func serialized() -> [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.bytes
    }
}

/// Writes one JSON text piece by piece, and inserts commas. It avoids building a tree of values first.
///
/// The caller must order members, keep names unique, and end every object and array that it begins.
///
/// It writes to a growing memory block, because appending to an array costs more than copying the bytes. Each method
/// first reserves the maximum number of bytes that it writes. Each block is wiped before it is freed, as it may contain
/// card data.
public struct JSONWriter: ~Copyable {
    private var block: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var count = 0
    /// Whether the next value or name must be preceded by a comma.
    private var isBehindValue = false

    /// Creates a writer.
    ///
    /// - Parameter capacity: the size of the first memory block, in bytes.
    public init(capacity: Int = 2048) {
        block = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { free() }

    private func free() {
        explicit_bzero(block, capacity)
        block.deallocate()
    }

    /// A copy of the written bytes, which is never wiped: for card data use ``withBytes(_:)``.
    public var bytes: [UInt8] { [UInt8](UnsafeBufferPointer(start: block, count: count)) }

    /// Calls the body with the written bytes. They are valid only during the call.
    public borrowing func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        body(UnsafeRawBufferPointer(start: block, count: count))
    }

    /// A position in the JSON text to which it can be truncated.
    public struct Mark {
        fileprivate let count: Int
        fileprivate let isBehindValue: Bool
    }

    /// The present end of the JSON text.
    public var mark: Mark { Mark(count: count, isBehindValue: isBehindValue) }

    /// Removes everything that was written after a mark.
    public mutating func cut(to mark: Mark) {
        count = mark.count
        isBehindValue = mark.isBehindValue
    }

    /// Begins an object.
    public mutating func beginObject() { begin(UInt8(ascii: "{")) }
    /// Ends an object.
    public mutating func endObject() { end(UInt8(ascii: "}")) }
    /// Begins an array.
    public mutating func beginArray() { begin(UInt8(ascii: "[")) }
    /// Ends an array.
    public mutating func endArray() { end(UInt8(ascii: "]")) }

    /// Completes the JSON text with a line feed. The next value begins another JSON text.
    public mutating func endLine() {
        write(byte: UInt8(ascii: "\n"))
        isBehindValue = false
    }

    /// Writes the name of a member; its value must be written next.
    public mutating func write(name: String) {
        separate()
        write(content: name, followedBy: UInt8(ascii: ":"))
        isBehindValue = false
    }

    /// Writes the name of a member, which must need no escapes in JSON; its value must be written next.
    public mutating func member(_ name: StaticString) {
        reserve(name.utf8CodeUnitCount + Self.nameExtra)
        append(name)
    }

    /// Writes a member with a string; writes nothing if it is nil.
    public mutating func member(_ name: StaticString, _ string: String?) {
        guard let string else { return }
        string.withUTF8Bytes { text in
            reserve(name.utf8CodeUnitCount + Self.nameExtra + Self.lengthMax(of: text))
            append(name)
            append(quoted: text)
        }
        isBehindValue = true
    }

    /// Writes a member with an integer.
    public mutating func member(_ name: StaticString, _ integer: Int64) {
        member(name)
        write(integer)
    }

    /// Writes a member with a decimal number, such as 12.50 for 1250 units and 2 fraction digits.
    public mutating func member(_ name: StaticString, _ units: Int64, fractionDigits: Int) {
        precondition((0...Self.fractionDigitsMax).contains(fractionDigits), "more digits than the table of powers has")
        member(name)
        // The integer with a zero and a point, or with as many zeros as there are fraction digits.
        reserve(Self.integerLengthMax + Self.fractionDigitsMax + 2)
        if units < 0 { append(UInt8(ascii: "-")) }
        var one: UInt64 = 1
        for _ in 0..<fractionDigits { one *= 10 }
        append(digitsOf: units.magnitude / one, atLeast: 1)
        if fractionDigits > 0 {
            append(UInt8(ascii: "."))
            append(digitsOf: units.magnitude % one, atLeast: fractionDigits)
        }
        isBehindValue = true
    }

    /// Writes a string.
    public mutating func write(_ string: String) {
        separate()
        write(content: string, followedBy: nil)
        isBehindValue = true
    }

    /// Writes a string from UTF-8 bytes.
    public mutating func write(string text: UnsafeRawBufferPointer) {
        separate()
        reserve(Self.lengthMax(of: text))
        append(quoted: text)
        isBehindValue = true
    }

    /// Writes a number from its digits and sign. The caller must ensure that the digits are a JSON number.
    public mutating func write(number text: UnsafeRawBufferPointer, isNegative: Bool) {
        separate()
        reserve(text.count + 1)
        if isNegative { append(UInt8(ascii: "-")) }
        append(text)
        isBehindValue = true
    }

    /// Writes an integer.
    public mutating func write(_ integer: Int64) {
        separate()
        append(integer)
        isBehindValue = true
    }

    /// Writes the JSON text of a document's value unchanged.
    public mutating func write(raw node: JSONNode) {
        separate()
        node.withRawBytes { text in
            reserve(text.count)
            append(text)
        }
        isBehindValue = true
    }

    /// Writes the name of a document's member unchanged; its value must be written next.
    public mutating func write(name: JSONNode) {
        write(raw: name)
        write(byte: UInt8(ascii: ":"))
        isBehindValue = false
    }

    /// Writes a value.
    public mutating func write(_ value: JSONValue) {
        switch value {
        case .null: write(literal: "null")
        case .bool(true): write(literal: "true")
        case .bool(false): write(literal: "false")
        case .number(let number):
            separate()
            number.text.withUTF8Bytes { text in
                reserve(text.count)
                append(text)
            }
            isBehindValue = true
        case .string(let string): write(string)
        case .array(let elements):
            beginArray()
            for element in elements { write(element) }
            endArray()
        case .object(let members):
            beginObject()
            for member in members.sorted {
                write(name: member.name.text)
                write(member.value)
            }
            endObject()
        }
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        write(byte: bracket)
        isBehindValue = false
    }

    private mutating func end(_ bracket: UInt8) {
        write(byte: bracket)
        isBehindValue = true
    }

    private mutating func separate() {
        if isBehindValue { write(byte: UInt8(ascii: ",")) }
    }

    private mutating func append(_ integer: Int64) {
        reserve(Self.integerLengthMax)
        if integer < 0 { append(UInt8(ascii: "-")) }
        append(digitsOf: integer.magnitude, atLeast: 1)
    }

    /// Appends the digits of a number, with leading zeros up to `digitsMin`, to the reserved memory.
    private mutating func append(digitsOf magnitude: UInt64, atLeast digitsMin: Int) {
        var (length, rest) = (1, magnitude / 10)
        while rest > 0 {
            length += 1
            rest /= 10
        }
        length = max(length, digitsMin)
        rest = magnitude
        var place = block + count + length
        for _ in 0..<length {
            place -= 1
            place.pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += length
    }

    private mutating func write(content string: String, followedBy separator: UInt8?) {
        string.withUTF8Bytes { text in
            reserve(Self.lengthMax(of: text) + 1)
            append(quoted: text)
            if let separator { append(separator) }
        }
    }

    private mutating func write(literal: StaticString) {
        separate()
        reserve(literal.utf8CodeUnitCount)
        append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
        isBehindValue = true
    }

    private mutating func write(byte: UInt8) {
        reserve(1)
        append(byte)
    }

    private mutating func reserve(_ more: Int) {
        if capacity - count < more { grow(by: more) }
    }

    private mutating func grow(by more: Int) {
        let larger = (count + more) * 2
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: block, count: count)
        free()
        block = moved
        capacity = larger
    }

    /// Appends a byte to the reserved memory.
    private mutating func append(_ byte: UInt8) {
        block[count] = byte
        count += 1
    }

    /// Appends bytes to the reserved memory.
    private mutating func append(_ text: UnsafeRawBufferPointer) {
        UnsafeMutableRawBufferPointer(start: block + count, count: text.count).copyMemory(from: text)
        count += text.count
    }

    /// Appends a comma if necessary, and a name with its colon, to the reserved memory.
    private mutating func append(_ name: StaticString) {
        if isBehindValue { append(UInt8(ascii: ",")) }
        append(UInt8(ascii: "\""))
        append(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: ":"))
        isBehindValue = false
    }

    /// Appends a string to the reserved memory.
    private mutating func append(quoted text: UnsafeRawBufferPointer) {
        append(UInt8(ascii: "\""))
        if Self.plainLength(of: text) == text.count { append(text) } else { appendEscaped(text) }
        append(UInt8(ascii: "\""))
    }

    /// The maximum size of a string's JSON text: six bytes for each byte (`\u0000`), and the quotation marks.
    private static func lengthMax(of text: UnsafeRawBufferPointer) -> Int { text.count * 6 + 2 }

    /// The size of a name's JSON text in addition to the name: a comma, two quotation marks and a colon.
    private static let nameExtra = 4

    /// The longest integer is -9223372036854775808.
    private static let integerLengthMax = 20
    private static let fractionDigitsMax = 9

    /// Appends to the reserved memory: the short form of an escape if there is one, otherwise `\u00XX` with capital
    /// digits.
    private mutating func appendEscaped(_ text: UnsafeRawBufferPointer) {
        for byte in text {
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
                append(byte)
                continue
            }
            append(UInt8(ascii: "\\"))
            switch byte {
            case 0x08: append(UInt8(ascii: "b"))
            case 0x09: append(UInt8(ascii: "t"))
            case 0x0A: append(UInt8(ascii: "n"))
            case 0x0C: append(UInt8(ascii: "f"))
            case 0x0D: append(UInt8(ascii: "r"))
            case ..<0x20:
                for digit in [UInt8(ascii: "u"), 0x30, 0x30, 0x30 + (byte >> 4)] { append(digit) }
                append(byte & 0xF < 10 ? 0x30 + (byte & 0xF) : 0x37 + (byte & 0xF))
            default: append(byte)
            }
        }
    }
}
