/// The identifier that a device generated for one payment: `header.transactionId`, hexadecimal.
///
/// Apple writes it in either letter case, even within one token, so it is kept as the bytes that it stands for.
public struct TransactionIdentifier: Hashable, Sendable {
    /// 1 to 64 bytes; every real token seen has 32.
    public let bytes: [UInt8]

    /// An identifier from its hexadecimal form, or nothing if the text is no hexadecimal, empty or longer than 64 bytes.
    public init?(hexadecimal text: some Collection<UInt8>) {
        guard let bytes = Hexadecimal.decoded(text), (1...64).contains(bytes.count) else { return nil }
        self.bytes = bytes
    }
}

extension TransactionIdentifier: CustomStringConvertible {
    /// Lower-case hexadecimal.
    public var description: String { Hexadecimal.encoded(bytes) }
}
