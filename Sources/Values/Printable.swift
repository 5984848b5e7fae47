/// A peer's string, sanitized for display: at most 64 characters of printable ASCII, without `<` and `&`.
public struct Printable: Equatable, Sendable, CustomStringConvertible {
    /// The sanitized string.
    public let description: String

    /// Truncates `text`, with an ellipsis at the end, and replaces all other characters with `?`.
    public init(_ text: String) {
        let scalars = text.unicodeScalars
        var shown = String.UnicodeScalarView()
        for scalar in scalars.prefix(64) {
            shown.append((0x20...0x7E).contains(scalar.value) && scalar != "<" && scalar != "&" ? scalar : "?")
        }
        description = String(shown) + (scalars.count > 64 ? "…" : "")
    }
}
