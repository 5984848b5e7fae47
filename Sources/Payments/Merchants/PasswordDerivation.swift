public import OpenSSL
public import Values

/// What scrypt made of a chosen password, with its salt and cost.
public struct PasswordDerivation: Sendable {
    /// What a derivation costs.
    public let cost: Scrypt
    /// At least 16 bytes.
    let salt: [UInt8]
    /// 32 bytes.
    let key: SecretBytes

    init(cost: Scrypt, salt: [UInt8], key: SecretBytes) {
        self.cost = cost
        self.salt = salt
        self.key = key
    }

    /// Derives from a password under a fresh salt.
    public init(deriving password: SecretText, cost: Scrypt) throws(OpenSSLError) {
        salt = RandomBytes.generate(APIPassword.saltBytes)
        self.cost = cost
        key = try Self.key(of: password, cost, salt)
    }

    /// A derivation that no password has, as costly as those made here.
    public static func decoy() -> PasswordDerivation {
        PasswordDerivation(
            cost: APIPassword.derivationCost, salt: RandomBytes.generate(APIPassword.saltBytes),
            key: RandomBytes.secret(32))
    }

    /// Whether `password` is the one, in time that doesn't depend on where they differ. Takes a fraction of a second, and
    /// never belongs on an event loop.
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
    /// Two are the same if their salt is: it is random, and of one password.
    public static func == (one: PasswordDerivation, other: PasswordDerivation) -> Bool {
        one.salt == other.salt && one.key == other.key && one.cost == other.cost
    }
    /// Hashes the salt.
    public func hash(into hasher: inout Hasher) { hasher.combine(salt) }
}

extension PasswordDerivation: CustomStringConvertible, CustomReflectable {
    /// A mask.
    public var description: String { "secret" }
    /// What `dump` walks: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
