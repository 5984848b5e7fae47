public import Vault

extension OutboxKind {
    /// The kind of tests for which any will do.
    public static let test = OutboxKind("test")
    /// Another kind.
    public static let other = OutboxKind("other")
}
