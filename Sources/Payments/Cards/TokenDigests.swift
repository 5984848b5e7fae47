public import ApplePay
internal import Values
public import Vault

extension InstallationKey {
    /// The digest that identifies a payment token, 32 bytes.
    public func digest(of identifier: TransactionIdentifier) -> [UInt8] {
        identifier.bytes.withUnsafeBytes { authenticationCode("tollgate payment token", $0) }
    }

    /// The digest that identifies one merchant's part of a token for several merchants, 32 bytes.
    func digest(of identifier: TransactionIdentifier, entry merchantIdentifier: String) -> [UInt8] {
        (identifier.bytes + Array(merchantIdentifier.utf8)).withUnsafeBytes {
            authenticationCode("tollgate payment token entry", $0)
        }
    }

    /// The digest that identifies a device's cryptogram, 32 bytes; line breaks and padding in the base64 make no
    /// difference.
    func digest(ofCryptogram cryptogram: SecretText, of accountNumber: AccountNumber) -> [UInt8] {
        let text = cryptogram.withUTF8 { cryptogram in
            accountNumber.withDigits { digits in
                SecretBytes(count: digits.count + 1 + cryptogram.count) { text in
                    text.copyBytes(from: digits)
                    // Neither digits nor base64 contain a zero byte; it separates the two, and fills the rest.
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
}
