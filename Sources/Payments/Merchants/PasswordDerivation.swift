public import OpenSSL
public import Values

/// The scrypt key of a chosen password, with its salt and cost parameters.
public struct PasswordDerivation: Sendable {
    /// The scrypt cost parameters.
    public let cost: Scrypt
    /// The salt, at least 16 bytes.
    let salt: [UInt8]
    /// The derived key, 32 bytes.
    let key: SecretBytes

    init(cost: Scrypt, salt: [UInt8], key: SecretBytes) {
        self.cost = cost
        self.salt = salt
        self.key = key
    }

    /// Derives a key from a password with a new salt.
    public init(deriving password: SecretText, cost: Scrypt) throws(OpenSSLError) {
        salt = RandomBytes.generate(APIPassword.saltBytes)
        self.cost = cost
        key = try Self.key(of: password, cost, salt)
    }

    /// A derivation that no password matches, at the cost of a new derivation.
    public static func decoy() -> PasswordDerivation {
        PasswordDerivation(
            cost: APIPassword.derivationCost, salt: RandomBytes.generate(APIPassword.saltBytes),
            key: RandomBytes.secret(32))
    }

    /// Whether `password` has this key, compared in constant time. Takes a fraction of a second; never call it on an
    /// event loop.
    public func matches(_ password: SecretText) throws(OpenSSLError) -> Bool {
        try Self.key(of: password, cost, salt) == key
    }

    private static func key(
        of password: SecretText, _ cost: Scrypt, _ salt: [UInt8]
    ) throws(OpenSSLError) -> SecretBytes {
        try password.withUTF8 { (bytes) throws(OpenSSLError) in try cost.key(password: bytes, salt: salt) }
    }
}

extension PasswordDerivation: Hashable {
    /// Compares salts, keys and costs; the salts are random, so different passwords never have the same one.
    public static func == (one: PasswordDerivation, other: PasswordDerivation) -> Bool {
        one.salt == other.salt && one.key == other.key && one.cost == other.cost
    }
    /// Hashes only the salt.
    public func hash(into hasher: inout Hasher) { hasher.combine(salt) }
}

extension PasswordDerivation: CustomStringConvertible, CustomReflectable {
    /// A fixed string that reveals nothing.
    public var description: String { "secret" }
    /// An empty mirror, so that `dump` reveals nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
