internal import ApplePay
internal import Payments
internal import Values

/// The metrics on the expiry of merchants' Payment Processing Certificates.
///
/// A key that was configured without its certificate has no metrics, since its expiry is unknown.
struct CertificateMetrics {
    private let merchants: [Merchant]
    private let now: Instant

    /// Collects the certificates of these merchants, enabled or not, at an instant.
    init(of merchants: [Merchant], at now: Instant) {
        self.merchants = merchants.sorted { $0.id.text < $1.id.text }
        self.now = now
    }

    /// Writes two gauges per certificate: its expiry, and the remaining time.
    func write(to text: inout MetricsText) {
        let certificates = merchants.flatMap { merchant in
            (merchant.applePay?.keys ?? []).compactMap { key in
                key.certificateNotAfter.map { notAfter in
                    (
                        labels: [
                            ("merchant", merchant.id.text), ("public_key_hash", Base64.encoded(key.publicKeyHash)),
                        ], notAfter: notAfter
                    )
                }
            }
        }
        text.add(
            "tollgate_certificate_expiry_timestamp_seconds", .gauge,
            "When a Payment Processing Certificate expires, in seconds since 1970-01-01T00:00:00Z.",
            certificates.map { ($0.labels, String($0.notAfter.secondsSinceEpoch)) })
        text.add(
            "tollgate_certificate_days_left", .gauge,
            "Whole days until a Payment Processing Certificate expires, rounded down; negative once it has.",
            certificates.map { ($0.labels, String($0.notAfter.wholeDays(after: now))) })
    }
}
