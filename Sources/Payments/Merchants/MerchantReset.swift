public import Values
public import Vault

/// Forgets what an installation keeps of one merchant: orders, credited tokens, sealed records and messages.
public struct MerchantReset: Sendable {
    private let store: any PaymentStore
    private let keys: KeyRing
    private let purposes: [SealingPurpose]
    private let outbox: Outbox

    /// Creates the reset of an installation.
    ///
    /// - Parameter purposes: the purposes of all sealed records that count in a merchant's groups.
    public init(store: any PaymentStore, keys: KeyRing, purposes: [SealingPurpose], outbox: Outbox) {
        self.store = store
        self.keys = keys
        self.purposes = purposes
        self.outbox = outbox
    }

    /// Forgets a merchant. See ``PaymentStore/reset(_:groups:)``.
    public func forget(_ merchant: MerchantID) async throws(StoreFailure) {
        try await store.reset(merchant, groups: keys.groupNames(of: merchant, purposes))
        try await outbox.removeAll(of: merchant)
    }
}
