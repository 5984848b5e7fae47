internal import COpenSSL

/// What one side of a TLS connection proves who it is with: a certificate, those between it and a root, and its key.
public struct TLSIdentity: Sendable {
    /// The holder's certificate.
    public let certificate: Certificate
    /// The certificates of the authorities between the holder's and a root, in the order in which they are sent.
    public let intermediates: [Certificate]
    let key: PrivateKey

    /// Joins a chain, the holder's certificate first, with the holder's key.
    ///
    /// - Throws: `noCertificate` if the chain is empty, `keyDiffers` if the key is not that of its first certificate.
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
