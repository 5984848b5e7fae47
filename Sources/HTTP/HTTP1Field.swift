import HTTPTypes

/// One field line: `field-name ":" OWS field-value OWS` (RFC 9112 §5).
struct HTTP1Field {
    let name: HTTPField.Name
    /// Where the value lies in the line, without the whitespace around it.
    let value: Range<Int>

    /// - Parameter line: not empty, without CRLF, and without CR or LF inside.
    init(_ line: Span<UInt8>) throws(HTTP1Refusal) {
        // §5.2: obs-fold; and §2.2: whitespace between request line and first field.
        guard !Self.isSpace(line[0]) else { throw .foldedFieldLine }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":"), in: 0..<line.count) else {
            throw .malformedFieldLine
        }
        guard colon > 0 else { throw .emptyFieldName }
        // §5.1: whitespace before the colon has led to smuggling, so it is an error of its own.
        guard !Self.isSpace(line[colon - 1]) else { throw .spaceBeforeColon }
        guard let name = Self.name(line.extracting(0..<colon)) else { throw .malformedFieldName }
        self.name = name

        value = line.trimmed(colon + 1..<line.count)
        // RFC 9110 §5.5: no control characters but tab.
        guard line.extracting(value).allSatisfy(Octet.isFieldValue) else { throw .malformedFieldValue }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func name(_ bytes: Span<UInt8>) -> HTTPField.Name? {
        // HTTPField.Name accepts tokens alone (RFC 9110 §5.1).
        guard bytes.allSatisfy(Octet.isToken) else { return nil }
        return HTTPField.Name(bytes.text)
    }
}
