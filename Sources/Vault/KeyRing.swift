public import Values

/// The keys of an installation, oldest first, which all instances on one database share.
///
/// The last key seals; every key opens the values that it sealed. Before a key seals, all gateways on the database must
/// have it. Until then the new key is placed second to last: the previous key is repeated after it, and continues to
/// seal.
///
/// The first key computes the codes that recognize requests and payment tokens. The values that were hashed are not
/// stored, so these codes can't be recomputed under another key, and the first key never changes. A rotation affects
/// only new sealed values, and loses nothing.
public struct KeyRing: Sendable {
    /// The size of one key in bytes.
    public static let keyByteCount = 32
    /// The maximum number of keys of an installation, including earlier ones.
    public static let countMax = 64

    /// The key that recognizes requests and payment tokens, and names sealed records.
    public let recognition: InstallationKey
    private let sealing: SealingKeys
    var sealingKeys: [SealingKey] { sealing.all }

    /// Reads concatenated keys, the form in which an installation stores them; nil unless there are 1 to 64 keys of 32
    /// bytes.
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

    /// The number of different keys.
    public var count: Int { Set(sealingKeys.map(\.id)).count }

    /// Whether the newest key opens but does not seal yet.
    public var hasWaitingKey: Bool {
        let keys = sealingKeys
        return keys.count >= 3 && keys[keys.count - 3].id == keys[keys.count - 1].id
    }

    /// Replaces these keys, in all copies of this key ring, with the reloaded keys of the same installation.
    ///
    /// - Returns: false, without a change, if the first key differs or one of these keys is missing: values may be
    ///   sealed under it.
    public func adopt(_ other: KeyRing) -> Bool {
        guard other.recognition.mark == recognition.mark,
            Set(other.sealingKeys.map(\.id)).isSuperset(of: sealingKeys.map(\.id))
        else { return false }
        sealing.replace(with: other.sealingKeys)
        return true
    }

    /// Whether both key rings have the same keys in the same order.
    public func isSame(as other: KeyRing) -> Bool {
        other.recognition.mark == recognition.mark && other.sealingKeys.map(\.id) == sealingKeys.map(\.id)
    }
}

extension KeyRing: CustomStringConvertible, CustomReflectable {
    /// The number of keys.
    public var description: String { "\(count) keys" }
    /// Hides all members from `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
