internal import Values

/// The identifier that a device generated for one payment: `header.transactionId`, hexadecimal.
///
/// Apple uses either letter case, even within one token, so the decoded bytes are stored.
///
/// The length is fixed, as in every real token. Apple signs the identifier between `data` and `applicationData` without
/// a length. With other lengths, an attacker could append the `applicationData` hash to the identifier, and the same
/// signature would be valid for another identifier.
public struct TransactionIdentifier: Hashable, Sendable {
    /// The size of an identifier in bytes.
    public static let byteCount = 32

    /// 32 bytes.
    public let bytes: [UInt8]

    /// Creates an identifier from its bytes; nil unless there are 32.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Parses hexadecimal; nil if it does not encode 32 bytes.
    public init?(hexadecimal text: some Collection<UInt8>) {
        guard let bytes = Hexadecimal.decoded(text) else { return nil }
        self.init(bytes)
    }
}

extension TransactionIdentifier: CustomStringConvertible {
    /// Lower-case hexadecimal.
    public var description: String { Hexadecimal.encoded(bytes) }
}
