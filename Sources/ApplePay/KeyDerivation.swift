internal import OpenSSL
public import Values

/// The key derivation function of `EC_v1`: one round of the concatenation KDF with SHA-256.
///
/// `SHA-256(00 00 00 01 ‖ Z ‖ 0D ‖ "id-aes256-GCM" ‖ "Apple" ‖ SHA-256(merchant identifier))`: the counter, the shared
/// secret Z, and OtherInfo. OtherInfo is the algorithm's name, prefixed with its length, then PartyUInfo and
/// PartyVInfo.
///
/// - Source: Apple, "Restoring the symmetric key"; NIST SP 800-56A §5.8.1.
public enum KeyDerivation {
    private static let counter: [UInt8] = [0, 0, 0, 1]
    private static let algorithm = [13] + Array("id-aes256-GCM".utf8)
    private static let partyU = Array("Apple".utf8)

    /// - Parameters:
    ///   - sharedSecret: Z, 32 bytes, including leading zeros.
    ///   - merchantIdentifierHash: 32 bytes.
    /// - Returns: 32 bytes.
    public static func key(sharedSecret: SecretBytes, merchantIdentifierHash: [UInt8]) -> SecretBytes {
        precondition(sharedSecret.count == 32, "ECDH on P-256 yields 32 bytes")
        precondition(merchantIdentifierHash.count == 32, "SHA-256 yields 32 bytes")
        let otherInfo = algorithm + partyU + merchantIdentifierHash
        let count = counter.count + sharedSecret.count + otherInfo.count
        let input = SecretBytes(count: count) { input in
            input.copyBytes(from: counter)
            sharedSecret.withUnsafeBytes { secret in
                UnsafeMutableRawBufferPointer(rebasing: input[counter.count...]).copyMemory(from: secret)
            }
            UnsafeMutableRawBufferPointer(rebasing: input[(counter.count + sharedSecret.count)...])
                .copyBytes(from: otherInfo)
        }
        return SHA256.hash(input)
    }
}
