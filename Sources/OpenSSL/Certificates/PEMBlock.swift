/// A block in a PEM text (RFC 7468 §2): its position, and whether it requires a password.
///
/// OpenSSL's decoders report "unsupported" both for text without a key and for a damaged key, and don't request a
/// password for every encrypted key. This type allows clear messages for an operator in these cases.
public struct PEMBlock {
    /// The block's label, such as `CERTIFICATE` or `EC PRIVATE KEY`.
    public let label: String
    /// The PEM text from the first hyphen of the block to its end, which may contain more blocks. It is not copied,
    /// because it may contain a key, so it is valid only as long as the original.
    public let text: UnsafeRawBufferPointer
    /// Whether the block is encrypted with a password: by PKCS#8's label, or by the header of OpenSSL's older form (RFC
    /// 1421 §4.6.1.1).
    public let isEncrypted: Bool

    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----".utf8)

    /// All blocks that begin in a PEM text, in order.
    public static func all(in text: UnsafeRawBufferPointer) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var lines = ArraySlice(text.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
        while let line = lines.popFirst() {
            // RFC 7468 §3: readers ignore white space at the end of a line.
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
