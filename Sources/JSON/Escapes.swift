import Glibc

/// One escape of a valid string: the character that it encodes, and its length in bytes.
struct Escape {
    let scalar: Unicode.Scalar
    let length: Int

    /// Reads the escape whose backslash is the byte at `offset`.
    ///
    /// - Precondition: the parser has accepted the string.
    init(at offset: Int, of raw: UnsafeRawBufferPointer) {
        switch raw[offset + 1] {
        case UInt8(ascii: "b"): self.init("\u{8}", length: 2)
        case UInt8(ascii: "f"): self.init("\u{C}", length: 2)
        case UInt8(ascii: "n"): self.init("\n", length: 2)
        case UInt8(ascii: "r"): self.init("\r", length: 2)
        case UInt8(ascii: "t"): self.init("\t", length: 2)
        case UInt8(ascii: "u"):
            let unit = Self.codeUnit(at: offset + 2, of: raw)
            guard unit & 0xFC00 == 0xD800 else {
                self.init(unit, length: 6)
                return
            }
            let low = Self.codeUnit(at: offset + 8, of: raw)
            self.init(0x10000 + (unit & 0x3FF) << 10 + (low & 0x3FF), length: 12)
        case let itself:  // quotation mark, reverse solidus, solidus
            self.init(Unicode.Scalar(itself), length: 2)
        }
    }

    private init(_ scalar: Unicode.Scalar, length: Int) {
        self.scalar = scalar
        self.length = length
    }

    private init(_ value: UInt32, length: Int) {
        guard let scalar = Unicode.Scalar(value) else { preconditionFailure("the parser refuses lone surrogates") }
        self.init(scalar, length: length)
    }

    private static func codeUnit(at offset: Int, of raw: UnsafeRawBufferPointer) -> UInt32 {
        raw[offset..<(offset + 4)].reduce(0) { $0 << 4 | hexadecimalDigit($1) }
    }
}

/// The value of a hexadecimal digit in either case, or 16.
func hexadecimalDigit(_ byte: UInt8) -> UInt32 {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 0x30
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte) - 0x37
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte) - 0x57
    default: 16
    }
}

extension WipedBytes {
    /// Decodes the UTF-8 bytes of the JSON text between two quotation marks. No escape is shorter than the character
    /// that it encodes.
    init(unescaping raw: UnsafeRawBufferPointer) {
        self.init(capacity: raw.count) { destination in
            var written = 0
            var read = 0
            while read < raw.count {
                let run = raw.plainRun(from: read)
                UnsafeMutableRawBufferPointer(rebasing: destination[written...]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: raw[read..<(read + run)]))
                written += run
                read += run
                guard read < raw.count else { break }
                let escape = Escape(at: read, of: raw)
                read += escape.length
                for byte in escape.scalar.utf8 {
                    destination[written] = byte
                    written += 1
                }
            }
            return written
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The number of bytes from `offset` to the next backslash.
    fileprivate func plainRun(from offset: Int) -> Int {
        let rest = UnsafeRawBufferPointer(rebasing: self[offset...])
        guard let start = rest.baseAddress, let found = memchr(start, 0x5C, rest.count) else { return rest.count }
        return UnsafeRawPointer(found) - start
    }

    /// Whether both buffers contain the same bytes.
    func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count, let baseAddress, let otherAddress = other.baseAddress else {
            return (count, other.count) == (0, 0)
        }
        return memcmp(baseAddress, otherAddress, count) == 0
    }

    /// Whether this JSON text between two quotation marks decodes to `plain`. Stops at the first difference, and
    /// allocates nothing.
    func unescapesTo(_ plain: UnsafeRawBufferPointer) -> Bool {
        // A byte is encoded with at most six bytes: \u0041.
        guard plain.count <= count, count <= plain.count * 6 else { return false }
        var read = 0
        var matched = 0
        while read < count {
            if self[read] != UInt8(ascii: "\\") {
                guard matched < plain.count, plain[matched] == self[read] else { return false }
                read += 1
                matched += 1
            } else {
                let escape = Escape(at: read, of: self)
                for byte in escape.scalar.utf8 {
                    guard matched < plain.count, plain[matched] == byte else { return false }
                    matched += 1
                }
                read += escape.length
            }
        }
        return matched == plain.count
    }
}
