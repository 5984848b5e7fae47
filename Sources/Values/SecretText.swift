/// A string that must not be printed or outlive its use: a cryptogram, the name on a card, an encrypted token as
/// received.
///
/// It is stored unchanged as UTF-8, wiped with the last copy, and masked when printed.
public struct SecretText: Equatable, Sendable {
    private let utf8: SecretBytes

    /// Copies UTF-8 bytes. The caller must have checked that they are valid UTF-8.
    public init(utf8 bytes: UnsafeRawBufferPointer) { utf8 = SecretBytes(copying: bytes) }

    /// Copies `text`.
    public init(_ text: String) { utf8 = SecretBytes(Array(text.utf8)) }

    /// The number of UTF-8 bytes.
    public var utf8Count: Int { utf8.count }

    /// Calls the body with the UTF-8 bytes, which are valid only during the call.
    public func withUTF8<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try utf8.withUnsafeBytes(body)
    }

    /// The unmasked string, only for its intended recipient: the acquirer, or a person who requested it.
    public func revealed() -> String { utf8.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}

extension SecretText: CustomStringConvertible, CustomReflectable {
    /// A mask that does not reveal the length.
    public var description: String { "secret" }
    /// Hides all members from `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
