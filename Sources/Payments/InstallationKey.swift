public import ApplePay
internal import OpenSSL
public import Values

/// The key of an installation, 32 bytes, which all instances on one database share.
///
/// What must only be recognised is kept as an HMAC-SHA256 under it: without the key, neither a request with its account
/// number nor a token's identifier can be found again by trial.
public struct InstallationKey: Sendable {
    private let key: HMACSHA256Key

    /// A key of 32 bytes, or nothing if it has another length.
    public init?(_ key: SecretBytes) {
        guard key.count == 32 else { return nil }
        self.key = HMACSHA256Key(key)
    }

    /// What tells the key from every other, 32 bytes, and nothing of it: a database keeps it, so as not to be used under
    /// another key, which would recognise no token that was used.
    public var mark: [UInt8] {
        authenticationCode("tollgate installation", UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// What recognises a request's parameters, 32 bytes.
    public func fingerprint(ofParameters parameters: SecretText) -> [UInt8] {
        parameters.withUTF8 { authenticationCode("tollgate request parameters", $0) }
    }

    /// What recognises a payment token, 32 bytes.
    public func digest(of identifier: TransactionIdentifier) -> [UInt8] {
        identifier.bytes.withUnsafeBytes { authenticationCode("tollgate payment token", $0) }
    }

    /// What recognises one merchant's part of a token that is for several, 32 bytes.
    func digest(of identifier: TransactionIdentifier, entry merchantIdentifier: String) -> [UInt8] {
        (identifier.bytes + Array(merchantIdentifier.utf8)).withUnsafeBytes {
            authenticationCode("tollgate payment token entry", $0)
        }
    }

    /// What recognises a device's cryptogram in base 64, 32 bytes, however many line breaks and paddings it has.
    func digest(ofCryptogram cryptogram: SecretText, of accountNumber: AccountNumber) -> [UInt8] {
        let text = cryptogram.withUTF8 { cryptogram in
            accountNumber.withDigits { digits in
                SecretBytes(count: digits.count + 1 + cryptogram.count) { text in
                    text.copyBytes(from: digits)
                    // Neither digits nor base 64 hold a zero, which stands between them and fills the rest.
                    var end = digits.count + 1
                    for byte in cryptogram where !Self.skipped.contains(byte) {
                        text[end] = byte
                        end += 1
                    }
                }
            }
        }
        return text.withUnsafeBytes { text in
            let count = text.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
            return authenticationCode("tollgate cryptogram", UnsafeRawBufferPointer(rebasing: text[..<count]))
        }
    }

    private static let skipped: [UInt8] = [UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "=")]

    /// The purpose stands in front, so that a code made for one purpose is never one of the other. The digest goes in
    /// place of the bytes, so that no copy of a request with its account number is left in memory.
    func authenticationCode(_ purpose: String, _ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        key.authenticationCode(Array(purpose.utf8) + [0] + SHA256.hash(bytes))
    }
}
