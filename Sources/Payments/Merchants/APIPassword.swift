public import OpenSSL
public import Values

/// An API password in its stored form, never in plaintext.
///
/// | Form | Used for | Stored as |
/// |---|---|---|
/// | digest | passwords that an installation generates | `sha256:<salt>:<SHA-256(salt ‖ password)>` |
/// | derivation | passwords that their owners choose | `scrypt:<N>:<r>:<p>:<salt>:<scrypt(password, salt)>` |
/// | code | passwords that a file or the environment holds in plaintext | not stored: an HMAC under a key of this process |
///
/// Generated passwords are 128 random bits; a slow derivation would not protect them better, and would slow down every
/// request. A chosen password is derived only until it is first presented successfully; after that its code is
/// remembered, see ``PresentedPassword``. A derivation would not protect a password whose plaintext the gateway can
/// read anyway, so such a password has a code from the start.
public struct APIPassword: Sendable {
    /// The length of a generated salt, in bytes.
    public static let saltBytes = 16
    /// The maximum length of a salt in a stored form, in bytes.
    static let saltBytesMax = 64

    /// The cost of a new derivation: 16 MiB and about 0.2 s.
    ///
    /// - Source: OWASP, "Password Storage Cheat Sheet": of the scrypt parameters listed there as equivalent, those with
    ///   the second smallest memory.
    public static let derivationCost: Scrypt = {
        guard let cost = Scrypt(cost: 1 << 14, blockSize: 8, parallelization: 5) else {
            preconditionFailure("the built-in parameters are valid")
        }
        return cost
    }()

    enum Form: Sendable {
        case digest(salt: [UInt8], SecretBytes)
        case derivation(PasswordDerivation)
        case code(SecretBytes)
    }

    let form: Form

    /// Creates the digest of a password of 128 random bits, with a new salt.
    public init(digesting password: SecretText) {
        let salt = RandomBytes.generate(Self.saltBytes)
        form = .digest(salt: salt, Self.digest(salt, password))
    }

    /// Creates the code of a password that is stored in plaintext elsewhere.
    public init(remembering password: SecretText) { form = .code(PresentedPassword(password).code) }

    /// Derives a key from a chosen password, with a new salt. Takes a fraction of a second.
    public init(deriving password: SecretText) throws(OpenSSLError) {
        form = .derivation(try PasswordDerivation(deriving: password, cost: Self.derivationCost))
    }

    /// Parses the stored form of a digest or a derivation: hexadecimal fields, and decimal costs. Nil if it is
    /// malformed.
    public init?(kept text: String) {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count >= 3, let salt = Hexadecimal.decoded(Array(fields[fields.count - 2].utf8)),
            (Self.saltBytes...Self.saltBytesMax).contains(salt.count),
            let key = Hexadecimal.decoded(Array(fields[fields.count - 1].utf8)), key.count == 32
        else { return nil }
        switch (fields[0], fields.count) {
        case ("sha256", 3): form = .digest(salt: salt, SecretBytes(key))
        case ("scrypt", 6):
            guard let cost = Int(fields[1]), let blockSize = Int(fields[2]), let parallelization = Int(fields[3]),
                let scrypt = Scrypt(cost: cost, blockSize: blockSize, parallelization: parallelization)
            else { return nil }
            form = .derivation(PasswordDerivation(cost: scrypt, salt: salt, key: SecretBytes(key)))
        default: return nil
        }
    }

    /// The stored form, for a configuration file; nil for a password that is stored in plaintext elsewhere.
    public var kept: String? {
        switch form {
        case .digest(let salt, let digest): "sha256:" + Hexadecimal.encoded(salt) + ":" + digest.hexadecimal
        case .derivation(let derivation):
            "scrypt:\(derivation.cost.cost):\(derivation.cost.blockSize):\(derivation.cost.parallelization):"
                + Hexadecimal.encoded(derivation.salt) + ":" + derivation.key.hexadecimal
        case .code: nil
        }
    }

    /// The derivation that must be computed to check a password; nil if the form needs none.
    public var derivation: PasswordDerivation? {
        guard case .derivation(let derivation) = form else { return nil }
        return derivation
    }

    static func digest(_ salt: [UInt8], _ password: SecretText) -> SecretBytes {
        let salted = SecretBytes(count: salt.count + password.utf8Count) { salted in
            salted.copyBytes(from: salt)
            password.withUTF8 { UnsafeMutableRawBufferPointer(rebasing: salted[salt.count...]).copyMemory(from: $0) }
        }
        return SHA256.hash(salted)
    }
}

extension SecretBytes {
    fileprivate var hexadecimal: String { withUnsafeBytes { Hexadecimal.encoded($0) } }
}

extension APIPassword: CustomStringConvertible, CustomReflectable {
    /// A fixed string that reveals nothing.
    public var description: String { "secret" }
    /// An empty mirror, so that `dump` reveals nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
