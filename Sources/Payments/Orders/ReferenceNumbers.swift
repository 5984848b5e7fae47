/// The source of a transaction's numbers: random in a running gateway, chosen by tests.
public struct ReferenceNumbers: Sendable {
    /// The next system trace audit number (ISO 8583 field 11), 1…999,999.
    public let systemTraceAuditNumber: @Sendable () -> Int
    /// The next acquirer's transaction id, nine digits: 100,000,000…999,999,999.
    public let acquirerTransactionID: @Sendable () -> Int

    /// Numbers from the given sources.
    public init(
        systemTraceAuditNumber: @escaping @Sendable () -> Int, acquirerTransactionID: @escaping @Sendable () -> Int
    ) {
        self.systemTraceAuditNumber = systemTraceAuditNumber
        self.acquirerTransactionID = acquirerTransactionID
    }

    /// Uniformly random numbers.
    public static let random = ReferenceNumbers(
        systemTraceAuditNumber: { .random(in: 1...999_999) },
        acquirerTransactionID: { .random(in: 100_000_000...999_999_999) })
}
