public import Payments
public import Values

/// A merchant's settings for Radial's API.
public struct RadialStore: MerchantSection {
    /// The store id in request paths: 1 to 40 characters of `0-9 A-Z a-z _ -`.
    public let id: String
    /// The API keys that are valid now; two while one is being replaced by the other.
    public let apiKeys: [APIPassword]
    /// The URL that receives settlement statuses; nil if none does.
    public let webhook: RadialWebhook?

    /// Creates a store.
    public init(id: MerchantID, apiKeys: [APIPassword], webhook: RadialWebhook? = nil) {
        self.id = id.text
        self.apiKeys = apiKeys
        self.webhook = webhook
    }

    /// The store id.
    public var name: String { id }
}

extension Merchant {
    /// The merchant's store; nil if this API is not open to the merchant.
    public var radial: RadialStore? { section(RadialStore.self) }
}
