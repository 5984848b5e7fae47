public import OpenSSL

/// The keys of an installation, oldest first, which all instances on one database share.
///
/// The last one seals, and every one opens what it sealed. The first one recognises: what it made, a request's
/// fingerprint or a token's digest, can't be made again under another key, as what it was made from is kept nowhere. So
/// a rotation changes what is sealed from then on, and nothing that was kept before it is lost.
public struct KeyRing: Sendable {
    /// The size of one key in bytes.
    public static let keyByteCount = 32
    /// How many keys an installation can have had.
    public static let countMax = 64

    /// What recognises requests, payment tokens, and the names of what is sealed.
    public let recognition: InstallationKey
    let sealingKeys: [SealingKey]

    /// The keys one behind another, as an installation keeps them; nothing unless they are 1 to 64 of 32 bytes.
    public init?(_ keys: SecretBytes) {
        let count = keys.count / Self.keyByteCount
        guard keys.count.isMultiple(of: Self.keyByteCount), (1...Self.countMax).contains(count) else { return nil }
        let each = (0..<count).map { index in
            keys.withUnsafeBytes { keys in
                SecretBytes(
                    copying: UnsafeRawBufferPointer(
                        rebasing: keys[(index * Self.keyByteCount)..<((index + 1) * Self.keyByteCount)]))
            }
        }
        guard let recognition = InstallationKey(each[0]) else { return nil }
        self.recognition = recognition
        sealingKeys = each.map(SealingKey.init)
    }
}

extension KeyRing: CustomStringConvertible, CustomReflectable {
    /// How many keys there are.
    public var description: String { "\(sealingKeys.count) keys" }
    /// What `dump` walks: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
