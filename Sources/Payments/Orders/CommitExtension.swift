public import Vault

/// What an API writes in the commit of a transaction, beside the payment.
public protocol CommitExtension: Sendable {
    /// What the order holds from the commit on. Nothing is written yet.
    ///
    /// - Parameter card: the card that the request presents; nil if the request builds on an earlier transaction.
    func items(with card: Card?) async throws(StoreFailure) -> ExtensionItems

    /// The extension after another commit wrote or removed one of its items; nil if another request has taken its place.
    func renewed() async throws(StoreFailure) -> (any CommitExtension)?

    /// The failure of a commit because one of the extension's groups is full.
    func failure(ofFull group: [UInt8]) -> StoreFailure
}

/// The items of a commit extension.
public struct ExtensionItems: Sendable {
    /// The items, each with another name.
    public let items: [HeldItem]
    /// The token that replies show in place of the card's account number; nil if they show none.
    public let accountToken: String?

    /// Items.
    public init(_ items: [HeldItem], accountToken: String? = nil) {
        self.items = items
        self.accountToken = accountToken
    }

    /// No items.
    static let none = ExtensionItems([])
}
