public import OpenSSL
public import Values

/// An API password in the form in which it is kept, never in clear.
///
/// | Form | Of | Kept as |
/// |---|---|---|
/// | digest | the passwords that an installation makes | `sha256:<salt>:<SHA-256(salt ‖ password)>` |
/// | derivation | a chosen one that only its owner knows | `scrypt:<N>:<r>:<p>:<salt>:<scrypt(password, salt)>` |
/// | code | one that a file or the environment holds in clear | nowhere: an HMAC under a key of this process |
///
/// Those made here are 128 random bits, of which a slow derivation would protect nothing and cost every request. A
/// derivation is paid until the password is first presented; from then on its code is remembered, see
/// ``PresentedPassword``. A derivation would not protect a password in clear beside the gateway, so that has a code at once.
public struct APIPassword: Sendable {
    /// The length of a salt made here, in bytes.
    public static let saltBytes = 16
    /// The longest salt that is read, in bytes.
    static let saltBytesMax = 64

    /// The cost of a derivation made here: 16 MiB, and some 0.2 s.
    ///
    /// - Source: OWASP, "Password Storage Cheat Sheet", the scrypt parameters that need the least memory of those it
    ///   holds equal but one.
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

    /// Takes the digest of a password of 128 random bits, under a fresh salt.
    public init(digesting password: SecretText) {
        let salt = RandomBytes.generate(Self.saltBytes)
        form = .digest(salt: salt, Self.digest(salt, password))
    }

    /// Takes the code of a password that is stored in clear elsewhere.
    public init(remembering password: SecretText) { form = .code(PresentedPassword(password).code) }

    /// Derives from a chosen password, under a fresh salt. Takes a fraction of a second.
    public init(deriving password: SecretText) throws(OpenSSLError) {
        form = .derivation(try PasswordDerivation(deriving: password, cost: Self.derivationCost))
    }

    /// Reads the kept form of a digest or a derivation, in hexadecimal but for decimal costs; nil if it is malformed.
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

    /// The kept form, for a configuration file; nil for a password that is stored in clear elsewhere.
    public var kept: String? {
        switch form {
        case .digest(let salt, let digest): "sha256:" + Hexadecimal.encoded(salt) + ":" + digest.hexadecimal
        case .derivation(let derivation):
            "scrypt:\(derivation.cost.cost):\(derivation.cost.blockSize):\(derivation.cost.parallelization):"
                + Hexadecimal.encoded(derivation.salt) + ":" + derivation.key.hexadecimal
        case .code: nil
        }
    }

    /// The derivation that tells whether a password is this one, if it needs one.
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
    /// A mask.
    public var description: String { "secret" }
    /// What `dump` walks: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
