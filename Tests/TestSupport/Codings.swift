import Values

/// The forms in which software may leave a text behind.
public enum Codings {
    /// Plain, hexadecimal in either case, base64 at each of its three alignments, and UTF-16 in either byte order.
    public static func all(of secret: String) -> [[UInt8]] {
        let plain = Array(secret.utf8)
        let hexadecimal = Hexadecimal.encoded(plain)
        let base64 = (0..<3).map { offset in
            // The characters that depend on neighbours are cut off at both ends.
            let text = Base64.encoded([UInt8](repeating: 0, count: offset) + plain)
            return String(text.dropFirst(offset == 0 ? 0 : offset + 1).prefix { $0 != "=" }.dropLast())
        }
        let wide = [
            secret.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
            secret.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
        ]
        return [plain, Array(hexadecimal.utf8), Array(hexadecimal.uppercased().utf8)]
            + base64.map { Array($0.utf8) } + wide
    }
}
