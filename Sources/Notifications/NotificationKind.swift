public import HTTP
public import Payments
public import Vault

/// What the API that writes a kind of notification says about sending it.
public struct NotificationKind: Sendable {
    /// The kind of its messages in the outbox.
    public let kind: OutboxKind
    /// What reports call one message, with its article: `a settlement's status`.
    public let noun: String
    /// Where a merchant's messages are sent now; nil if nowhere.
    public let destination: @Sendable (Merchant) -> NotificationDestination?

    /// A kind.
    public init(
        _ kind: OutboxKind, noun: String, destination: @escaping @Sendable (Merchant) -> NotificationDestination?
    ) {
        self.kind = kind
        self.noun = noun
        self.destination = destination
    }
}

/// Where a merchant's messages of one kind are sent, and how.
public struct NotificationDestination: Sendable {
    /// For how long a message that is not accepted is sent again, in milliseconds.
    public let retryMilliseconds: Int64
    /// The request that carries a message: its URL, its header fields with the credentials, and its content. Nil if the
    /// message's text can't be read.
    public let request: @Sendable (Outbox.Message) -> Request?

    /// A destination.
    public init(retryMilliseconds: Int64, request: @escaping @Sendable (Outbox.Message) -> Request?) {
        self.retryMilliseconds = retryMilliseconds
        self.request = request
    }
}
