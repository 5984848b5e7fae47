/// Text that must not be printed or outlive its use: a cryptogram, the name on a card, an encrypted token as it came.
///
/// It is kept exactly as it was found, as UTF-8, wiped when the last copy goes, and prints as a mask.
public struct SecretText: Equatable, Sendable {
    private let utf8: SecretBytes

    /// Keeps a copy of UTF-8 bytes; the caller has checked that they are UTF-8.
    public init(utf8 bytes: UnsafeRawBufferPointer) { utf8 = SecretBytes(copying: bytes) }

    /// Keeps a copy of `text`.
    public init(_ text: String) { utf8 = SecretBytes(Array(text.utf8)) }

    /// How many bytes of UTF-8 there are.
    public var utf8Count: Int { utf8.count }

    /// Lends the UTF-8 bytes for the length of one call.
    public func withUTF8<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try utf8.withUnsafeBytes(body)
    }

    /// The text in clear, for whom it is meant: the acquirer, or a person who asked to see it.
    public func revealed() -> String { utf8.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}

extension SecretText: CustomStringConvertible, CustomReflectable {
    /// A mask that doesn't tell the length.
    public var description: String { "secret" }
    /// What `dump` walks: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
