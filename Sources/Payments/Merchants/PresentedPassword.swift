internal import OpenSSL
internal import Synchronization
public import Values

/// A password as someone presents it, with its code: an HMAC-SHA256 under a key that this process made up and never
/// writes anywhere.
public struct PresentedPassword: Sendable {
    /// The password.
    public let text: SecretText
    /// 32 bytes, by which it is recognised.
    let code: SecretBytes

    private static let key = HMACSHA256Key(RandomBytes.secret(32))

    /// Takes the code of a password.
    public init(_ text: SecretText) {
        self.text = text
        code = text.withUTF8 { Self.key.secretCode($0) }
    }
}

extension PresentedPassword: Hashable {
    /// Two are the same if their codes are.
    public static func == (one: PresentedPassword, other: PresentedPassword) -> Bool { one.code == other.code }
    /// Hashes the code, which tells nothing of the password.
    public func hash(into hasher: inout Hasher) { code.withUnsafeBytes { hasher.combine(bytes: $0) } }
}

/// Which passwords were found right by a derivation, by their codes: each pays for one once in the life of a process.
///
/// What is remembered of a derivation is all that there is to know of it: no other password has its key. So once its
/// password was presented, a wrong one is refused as quickly as for any other merchant.
public final class RememberedPasswords: Sendable {
    private let codes = Mutex<[PasswordDerivation: SecretBytes]>([:])

    /// Remembers nothing yet.
    public init() {}

    /// Remembers what a derivation's password is.
    public func remember(_ password: PresentedPassword, of derivation: PasswordDerivation) {
        codes.withLock { $0[derivation] = password.code }
    }

    /// Those of a merchant's derivations whose password is not known.
    public func unknown(among derivations: [PasswordDerivation]) -> [PasswordDerivation] {
        codes.withLock { codes in derivations.filter { codes[$0] == nil } }
    }

    /// Whether `password` is a derivation's, if that is known.
    public func isRight(_ password: PresentedPassword, of derivation: PasswordDerivation) -> Bool? {
        code(of: derivation).map { $0 == password.code }
    }

    fileprivate func code(of derivation: PasswordDerivation) -> SecretBytes? { codes.withLock { $0[derivation] } }
}

extension APIPassword {
    /// Whether `password` is the one, told at once and in time that depends neither on where they differ nor on the form;
    /// nil if only a derivation can tell.
    public func matches(_ password: PresentedPassword, _ remembered: RememberedPasswords) -> Bool? {
        switch form {
        case .digest(let salt, let digest): Self.digest(salt, password.text) == digest
        case .derivation(let derivation):
            matches(password, code: remembered.code(of: derivation))
        case .code(let code): matches(password, code: code)
        }
    }

    private func matches(_ password: PresentedPassword, code: SecretBytes?) -> Bool? {
        // The same work as for a digest.
        _ = Self.digest([UInt8](repeating: 0, count: Self.saltBytes), password.text)
        return code.map { $0 == password.code }
    }
}
