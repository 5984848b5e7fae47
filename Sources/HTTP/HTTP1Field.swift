import HTTPTypes

/// One field line: `field-name ":" OWS field-value OWS` (RFC 9112 §5).
struct HTTP1Field {
    /// The fields that affect the parsing of the message itself.
    enum Meaning { case host, contentLength, transferEncoding, connection, expect, other }

    let meaning: Meaning
    /// The range of the name in the line.
    let name: Range<Int>
    /// The range of the value in the line, without surrounding whitespace.
    let value: Range<Int>

    /// - Parameter line: not empty, without CRLF, and without CR or LF inside.
    init(_ line: Span<UInt8>) throws(HTTP1Refusal) {
        // §5.2: obs-fold; and §2.2: whitespace between request line and first field.
        guard !Self.isSpace(line[0]) else { throw .foldedFieldLine }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":"), in: 0..<line.count) else {
            throw .malformedFieldLine
        }
        guard colon > 0 else { throw .emptyFieldName }
        // §5.1: whitespace before the colon has enabled request smuggling, so it has its own error.
        guard !Self.isSpace(line[colon - 1]) else { throw .spaceBeforeColon }
        name = 0..<colon
        let nameBytes = line.extracting(name)
        guard nameBytes.allSatisfy(Octet.isToken) else { throw .malformedFieldName }
        meaning = Meaning(nameBytes)

        value = line.trimmed(colon + 1..<line.count)
        // RFC 9110 §5.5: no control characters except tab.
        guard line.extracting(value).allSatisfy(Octet.isFieldValue) else { throw .malformedFieldValue }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// The field as a value.
    ///
    /// - Parameter line: the line that this field was parsed from.
    func field(of line: Span<UInt8>) -> HTTPField {
        let nameBytes = line.extracting(name)
        guard let name = Self.usualName(nameBytes) ?? HTTPField.Name(nameBytes.text) else {
            preconditionFailure("HTTPField.Name takes every token of RFC 9110 §5.1")
        }
        return line.extracting(value).withUnsafeBufferPointer { HTTPField(name: name, value: $0) }
    }

    /// The name in the spelling of most clients, if it is a common one, so that no string has to be created. Nil
    /// otherwise.
    private static func usualName(_ bytes: Span<UInt8>) -> HTTPField.Name? {
        switch bytes.count {
        case 6: bytes.equals("Accept") ? .accept : nil
        case 10: bytes.equals("User-Agent") ? .userAgent : bytes.equals("Connection") ? .connection : nil
        case 12: bytes.equals("Content-Type") ? .contentType : nil
        case 14: bytes.equals("Content-Length") ? .contentLength : nil
        case 15: bytes.equals("Accept-Encoding") ? .acceptEncoding : nil
        case 17: bytes.equals("Transfer-Encoding") ? .transferEncoding : nil
        default: nil
        }
    }
}

extension HTTP1Field.Meaning {
    /// The meaning of a field with this name.
    fileprivate init(_ name: Span<UInt8>) {
        self =
            switch name.count {
            case 4: name.equalsIgnoringCase("host") ? .host : .other
            case 6: name.equalsIgnoringCase("expect") ? .expect : .other
            case 10: name.equalsIgnoringCase("connection") ? .connection : .other
            case 14: name.equalsIgnoringCase("content-length") ? .contentLength : .other
            case 17: name.equalsIgnoringCase("transfer-encoding") ? .transferEncoding : .other
            default: .other
            }
    }
}
