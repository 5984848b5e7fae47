public import Values

/// The keys of an installation, oldest first, which all instances on one database share.
///
/// The last key seals, and every key opens what it sealed. All gateways on one database must know a key before any of them
/// seals with it: such a key stands before the last, and the last is written once more behind it.
///
/// The first key recognises: a request's fingerprint or a token's digest can't be made again with another key, because what
/// it was made from is kept nowhere. So a rotation changes what is sealed from then on, and loses nothing.
public struct KeyRing: Sendable {
    /// The size of one key in bytes.
    public static let keyByteCount = 32
    /// How many keys an installation can have had.
    public static let countMax = 64

    /// What recognises requests, payment tokens, and the names of what is sealed.
    public let recognition: InstallationKey
    private let sealing: SealingKeys
    var sealingKeys: [SealingKey] { sealing.all }

    /// The keys one behind another, as an installation keeps them; nil unless they are 1 to 64 of 32 bytes.
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
        sealing = SealingKeys(each.map(SealingKey.init))
    }

    /// How many different keys there are.
    public var count: Int { Set(sealingKeys.map(\.id)).count }

    /// Whether the newest key opens and doesn't seal yet.
    public var hasWaitingKey: Bool {
        let keys = sealingKeys
        return keys.count >= 3 && keys[keys.count - 3].id == keys[keys.count - 1].id
    }

    /// Replaces these keys, wherever they are used, by reloaded ones of the same installation.
    ///
    /// - Returns: whether it did: the first key must be the same, and none of these may be missing, as something may be sealed
    ///   under it.
    public func adopt(_ other: KeyRing) -> Bool {
        guard other.recognition.mark == recognition.mark,
            Set(other.sealingKeys.map(\.id)).isSuperset(of: sealingKeys.map(\.id))
        else { return false }
        sealing.replace(with: other.sealingKeys)
        return true
    }

    /// Whether both have the same keys in the same order.
    public func isSame(as other: KeyRing) -> Bool {
        other.recognition.mark == recognition.mark && other.sealingKeys.map(\.id) == sealingKeys.map(\.id)
    }
}

extension KeyRing: CustomStringConvertible, CustomReflectable {
    /// How many keys there are.
    public var description: String { "\(count) keys" }
    /// What `dump` walks: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
