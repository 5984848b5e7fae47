import ApplePay
import JSON
import OpenSSL
import Values

/// The secrets of one minted token, worked out from the sandbox merchant's key.
struct TokenKeys {
    let sharedSecret: SecretBytes
    let symmetricKey: SecretBytes

    private struct NoToken: Error {}

    init(of token: String, merchantKey pem: [UInt8]) throws {
        let key = try pem.withUnsafeBytes { try PrivateKey(pem: $0) }
        let header = try JSONDocument(token).root["header"]
        guard let text = header?["ephemeralPublicKey"]?.string, let ephemeralKey = Base64.decoded(text) else {
            throw NoToken()
        }
        sharedSecret = try key.sharedSecret(withPoint: ephemeralKey.suffix(65))
        symmetricKey = KeyDerivation.key(
            sharedSecret: sharedSecret,
            merchantIdentifierHash: SHA256.hash(Array("merchant.local.tollgate.testmerchant".utf8)))
    }

    /// What the token holds.
    func plaintext(of token: String) throws -> [UInt8] {
        guard let text = try JSONDocument(token).root["data"]?.string, let sealed = Base64.decoded(text) else {
            throw NoToken()
        }
        return try AESGCM.open(sealed, key: symmetricKey, iv: [UInt8](repeating: 0, count: 16))
            .withUnsafeBytes { Array($0) }
    }
}
