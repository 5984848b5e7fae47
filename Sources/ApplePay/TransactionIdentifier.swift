internal import Values

/// The identifier that a device generated for one payment: `header.transactionId`, hexadecimal.
///
/// Apple writes it in either letter case, even within one token, so it is kept as the bytes that it stands for.
///
/// Its length is fixed, as every real token has it, because Apple signs it between `data` and `applicationData` without a
/// length: were others read, the hash in `applicationData` could be moved to its end, and the same signature would be
/// good for another identifier.
public struct TransactionIdentifier: Hashable, Sendable {
    /// The size of an identifier in bytes.
    public static let byteCount = 32

    /// 32 bytes.
    public let bytes: [UInt8]

    /// An identifier from its bytes, or nothing if they are not 32.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// An identifier from its hexadecimal form, or nothing if the text is not the hexadecimal of 32 bytes.
    public init?(hexadecimal text: some Collection<UInt8>) {
        guard let bytes = Hexadecimal.decoded(text) else { return nil }
        self.init(bytes)
    }
}

extension TransactionIdentifier: CustomStringConvertible {
    /// Lower-case hexadecimal.
    public var description: String { Hexadecimal.encoded(bytes) }
}
