internal import ApplePay
internal import ApplePaySandbox
internal import HTTP
internal import HTTPTypes
internal import OpenSSL
internal import Values

/// The merchant identity certificate with which a shop's server asks for merchant sessions, as Apple's servers want it.
///
/// It is wanted where TLS is on: without TLS no client can present one. The handshake has shown that the client holds the
/// certificate's key.
struct MerchantIdentity: Sendable {
    private let trust: TrustStore
    private let intermediate: Certificate

    /// Accepts the certificates of an authority.
    init(issuedBy authority: LocalAuthority) {
        guard let trust = try? TrustStore(roots: [authority.root]) else {
            preconditionFailure("a machine without memory")
        }
        self.trust = trust
        intermediate = authority.intermediate
    }

    /// Checks a client that asks for a merchant's session. It verifies signatures, so call it off the event loop.
    ///
    /// - Parameters:
    ///   - client: the certificate that the client presented in the TLS handshake.
    ///   - merchantIdentifierHash: the SHA-256 of the merchant identifier that is asked for.
    ///   - now: the gateway's clock, by which the certificate must be valid.
    func check(
        _ client: ClientCertificate?, for merchantIdentifierHash: [UInt8], at now: Instant
    ) throws(HostedFault) {
        guard let client, let certificate = try? Certificate(der: client.der) else {
            throw Self.fault("no merchant identity certificate of this sandbox was presented in the TLS handshake")
        }
        do throws(TrustStore.Refusal) {
            _ = try trust.verify(
                leaf: certificate, intermediates: [intermediate], atSecondsSinceEpoch: now.secondsSinceEpoch)
        } catch {
            throw Self.fault(
                error.isValidityPeriod
                    ? "the merchant identity certificate is not valid at the instant of the gateway's clock"
                    : "the certificate was not issued by this sandbox's authority")
        }
        guard CertificateKind(certificate) == .merchantIdentity else {
            throw Self.fault("the certificate is not a merchant identity certificate")
        }
        guard certificate.merchantIdentifierHash == merchantIdentifierHash else {
            throw Self.fault("the merchant identity certificate is another merchant identifier's")
        }
    }

    private static func fault(_ finding: String) -> HostedFault {
        .session(
            "Unauthorized merchant -- \(finding); tollgate certificate merchant-identity makes one", status: .forbidden)
    }
}
