public import Values

extension Outbox {
    /// A message that was taken to be sent.
    public struct Message: Sendable {
        /// The merchant.
        public let merchant: MerchantID
        /// The number among the merchant's messages.
        public let number: Int64
        /// What it is about.
        public let kind: OutboxKind
        /// Identifies the message to its receiver, the same at every attempt: 1 to 64 letters, digits and hyphens.
        public let id: String
        /// The content.
        public let text: [UInt8]
        /// When it was added.
        public let added: Instant
        /// How often it was taken, 1 the first time.
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
