/// Text from a file or a peer, safe for one line of a terminal. Everything but printable ASCII is escaped, so that a name
/// can't move the cursor, turn the direction of writing or fake a line.
public struct EscapedLine: CustomStringConvertible {
    /// The text, with `\u{1b}` for ESC.
    public let description: String

    /// Escapes a text.
    public init(_ text: String) {
        description = text.unicodeScalars.map { scalar in
            (0x20...0x7E).contains(scalar.value) ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
        }.joined()
    }
}
