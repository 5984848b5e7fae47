import Payments
import RadialAPI
import Vault

extension MerchantReset {
    /// Creates the reset of an installation with the sealed records of all APIs.
    init(store: any PaymentStore, keys: KeyRing, outbox: Outbox) {
        self.init(
            store: store, keys: keys, purposes: [.session, .cardToken, .accountToken, .requestClaim], outbox: outbox)
    }
}
