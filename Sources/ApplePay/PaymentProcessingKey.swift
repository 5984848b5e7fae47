public import OpenSSL
public import Values

/// A merchant's private key for decrypting tokens; its Payment Processing Certificate holds the public key.
public struct PaymentProcessingKey: Sendable {
    /// SHA-256 of the key's `SubjectPublicKeyInfo`, 32 bytes. A token names the key by it.
    public let publicKeyHash: [UInt8]
    /// SHA-256 of the merchant identifier, 32 bytes; nil if neither the identifier nor the certificate was given.
    /// Without it an EC_v1 token can be matched to the key but not opened. RSA_v1 does not need it.
    public let merchantIdentifierHash: [UInt8]?
    /// The merchant identifier; nil if it was not given, and the certificate does not name it either.
    public let merchantIdentifier: String?
    /// The last instant at which the certificate is valid; nil if no certificate was given. Tokens are still opened
    /// after it.
    public let certificateNotAfter: Instant?
    let privateKey: PrivateKey

    /// The public key that tokens are encrypted to.
    public var publicKey: PublicKey { privateKey.publicKey }

    /// The certificate extension in which Apple writes the hash of the merchant identifier.
    public static let merchantIdentifierExtension = "1.2.840.113635.100.6.32"

    /// Why a key, a certificate and a merchant identifier don't belong together.
    public enum Fault: Error, Equatable, Sendable {
        /// The key is neither on P-256, as EC_v1 needs, nor RSA of 2048 bits or more, as RSA_v1 needs.
        case keyKind
        /// The certificate holds another key.
        case certificateOfAnotherKey
        /// The certificate is a Merchant Identity Certificate: its extended key usage includes `id-kp-clientAuth`.
        case merchantIdentityCertificate
        /// The certificate is not a Payment Processing Certificate: extension 1.2.840.113635.100.6.32 is absent or
        /// malformed, or it is the certificate of a token signer or an authority.
        case certificateWithoutMerchantIdentifier
        /// The certificate was made for another merchant identifier.
        case merchantIdentifierDiffers
        /// OpenSSL could not read the key or the certificate.
        case unreadable(OpenSSLError)
    }

    /// Creates a key with its merchant identifier: as a string, in the certificate, or both. If both are given they
    /// must match.
    public init(
        privateKey: PrivateKey, certificate: Certificate? = nil, merchantIdentifier: String? = nil
    ) throws(Fault) {
        guard privateKey.isP256 || (privateKey.isRSA && privateKey.publicKey.bitCount >= 2048) else { throw .keyKind }
        // Checked before the key is compared, so that a merchant who chose the wrong certificate is not told to look
        // for another key.
        if let certificate {
            switch CertificateKind(certificate) {
            case .paymentProcessing: break
            case .merchantIdentity: throw .merchantIdentityCertificate
            case .appleRoot, .tokenIntermediate, .tokenSigner, .unknown: throw .certificateWithoutMerchantIdentifier
            }
        }
        do {
            let publicKey = try privateKey.publicKey.subjectPublicKeyInfo()
            if let certificate, try certificate.publicKey().subjectPublicKeyInfo() != publicKey {
                throw Fault.certificateOfAnotherKey
            }
            publicKeyHash = SHA256.hash(publicKey)
        } catch let error as OpenSSLError {
            throw .unreadable(error)
        } catch {
            throw .certificateOfAnotherKey
        }
        self.privateKey = privateKey
        certificateNotAfter = certificate.map { Instant(secondsSinceEpoch: $0.notAfterSecondsSinceEpoch) }

        let given = merchantIdentifier.map { SHA256.hash(Array($0.utf8)) }
        let certified = certificate?.merchantIdentifierHash
        guard given == nil || certified == nil || given == certified else { throw .merchantIdentifierDiffers }
        merchantIdentifierHash = certified ?? given
        self.merchantIdentifier =
            merchantIdentifier
            ?? certificate?.userIdentifier.flatMap { SHA256.hash(Array($0.utf8)) == certified ? $0 : nil }
    }

    /// Recovers the symmetric key of one token.
    ///
    /// - Returns: 32 bytes for EC_v1, 16 for RSA_v1; nil for EC_v1 if the merchant identifier is unknown.
    func symmetricKey(from material: PaymentToken.KeyMaterial) throws(TokenRefusal) -> SecretBytes? {
        switch material {
        case .ephemeralPoint(let point):
            guard let merchantIdentifierHash else { return nil }
            return KeyDerivation.key(
                sharedSecret: try agree(on: point), merchantIdentifierHash: merchantIdentifierHash)
        case .wrappedKey(let wrapped):
            return try unwrap(wrapped)
        }
    }

    private func agree(on point: [UInt8]) throws(TokenRefusal) -> SecretBytes {
        do {
            return try privateKey.sharedSecret(withPoint: point)
        } catch .pointInvalid {
            throw .ephemeralPublicKeyOffCurve
        } catch .wrongKeyType {
            throw .keyOfOtherVersion
        } catch {
            throw .keyAgreementFailed(error)
        }
    }

    private func unwrap(_ wrapped: [UInt8]) throws(TokenRefusal) -> SecretBytes {
        let key: SecretBytes
        do {
            key = try privateKey.unwrapOAEP(wrapped)
        } catch .wrongKeyType {
            throw .keyOfOtherVersion
        } catch {
            throw .keyNotUnwrapped
        }
        guard key.count == 16 else { throw .keyNotUnwrapped }
        return key
    }
}
