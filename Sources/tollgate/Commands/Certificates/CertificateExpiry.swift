import Values

/// The expiry of a merchant's certificate, for warnings and metrics.
struct CertificateExpiry: Sendable {
    let merchant: MerchantID
    /// The file that holds the certificate.
    let path: String
    /// SHA-256 of the certificate's public key, 32 bytes; the `publicKeyHash` in tokens.
    let publicKeyHash: [UInt8]
    /// The last instant at which the certificate is valid.
    let notAfter: Instant

    /// The number of days before its expiry from which a certificate causes a warning.
    static let warningDays: Int64 = 30

    /// The number of whole days left, rounded down: 0 on the last day, negative from the first instant after the end.
    func daysLeft(at now: Instant) -> Int64 { notAfter.wholeDays(after: now) }

    /// A one-line warning if the certificate has expired or expires within 30 days; otherwise nil.
    func warning(at now: Instant) -> String? {
        let remaining = notAfter.millisecondsSinceEpoch - now.millisecondsSinceEpoch
        guard remaining <= Self.warningDays * Instant.dayMilliseconds else { return nil }
        let end = "at \(notAfter.wholeSeconds)"
        let finding =
            if remaining < 0 {
                "expired \(end)"
            } else {
                switch daysLeft(at: now) {
                case 0: "expires within a day, \(end)"
                case 1: "expires in 1 day, \(end)"
                case let days: "expires in \(days) days, \(end)"
                }
            }
        return
            "warning: merchant \(merchant.text): \(path) \(finding): `tollgate certificate request` begins its renewal"
    }
}

extension Instant {
    fileprivate static let dayMilliseconds: Int64 = 86_400_000
}
