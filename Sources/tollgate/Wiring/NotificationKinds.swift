import Notifications
import Payments
import RadialAPI
import Vault

extension NotificationKind {
    /// All kinds that the gateway sends.
    static let all = [settlementStatus]

    /// The outcomes of settlements, for the webhooks of Radial's stores.
    private static let settlementStatus = NotificationKind(.settlementStatus, noun: "a settlement's status") {
        $0.radial?.webhook.map { webhook in
            NotificationDestination(retryMilliseconds: webhook.retryMilliseconds) { webhook.request(for: $0) }
        }
    }
}
