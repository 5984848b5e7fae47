/// What the messages of an outbox are about. The name is kept with each message, so it never changes.
public struct OutboxKind: Hashable, Sendable {
    let name: String

    /// A kind.
    public init(_ name: StaticString) { self.name = "\(name)" }

    /// The kind of a record. Earlier versions had one kind and named none.
    init(recorded name: String?) { self.name = name ?? "settlementStatus" }
}
