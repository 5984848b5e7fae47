extension JSONValue {
    /// The value's text: no white space, members in ascending order of their names' code points at every level, strings
    /// with no more escapes than RFC 8259 §7 demands, everything else as UTF-8.
    ///
    /// Equal values have the same text, byte for byte, so that the text can be hashed.
    public func serialized() -> [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.bytes
    }
}

/// Writes values to a block that grows, as appending to an array costs more than the bytes that it appends.
///
/// Each method reserves what it writes at most, and only then writes.
struct JSONWriter: ~Copyable {
    private var block: UnsafeMutableRawBufferPointer
    private var count = 0

    init() {
        block = .allocate(byteCount: 2048, alignment: 16)
    }

    deinit {
        block.deallocate()
    }

    /// What has been written.
    var bytes: [UInt8] { [UInt8](block[..<count]) }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: write(literal: "null")
        case .bool(true): write(literal: "true")
        case .bool(false): write(literal: "false")
        case .number(let number):
            number.text.withUTF8Bytes { text in
                reserve(text.count)
                append(text)
            }
        case .string(let string): write(string: string, followedBy: nil)
        case .array(let elements):
            write(byte: UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { write(byte: UInt8(ascii: ",")) }
                write(element)
            }
            write(byte: UInt8(ascii: "]"))
        case .object(let members):
            write(byte: UInt8(ascii: "{"))
            for (index, member) in members.sorted.enumerated() {
                if index > 0 { write(byte: UInt8(ascii: ",")) }
                write(string: member.name.text, followedBy: UInt8(ascii: ":"))
                write(member.value)
            }
            write(byte: UInt8(ascii: "}"))
        }
    }

    private mutating func write(string: String, followedBy separator: UInt8?) {
        string.withUTF8Bytes { text in
            // A byte takes at most six: \u0000.
            reserve(text.count * 6 + 3)
            append(UInt8(ascii: "\""))
            if text.allStandForThemselves { append(text) } else { appendEscaped(text) }
            append(UInt8(ascii: "\""))
            if let separator { append(separator) }
        }
    }

    private mutating func write(literal: StaticString) {
        reserve(literal.utf8CodeUnitCount)
        append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    private mutating func write(byte: UInt8) {
        reserve(1)
        append(byte)
    }

    private mutating func reserve(_ more: Int) {
        guard block.count - count < more else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: (count + more) * 2, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<count]))
        block.deallocate()
        block = larger
    }

    /// Appends to what was reserved.
    private mutating func append(_ byte: UInt8) {
        block[count] = byte
        count += 1
    }

    /// Appends to what was reserved.
    private mutating func append(_ text: UnsafeRawBufferPointer) {
        UnsafeMutableRawBufferPointer(rebasing: block[count...]).copyMemory(from: text)
        count += text.count
    }

    /// Appends to what was reserved: the short form of an escape where there is one, else `\u00XX` with capital digits.
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

extension UnsafeRawBufferPointer {
    /// Whether no byte needs an escape. Has no branch in its loop, so that many bytes are looked at in one step.
    fileprivate var allStandForThemselves: Bool {
        var escapes: UInt8 = 0
        for byte in self {
            escapes |= byte < 0x20 ? 1 : 0
            escapes |= byte == UInt8(ascii: "\"") ? 1 : 0
            escapes |= byte == UInt8(ascii: "\\") ? 1 : 0
        }
        return escapes == 0
    }
}
