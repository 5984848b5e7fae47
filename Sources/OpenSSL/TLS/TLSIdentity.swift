internal import COpenSSL

/// The identity that one side of a TLS connection proves: its certificate, the intermediates up to a root, and its key.
public struct TLSIdentity: Sendable {
    /// The subject's own certificate.
    public let certificate: Certificate
    /// The intermediate authorities' certificates, in the order in which they are sent.
    public let intermediates: [Certificate]
    let key: PrivateKey

    /// Combines a chain, which begins with the subject's own certificate, and its key.
    ///
    /// - Throws: `noCertificate` if the chain is empty, `keyDiffers` if the key does not match its first certificate.
    public init(chain: [Certificate], key: PrivateKey) throws(OpenSSLError) {
        guard let certificate = chain.first else { throw .noCertificate }
        guard X509_check_private_key(certificate.x509, key.key) == 1 else {
            ERR_clear_error()
            throw .keyDiffers
        }
        self.certificate = certificate
        intermediates = Array(chain.dropFirst())
        self.key = key
    }
}
