/// Text from a file, safe for one line of a terminal. All characters but printable ASCII are escaped, so that a name in a
/// certificate can't move the cursor or forge a line.
struct EscapedLine: CustomStringConvertible {
    let description: String

    init(_ text: String) {
        description = text.unicodeScalars.map { scalar in
            (0x20...0x7E).contains(scalar.value) ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
        }.joined()
    }
}
