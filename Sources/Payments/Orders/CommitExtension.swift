public import Vault

/// An API's own data that is written in the same commit as a transaction.
public protocol CommitExtension: Sendable {
    /// The items that the order holds after the commit. This call writes nothing.
    ///
    /// - Parameter card: the card in the request; nil if the request builds on an earlier transaction.
    func items(with card: Card?) async throws(StoreFailure) -> ExtensionItems

    /// The extension to use after another commit has written or removed one of its items; nil if another request has
    /// taken its place.
    func renewed() async throws(StoreFailure) -> (any CommitExtension)?

    /// The failure to report if a commit fails because one of the extension's groups is full.
    func failure(ofFull group: [UInt8]) -> StoreFailure
}

/// The items of a commit extension.
public struct ExtensionItems: Sendable {
    /// The items, with different names.
    public let items: [HeldItem]
    /// The token that replies show in place of the card's account number; nil if replies show none.
    public let accountToken: String?

    /// Creates the items of an extension.
    public init(_ items: [HeldItem], accountToken: String? = nil) {
        self.items = items
        self.accountToken = accountToken
    }

    /// No items.
    static let none = ExtensionItems([])
}
