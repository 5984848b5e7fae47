import ApplePay
import OpenSSL

/// Keys and certificates from files, with faults in words that say what to do.
enum KeyFiles {
    /// A private key from a PEM file.
    static func privateKey(_ path: String) throws -> PrivateKey {
        let content = SecretBytes(try File.read(path, byteCountMax: 65_536))
        do {
            return try content.withUnsafeBytes { (pem) throws(OpenSSLError) in try PrivateKey(pem: pem) }
        } catch .encrypted {
            throw Failure("\(path): the key is encrypted; write it without a password: openssl pkey -in … -out …")
        } catch .noPEMBlock {
            throw Failure("\(path): no private key in PEM (-----BEGIN PRIVATE KEY-----)")
        } catch {
            throw Failure("\(path): not a private key that OpenSSL reads (\(error))")
        }
    }

    /// A certificate from a PEM or DER file.
    static func certificate(_ path: String) throws -> Certificate {
        let content = try File.read(path, byteCountMax: 65_536)
        if let certificate = try? Certificate(pem: content) { return certificate }
        do { return try Certificate(der: content) } catch {
            throw Failure("\(path): neither a certificate in PEM nor in DER")
        }
    }

    /// A payment processing key from its files and the merchant identifier.
    static func key(
        privateKey: String, certificate: String?, merchantIdentifier: String?
    ) throws -> PaymentProcessingKey {
        do {
            return try PaymentProcessingKey(
                privateKey: try Self.privateKey(privateKey), certificate: try certificate.map(Self.certificate),
                merchantIdentifier: merchantIdentifier)
        } catch let fault as PaymentProcessingKey.Fault {
            throw Failure(fault.explanation(privateKey: privateKey, certificate: certificate ?? ""))
        }
    }
}

extension PaymentProcessingKey.Fault {
    fileprivate func explanation(privateKey: String, certificate: String) -> String {
        switch self {
        case .keyKind:
            "\(privateKey): neither a key on P-256, which EC_v1 tokens need, nor RSA of 2048 bits, which RSA_v1 needs"
        case .certificateOfAnotherKey:
            "\(certificate) is not the certificate of the key in \(privateKey): name the two that were made together"
        case .certificateWithoutMerchantIdentifier:
            "\(certificate) holds no merchant identifier: name the Payment Processing Certificate, not the Merchant "
                + "Identity Certificate"
        case .merchantIdentifierDiffers:
            "\(certificate) was made for another merchant identifier than the configured one"
        case .unreadable(let error): "\(privateKey): \(error)"
        }
    }
}
