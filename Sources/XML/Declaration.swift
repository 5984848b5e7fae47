/// Parses the XML declaration (XML 1.0 §2.8), and checks the encoding.
extension Scanner {
    /// Whether the document begins like UTF-16, UTF-32 or EBCDIC (XML 1.0 appendix F.1).
    var hasForeignStart: Bool {
        let starts: [[UInt8]] = [
            [0xFE, 0xFF], [0xFF, 0xFE], [0x00, 0x3C], [0x3C, 0x00], [0x00, 0x00, 0x00, 0x3C], [0x00, 0x00, 0xFE, 0xFF],
            [0x4C, 0x6F, 0xA7, 0x94],
        ]
        return starts.contains { text.starts(with: $0) }
    }

    /// Skips the declaration, if there is one: version 1.0, an optional encoding, and an optional `standalone`.
    mutating func scanDeclaration() throws(XMLFault) {
        guard starts(with: "<?xml"), byte(at: position + 5)?.isXMLSpace == true else { return }
        let start = position
        position += 5
        guard let version = try scanPseudoAttribute("version"), version.elementsEqual("1.0".utf8) else {
            throw fault(.unsupportedDeclaration, at: start)
        }
        if let encoding = try scanPseudoAttribute("encoding") {
            let name = String(decoding: encoding, as: UTF8.self).uppercased()
            let isASCII = name == "US-ASCII" && text.allSatisfy { $0 < 0x80 }
            guard name == "UTF-8" || isASCII else { throw fault(.unsupportedEncoding, at: start) }
        }
        if let standalone = try scanPseudoAttribute("standalone") {
            guard standalone.elementsEqual("yes".utf8) || standalone.elementsEqual("no".utf8) else {
                throw fault(.unsupportedDeclaration, at: start)
            }
        }
        skipSpace()
        guard starts(with: "?>") else {
            throw text.count - position < 2
                ? fault(.unexpectedEnd, at: text.count) : fault(.unsupportedDeclaration, at: start)
        }
        position += 2
    }

    /// Skips white space, a name and its quoted value, if they come next.
    ///
    /// - Returns: the value; nil, without skipping anything, if something else comes next.
    private mutating func scanPseudoAttribute(_ name: StaticString) throws(XMLFault) -> Slice<UnsafeRawBufferPointer>? {
        let start = position
        skipSpace()
        guard position > start, starts(with: name) else {
            position = start
            return nil
        }
        position += name.utf8CodeUnitCount
        skipSpace()
        try expect { $0 == UInt8(ascii: "=") }
        skipSpace()
        let quote = byte(at: position)
        try expect { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
        let value = position
        while let byte = byte(at: position), byte != quote { position += 1 }
        guard position < text.count else { throw fault(.unexpectedEnd, at: position) }
        defer { position += 1 }
        return text[value..<position]
    }
}
