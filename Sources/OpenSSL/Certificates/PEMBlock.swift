/// A block of PEM text (RFC 7468 §2): where it lies, and whether it needs a password.
///
/// OpenSSL's decoders say "unsupported" of a text without a key as of a broken key, and don't ask for the password of
/// every encrypted one; what an operator is told must not depend on that.
public struct PEMBlock {
    /// What the block says that it is, such as `CERTIFICATE` or `EC PRIVATE KEY`.
    public let label: String
    /// From the first hyphen of the block to the end of the text, which may hold more blocks. Nothing is copied, as the
    /// text may hold a key: it is good for as long as the text is.
    public let text: UnsafeRawBufferPointer
    /// Whether a password protects it: PKCS#8's own label, or the header of openssl's older form (RFC 1421 §4.6.1.1).
    public let isEncrypted: Bool

    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----".utf8)

    /// Every block that begins in a text, in order.
    public static func all(in text: UnsafeRawBufferPointer) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var lines = ArraySlice(text.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
        while let line = lines.popFirst() {
            // RFC 7468 §3 has readers pass over white space at the end of a line.
            let spaces = line.reversed().prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let trimmed = line.dropLast(spaces.count)
            guard trimmed.count >= begin.count + end.count, trimmed.starts(with: begin),
                trimmed.suffix(end.count).elementsEqual(end)
            else { continue }
            let label = String(decoding: trimmed.dropFirst(begin.count).dropLast(end.count), as: UTF8.self)
            blocks.append(
                PEMBlock(
                    label: label, text: UnsafeRawBufferPointer(rebasing: text[line.startIndex...]),
                    isEncrypted: label.hasPrefix("ENCRYPTED ")
                        || lines.first?.starts(with: "Proc-Type: 4,ENCRYPTED".utf8) == true))
        }
        return blocks
    }

    /// Whether this is a private key in any form.
    public var isPrivateKey: Bool { label.hasSuffix("PRIVATE KEY") }
}
