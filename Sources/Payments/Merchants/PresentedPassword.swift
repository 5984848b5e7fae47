internal import OpenSSL
internal import Synchronization
public import Values

/// A password that a client presents, with its code: an HMAC-SHA256 under a random key that exists only in this
/// process's memory.
public struct PresentedPassword: Sendable {
    /// The password.
    public let text: SecretText
    /// The password's HMAC-SHA256, 32 bytes; equal codes mean equal passwords.
    let code: SecretBytes

    private static let key = HMACSHA256Key(RandomBytes.secret(32))

    /// Computes the code of a password.
    public init(_ text: SecretText) {
        self.text = text
        code = text.withUTF8 { Self.key.secretCode($0) }
    }
}

extension PresentedPassword: Hashable {
    /// Compares the codes.
    public static func == (one: PresentedPassword, other: PresentedPassword) -> Bool { one.code == other.code }
    /// Hashes the code, which reveals nothing about the password.
    public func hash(into hasher: inout Hasher) { code.withUnsafeBytes { hasher.combine(bytes: $0) } }
}

/// The codes of the passwords that a derivation has confirmed, so that each derivation is computed at most once per
/// process for a correct password.
///
/// A derivation has only one password. Once its code is remembered, a wrong password is refused without another
/// derivation, as quickly as for any other merchant.
public final class RememberedPasswords: Sendable {
    private let codes = Mutex<[PasswordDerivation: SecretBytes]>([:])

    /// Creates an empty collection.
    public init() {}

    /// Remembers the code of a derivation's password.
    public func remember(_ password: PresentedPassword, of derivation: PasswordDerivation) {
        codes.withLock { $0[derivation] = password.code }
    }

    /// The derivations among `derivations` whose password is not yet known.
    public func unknown(among derivations: [PasswordDerivation]) -> [PasswordDerivation] {
        codes.withLock { codes in derivations.filter { codes[$0] == nil } }
    }

    /// Whether `password` is the derivation's; nil if the derivation's password is not yet known.
    public func isRight(_ password: PresentedPassword, of derivation: PasswordDerivation) -> Bool? {
        code(of: derivation).map { $0 == password.code }
    }

    fileprivate func code(of derivation: PasswordDerivation) -> SecretBytes? { codes.withLock { $0[derivation] } }
}

extension APIPassword {
    /// Whether `password` is this password, without a derivation and in a time that depends neither on the first
    /// difference nor on the form; nil if only a derivation can decide.
    public func matches(_ password: PresentedPassword, _ remembered: RememberedPasswords) -> Bool? {
        switch form {
        case .digest(let salt, let digest): Self.digest(salt, password.text) == digest
        case .derivation(let derivation):
            matches(password, code: remembered.code(of: derivation))
        case .code(let code): matches(password, code: code)
        }
    }

    private func matches(_ password: PresentedPassword, code: SecretBytes?) -> Bool? {
        // Takes as long as the check of a digest.
        _ = Self.digest([UInt8](repeating: 0, count: Self.saltBytes), password.text)
        return code.map { $0 == password.code }
    }
}
