/// Where a block of PEM text lies (RFC 7468 §2), found by the end of its label.
///
/// OpenSSL's decoders say "unsupported" of a text without a key as of a broken key, and don't ask for the password of
/// every encrypted one; what an operator is told must not depend on that.
struct PEMBlock {
    /// From the first hyphen of the block to the end of the text, which may hold more blocks.
    let text: UnsafeRawBufferPointer
    /// Whether a password protects it: PKCS#8's own label, or the header of openssl's older form (RFC 1421 §4.6.1.1).
    let isEncrypted: Bool

    /// The first block whose label ends with `labelEnd`, or nothing. Nothing is copied, as the text may hold a key.
    init?(labelEnd: StaticString, in text: UnsafeRawBufferPointer) {
        let end = Array("\(labelEnd)-----".utf8.reversed())
        var lines = text.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }).makeIterator()
        while let line = lines.next() {
            // RFC 7468 §3 has readers pass over white space at the end of a line.
            let trimmed = line.reversed().drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard line.starts(with: "-----BEGIN ".utf8), trimmed.starts(with: end) else { continue }
            self.text = UnsafeRawBufferPointer(rebasing: text[line.startIndex...])
            isEncrypted =
                line.starts(with: "-----BEGIN ENCRYPTED ".utf8)
                || lines.next()?.starts(with: "Proc-Type: 4,ENCRYPTED".utf8) ?? false
            return
        }
        return nil
    }
}
