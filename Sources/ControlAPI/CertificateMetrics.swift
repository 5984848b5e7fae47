internal import ApplePay
internal import Payments

/// How long merchants' Payment Processing Certificates are still valid, as Prometheus scrapes it (text format 0.0.4).
///
/// Of a key that was configured without its certificate nothing is known, and nothing is said.
struct CertificateMetrics {
    /// The media type of the format.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private let merchants: [Merchant]
    private let now: Instant

    /// The certificates of these merchants, enabled or not, at an instant.
    init(of merchants: [Merchant], at now: Instant) {
        self.merchants = merchants.sorted { $0.id.text < $1.id.text }
        self.now = now
    }

    /// One gauge of when each certificate expires, and one of how much time is left, negative once it has expired.
    var text: String {
        let certificates = merchants.flatMap { merchant in
            (merchant.applePay?.keys ?? []).compactMap { key in
                key.certificateNotAfter.map { notAfter in
                    (labels: Self.labels(merchant.id, key.publicKeyHash), notAfter: notAfter)
                }
            }
        }
        return Self.gauge(
            "tollgate_certificate_expiry_timestamp_seconds",
            "When a Payment Processing Certificate expires, in seconds since 1970-01-01T00:00:00Z.",
            certificates.map { ($0.labels, String($0.notAfter.secondsSinceEpoch)) })
            + Self.gauge(
                "tollgate_certificate_days_left",
                "Whole days until a Payment Processing Certificate expires, rounded down; negative once it has.",
                certificates.map { ($0.labels, String($0.notAfter.wholeDays(after: now))) })
    }

    private static func gauge(_ name: String, _ help: String, _ samples: [(labels: String, value: String)]) -> String {
        "# HELP \(name) \(help)\n# TYPE \(name) gauge\n"
            + samples.map { "\(name)\($0.labels) \($0.value)\n" }.joined()
    }

    /// Neither an identifier nor a hash has a character that the format escapes.
    private static func labels(_ merchant: MerchantID, _ publicKeyHash: [UInt8]) -> String {
        #"{merchant="\#(merchant.text)",public_key_hash="\#(Base64.encoded(publicKeyHash))"}"#
    }
}
