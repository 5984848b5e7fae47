public import HTTP
public import Payments
public import Vault

/// How notifications of one kind are sent. The API that writes them provides this description.
public struct NotificationKind: Sendable {
    /// The kind of its messages in the outbox.
    public let kind: OutboxKind
    /// The phrase for one message in reports, with its article: `a settlement's status`.
    public let noun: String
    /// Returns the current destination of a merchant's messages; nil if there is none.
    public let destination: @Sendable (Merchant) -> NotificationDestination?

    /// Creates a kind.
    public init(
        _ kind: OutboxKind, noun: String, destination: @escaping @Sendable (Merchant) -> NotificationDestination?
    ) {
        self.kind = kind
        self.noun = noun
        self.destination = destination
    }
}

/// The destination of a merchant's messages of one kind.
public struct NotificationDestination: Sendable {
    /// How long a message that is not accepted is retried, in milliseconds.
    public let retryMilliseconds: Int64
    /// The request that carries a message: its URL, its header fields with the credentials, and its content. Nil if the
    /// message's text can't be read.
    public let request: @Sendable (Outbox.Message) -> Request?

    /// Creates a destination.
    public init(retryMilliseconds: Int64, request: @escaping @Sendable (Outbox.Message) -> Request?) {
        self.retryMilliseconds = retryMilliseconds
        self.request = request
    }
}
