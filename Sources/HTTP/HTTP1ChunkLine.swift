/// The line before each chunk: `chunk-size [ chunk-ext ]` (RFC 9112 §7.1).
struct HTTP1ChunkLine {
    /// The size of the chunk in bytes; 0 for the last chunk.
    let size: Int
    /// The size of the line after the chunk size, in bytes.
    let extensionBytes: Int

    /// - Parameter line: without CRLF, and without CR or LF inside.
    init(_ line: Span<UInt8>) throws(HTTP1Refusal) {
        var size = 0
        var end = 0
        while end < line.count, let digit = Octet.hexValue(line[end]) {
            // 15 hexadecimal digits are the most that can't overflow 63 bits. Leading zeros are legal, so the value is
            // checked.
            guard size <= Int.max >> 4 else { throw .malformedChunkSize }
            size = size << 4 | Int(digit)
            end += 1
        }
        guard end > 0 else { throw .malformedChunkSize }
        self.size = size
        extensionBytes = line.count - end
        guard end < line.count else { return }

        // §7.1.1: extensions are recognized and ignored. Whitespace before the semicolon is legal ("BWS"); whitespace
        // without a semicolon is not.
        var semicolon = end
        while semicolon < line.count, line[semicolon] == 0x20 || line[semicolon] == 0x09 { semicolon += 1 }
        guard semicolon < line.count, line[semicolon] == UInt8(ascii: ";") else {
            throw semicolon == end ? .malformedChunkSize : .malformedChunkExtension
        }
        let name = line.extracting(line.trimmed(semicolon + 1..<line.count))
        guard name.count > 0, Octet.isToken(name[0]), name.allSatisfy(Octet.isFieldValue) else {
            throw .malformedChunkExtension
        }
    }
}
