public import ApplePay
internal import OpenSSL

/// An API password in the form in which it is kept: `SHA-256(salt ‖ password)` beside its salt.
///
/// The passwords that an installation makes are 128 random bits, so a slow derivation would protect nothing and cost
/// every request.
public struct APIPassword: Sendable {
    /// The length of a salt made here, in bytes.
    public static let saltBytes = 16

    private let salt: [UInt8]
    private let digest: SecretBytes

    /// Takes the digest of a password under a fresh salt.
    public init(digesting password: SecretText) {
        self.init(salt: RandomBytes.generate(Self.saltBytes), password: password)
    }

    /// Reads the kept form, `sha256:<salt>:<digest>` in hexadecimal; nothing if it is malformed.
    public init?(kept text: String) {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0] == "sha256", let salt = Hexadecimal.decoded(Array(fields[1].utf8)),
            salt.count >= Self.saltBytes, let digest = Hexadecimal.decoded(Array(fields[2].utf8)), digest.count == 32
        else { return nil }
        self.salt = salt
        self.digest = SecretBytes(digest)
    }

    /// The kept form, for a configuration file.
    public var kept: String {
        "sha256:" + Hexadecimal.encoded(salt) + ":" + digest.withUnsafeBytes { Hexadecimal.encoded($0) }
    }

    /// Whether `password` is the one, in time that doesn't depend on where they differ.
    public func matches(_ password: SecretText) -> Bool {
        APIPassword(salt: salt, password: password).digest == digest
    }

    private init(salt: [UInt8], password: SecretText) {
        self.salt = salt
        let salted = SecretBytes(count: salt.count + password.utf8Count) { salted in
            salted.copyBytes(from: salt)
            password.withUTF8 { UnsafeMutableRawBufferPointer(rebasing: salted[salt.count...]).copyMemory(from: $0) }
        }
        digest = salted.withUnsafeBytes { SecretBytes(SHA256.hash($0)) }
    }
}

extension APIPassword: CustomStringConvertible, CustomReflectable {
    /// A mask.
    public var description: String { "secret" }
    /// What `dump` walks: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
