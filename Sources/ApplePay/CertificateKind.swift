public import OpenSSL
internal import Values

/// What Apple made a certificate for, told by its extensions and never by its name.
public enum CertificateKind: String, Sendable {
    /// Of a merchant, for the key to which tokens are encrypted.
    case paymentProcessing
    /// Of a merchant, for the TLS client that asks Apple for a session on the web. It opens no token.
    case merchantIdentity
    /// Apple Root CA - G3.
    case appleRoot
    /// An authority that issues signers' certificates, with marker 1.2.840.113635.100.6.2.14.
    case tokenIntermediate
    /// The signer of tokens, with marker 1.2.840.113635.100.6.29.
    case tokenSigner
    /// Something else.
    case unknown

    /// Judges a certificate.
    ///
    /// Both certificates of a merchant hold the hash of its identifier in extension 1.2.840.113635.100.6.32. A Merchant
    /// Identity Certificate has the extended key usage `id-kp-clientAuth`, a Payment Processing Certificate has none.
    public init(_ certificate: Certificate) {
        if TrustPolicy.Anchor.apple(certificate) != nil {
            self = .appleRoot
        } else if certificate.extensionValue(SignerCertificates.intermediateMarker) != nil {
            self = .tokenIntermediate
        } else if certificate.extensionValue(SignerCertificates.leafMarker) != nil {
            self = .tokenSigner
        } else if certificate.merchantIdentifierHash != nil {
            self = certificate.isForClientAuthentication ? .merchantIdentity : .paymentProcessing
        } else {
            self = .unknown
        }
    }
}

extension Certificate {
    /// SHA-256 of the merchant identifier, 32 bytes, which extension 1.2.840.113635.100.6.32 holds as 64 hexadecimal
    /// characters in a UTF8String; nothing if the extension is absent or holds something else.
    public var merchantIdentifierHash: [UInt8]? {
        guard let value = extensionValue(PaymentProcessingKey.merchantIdentifierExtension), value.count == 66,
            value[0] == 0x0C, value[1] == 64
        else { return nil }
        return Hexadecimal.decoded(value[2...])
    }
}
