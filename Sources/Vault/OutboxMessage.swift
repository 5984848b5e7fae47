public import Values

extension Outbox {
    /// A message that was taken to be sent.
    public struct Message: Sendable {
        /// The merchant.
        public let merchant: MerchantID
        /// The message's number among those of the merchant.
        public let number: Int64
        /// The kind of event that the message reports.
        public let kind: OutboxKind
        /// Identifies the message to its receiver: 1 to 64 letters, digits and hyphens, the same in every attempt.
        public let id: String
        /// The content.
        public let text: [UInt8]
        /// The instant at which the message was added.
        public let added: Instant
        /// The number of times that the message was taken; 1 the first time.
        public let attempts: Int64
        let sequence: String?
        let revision: Int64
    }
}

extension Outbox.Message {
    init(_ record: OutboxRecord, _ number: Int64, of merchant: MerchantID, revision: Int64) {
        self.init(
            merchant: merchant, number: number, kind: record.kind,
            id: record.id ?? "\(number)-\(record.added.millisecondsSinceEpoch)", text: record.text,
            added: record.added, attempts: record.attempts, sequence: record.sequence, revision: revision)
    }
}
