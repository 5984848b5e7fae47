internal import COpenSSL
public import Values

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

    /// Reads the chain and the key from PEM text.
    ///
    /// - Parameters:
    ///   - chain: the holder's certificate first; a private key in the same text is passed over.
    ///   - key: PKCS#8 or SEC 1, encrypted or not.
    ///   - password: opens an encrypted key, 1024 bytes at most.
    /// - Throws: what `init(chain:key:)` and `PrivateKey.init(pem:password:)` throw.
    public init(chainPEM chain: [UInt8], keyPEM key: UnsafeRawBufferPointer, password: SecretBytes? = nil)
        throws(OpenSSLError)
    {
        let chain = try Certificate.all(pem: chain)
        try self.init(chain: chain, key: PrivateKey(pem: key, password: password))
    }
}
