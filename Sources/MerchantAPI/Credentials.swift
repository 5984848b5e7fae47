internal import HTTP
internal import Payments
internal import Values

/// The credentials in an `Authorization` field: HTTP Basic (RFC 7617) with the user `merchant.<id>`.
///
/// Bare base 64 without `Basic` is accepted as well, because released clients of the real gateway send it.
struct Credentials {
    let merchant: String
    let password: PresentedPassword

    init?(_ value: WipedBuffer) {
        guard let (merchant, password) = value.withUnsafeBytes(Self.read) else { return nil }
        self.merchant = merchant
        self.password = PresentedPassword(password)
    }

    private static func read(_ value: UnsafeRawBufferPointer) -> (merchant: String, password: SecretText)? {
        var encoded = value[...]
        if let space = encoded.firstIndex(of: UInt8(ascii: " ")) {
            // The scheme is case-insensitive (RFC 9110 §11.1).
            guard encoded[..<space].lazy.map({ $0 | 0x20 }).elementsEqual("basic".utf8) else { return nil }
            encoded = encoded[space...].drop { $0 == UInt8(ascii: " ") }
        }
        guard let decoded = Base64.decodedSecret(UnsafeRawBufferPointer(rebasing: encoded)) else { return nil }
        return decoded.withUnsafeBytes { decoded in
            let prefix = "merchant.".utf8
            guard decoded.starts(with: prefix), let colon = decoded.firstIndex(of: UInt8(ascii: ":")),
                let merchant = String(validating: decoded[prefix.count..<colon], as: UTF8.self)
            else { return nil }
            return (merchant, SecretText(utf8: UnsafeRawBufferPointer(rebasing: decoded[(colon + 1)...])))
        }
    }
}
