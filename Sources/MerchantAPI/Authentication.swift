internal import ApplePay
internal import Glibc
internal import HTTPTypes
internal import OpenSSL
internal import Payments

/// Who asks: HTTP Basic (RFC 7617) with the user `merchant.<id>` and an API password.
///
/// The bare base 64 without `Basic` is understood too, because released clients of the real gateway send it.
struct Authentication {
    /// How many passwords are tried for every request; a merchant has two while one replaces the other.
    private static let attempts = 2

    private let merchants: MerchantDirectory
    /// Tried in place of the passwords that a merchant doesn't have.
    private let decoy: APIPassword

    init(_ merchants: MerchantDirectory) {
        self.merchants = merchants
        decoy = APIPassword(digesting: SecretText(Hexadecimal.encoded(RandomBytes.generate(16))))
    }

    /// The merchant whose path it is, if the credentials are that merchant's.
    ///
    /// An unknown merchant, another one than the path's and a wrong password cost the same time and get the same reply.
    func merchant(of path: String, _ fields: HTTPFields) throws(ErrorReply) -> Merchant {
        let values = fields[values: .authorization]
        guard !values.isEmpty else { throw .invalidCredentials(challenging: true) }
        guard values.count == 1, let credentials = Credentials(values[0]) else {
            throw .invalidCredentials(challenging: false)
        }
        let merchant = credentials.merchant == path ? (try? MerchantID(path)).flatMap { merchants[$0] } : nil
        var isAccepted = merchant?.accepts(credentials.password) ?? false
        for _ in (merchant?.passwords.count ?? 0)..<max(Self.attempts, merchant?.passwords.count ?? 0) {
            isAccepted = !decoy.matches(credentials.password) && isAccepted
        }
        guard let merchant, isAccepted else { throw .invalidCredentials(challenging: false) }
        return merchant
    }
}

/// What an `Authorization` field holds.
private struct Credentials {
    let merchant: String
    let password: SecretText

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
        password = decoded.withUnsafeBytes { SecretText(utf8: UnsafeRawBufferPointer(rebasing: $0[(colon + 1)...])) }
    }
}
