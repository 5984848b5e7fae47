/// The kind of event that a message reports. The name is stored with each message, so it must never change.
public struct OutboxKind: Hashable, Sendable {
    let name: String

    /// Creates a kind.
    public init(_ name: StaticString) { self.name = "\(name)" }

    /// Reads the kind of a record. Earlier versions had a single kind and stored no name.
    init(recorded name: String?) { self.name = name ?? "settlementStatus" }
}
