/// A peer's text made fit to be shown: at most 64 characters, of which only letters, digits, spaces and plain
/// punctuation of ASCII are kept.
public struct Printable: Equatable, Sendable, CustomStringConvertible {
    /// The text as it may be shown.
    public let description: String

    /// Cuts `text` and replaces what can't be shown by `?`.
    public init(_ text: String) {
        let scalars = text.unicodeScalars
        var shown = String.UnicodeScalarView()
        for scalar in scalars.prefix(64) {
            shown.append((0x20...0x7E).contains(scalar.value) && scalar != "<" && scalar != "&" ? scalar : "?")
        }
        description = String(shown) + (scalars.count > 64 ? "…" : "")
    }
}
