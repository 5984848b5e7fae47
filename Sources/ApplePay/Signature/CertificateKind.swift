public import OpenSSL
internal import Values

/// The purpose of an Apple certificate, determined by its extensions and never by its name.
public enum CertificateKind: String, Sendable {
    /// A merchant's certificate for the key that tokens are encrypted to.
    case paymentProcessing
    /// A merchant's TLS client certificate for requesting a web session from Apple. It opens no token.
    case merchantIdentity
    /// Apple Root CA - G3.
    case appleRoot
    /// An intermediate authority that issues token signers' certificates, with marker 1.2.840.113635.100.6.2.14.
    case tokenIntermediate
    /// A signer of tokens, with marker 1.2.840.113635.100.6.29.
    case tokenSigner
    /// Any other certificate.
    case unknown

    /// Determines a certificate's kind.
    ///
    /// Both kinds of merchant certificate hold the hash of the merchant identifier in extension
    /// 1.2.840.113635.100.6.32. A Merchant Identity Certificate has the extended key usage `id-kp-clientAuth`; a
    /// Payment Processing Certificate has none.
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
    /// SHA-256 of the merchant identifier, 32 bytes. Extension 1.2.840.113635.100.6.32 holds it as 64 hexadecimal
    /// characters in a UTF8String. Nil if the extension is absent or malformed.
    public var merchantIdentifierHash: [UInt8]? {
        guard let value = extensionValue(PaymentProcessingKey.merchantIdentifierExtension), value.count == 66,
            value[0] == 0x0C, value[1] == 64
        else { return nil }
        return Hexadecimal.decoded(value[2...])
    }
}
