internal import ApplePay
internal import Glibc
internal import Payments

/// What an `Authorization` field holds: HTTP Basic (RFC 7617) with the user `merchant.<id>`.
///
/// The bare base 64 without `Basic` is understood too, because released clients of the real gateway send it.
struct Credentials {
    let merchant: String
    let password: PresentedPassword

    init?(_ value: String) {
        var encoded = value[...]
        if let space = value.firstIndex(of: " ") {
            guard value[..<space].lowercased() == "basic" else { return nil }
            encoded = value[value.index(after: space)...].drop { $0 == " " }
        }
        guard var decoded = Base64.decoded(String(encoded)) else { return nil }
        defer {
            decoded.withUnsafeMutableBytes { bytes in
                if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
            }
        }
        guard let colon = decoded.firstIndex(of: UInt8(ascii: ":")),
            let user = String(validating: decoded[..<colon], as: UTF8.self), user.hasPrefix("merchant.")
        else { return nil }
        merchant = String(user.dropFirst("merchant.".count))
        password = PresentedPassword(
            decoded.withUnsafeBytes { SecretText(utf8: UnsafeRawBufferPointer(rebasing: $0[(colon + 1)...])) })
    }
}
