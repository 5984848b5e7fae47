import Access
import ApplePay
import OpenSSL
internal import Values

/// Reads keys and certificates from files. The error messages say how to correct the fault.
enum KeyFiles {
    static let byteCountMax = 65_536

    /// A private key from a PEM file.
    ///
    /// - Parameter passwordIsNamed: how to name the password of an encrypted key, for the error message.
    static func privateKey(
        _ path: String, password: KeyPassword? = nil, users: File.Users = .owner,
        passwordIsNamed: String = "as passwordFile or passwordEnvironment in the merchant's file"
    ) throws -> PrivateKey {
        let content = try File.readSecret(path, byteCountMax: byteCountMax, users: users)
        do {
            return try content.withUnsafeBytes { (pem) throws(OpenSSLError) in
                try PrivateKey(pem: pem, password: password?.text)
            }
        } catch .encrypted {
            throw Failure(
                "\(path): the key is encrypted: name its password \(passwordIsNamed), or write the key without one: "
                    + "openssl pkey -in … -out …")
        } catch .wrongPassword {
            throw wrongPassword(path, password)
        } catch .legacyEncryption {
            throw Failure(
                "\(path): encrypted with a cipher that OpenSSL keeps for old files only; convert it: openssl pkey "
                    + "-provider legacy -provider default -in … -aes256 -out …")
        } catch .noPEMBlock {
            throw Failure("\(path): no private key in PEM (-----BEGIN PRIVATE KEY-----)")
        } catch {
            throw Failure("\(path): not a private key that OpenSSL reads (\(error))")
        }
    }

    /// A certificate from a PEM or DER file.
    static func certificate(_ path: String) throws -> Certificate {
        try certificate(ConfigurationFile(path: path))
    }

    /// A certificate from a file of the configuration, PEM or DER.
    static func certificate(_ file: ConfigurationFile) throws -> Certificate {
        let content = try file.content(byteCountMax: byteCountMax)
        if let certificate = try? Certificate(pem: content) { return certificate }
        do { return try Certificate(der: content) } catch {
            throw Failure("\(file): neither a certificate in PEM nor in DER")
        }
    }

    /// A private key and its certificate from a PKCS#12 file.
    static func identity(
        pkcs12 path: String, password: KeyPassword
    ) throws -> (privateKey: PrivateKey, certificate: Certificate) {
        let content = try File.readSecret(path, byteCountMax: byteCountMax)
        do {
            return try content.withUnsafeBytes { (der) throws(OpenSSLError) in
                try PKCS12(der: der, password: password.text).identity()
            }
        } catch .wrongPassword {
            throw wrongPassword(path, password)
        } catch .legacyEncryption {
            throw Failure(
                "\(path): encrypted with a cipher that OpenSSL keeps for old files only; write it as PEM, and name that "
                    + "file as privateKey and as certificate: openssl pkcs12 -legacy -clcerts -in … -out …")
        } catch .noPrivateKey {
            throw Failure("\(path): holds no private key; export the key together with its certificate")
        } catch .noCertificate {
            throw Failure("\(path): holds no certificate; export the key together with its certificate")
        } catch {
            throw Failure("\(path): not a PKCS#12 file that OpenSSL reads (\(error))")
        }
    }

    private static func wrongPassword(_ path: String, _ password: KeyPassword?) -> Failure {
        Failure(
            "\(path): does not open with the password of \(password?.source ?? "nobody"): it is another one, or the file "
                + "is damaged")
    }

    /// A payment processing key from its files and the merchant identifier.
    static func key(
        privateKey: String, certificate: String?, merchantIdentifier: String?, password: KeyPassword? = nil,
        users: File.Users = .owner
    ) throws -> PaymentProcessingKey {
        let key = try Self.privateKey(privateKey, password: password, users: users)
        return try Self.key(
            key, try certificate.map(Self.certificate), merchantIdentifier, from: privateKey, certificate ?? "")
    }

    /// A payment processing key from a PKCS#12 file.
    static func key(
        pkcs12 path: String, merchantIdentifier: String?, password: KeyPassword
    ) throws -> PaymentProcessingKey {
        let (privateKey, certificate) = try identity(pkcs12: path, password: password)
        return try key(privateKey, certificate, merchantIdentifier, from: path, path)
    }

    private static func key(
        _ privateKey: PrivateKey, _ certificate: Certificate?, _ merchantIdentifier: String?,
        from keyPath: String, _ certificatePath: String
    ) throws -> PaymentProcessingKey {
        do {
            return try PaymentProcessingKey(
                privateKey: privateKey, certificate: certificate, merchantIdentifier: merchantIdentifier)
        } catch {
            throw Failure(
                error.explanation(key: keyPath, certificate: certificatePath, certificate, merchantIdentifier))
        }
    }
}

extension PaymentProcessingKey.Fault {
    fileprivate func explanation(
        key: String, certificate: String, _ found: Certificate?, _ merchantIdentifier: String?
    ) -> String {
        switch self {
        case .keyKind:
            "\(key): neither a key on P-256, which EC_v1 tokens need, nor RSA of 2048 bits, which RSA_v1 needs"
        case .certificateOfAnotherKey:
            "\(certificate) is not the certificate of the key in \(key): name the two that were made together; "
                + "`tollgate certificate show` prints one publicKeyHash for both"
        case .merchantIdentityCertificate:
            "\(certificate) is a Merchant Identity Certificate, with which no token is opened: name the Payment "
                + "Processing Certificate of the same merchant identifier, and its key"
        case .certificateWithoutMerchantIdentifier:
            "\(certificate) is no Payment Processing Certificate: it holds no merchant identifier, or a malformed one (extension "
                + "\(PaymentProcessingKey.merchantIdentifierExtension))"
        case .merchantIdentifierDiffers:
            "\(certificate) was made for another merchant identifier\(found.holder) than the configured "
                + "\(merchantIdentifier ?? ""): correct merchantIdentifier, or name the certificate made for it"
        case .unreadable(let error): "\(key): \(error)"
        }
    }
}

extension Certificate? {
    /// The merchant identifier in the certificate, in parentheses; empty if there is none.
    fileprivate var holder: String { self?.userIdentifier.map { " (\(EscapedLine($0)))" } ?? "" }
}
