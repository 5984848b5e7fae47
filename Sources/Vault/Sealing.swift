internal import OpenSSL
public import Values

/// The purpose of a sealed record. Each purpose has its own key.
public struct SealingPurpose: Hashable, Sendable {
    let name: String

    /// Creates a purpose. A released name is never changed or reused.
    public init(_ name: StaticString) {
        self.name = "\(name)"
        precondition(!self.name.utf8.contains(0), "a name ends where a zero stands")
    }

    /// The fields of a session.
    public static let session = SealingPurpose("session")
    /// The card of a card token.
    public static let cardToken = SealingPurpose("card token")
}

/// The owner of a sealed record. A record that was sealed for one owner can't be opened for another.
public struct SealedOwner: Hashable, Sendable {
    /// The purpose of the record.
    public let purpose: SealingPurpose
    /// The merchant.
    public let merchant: MerchantID
    /// The record's identifier among those of the purpose and the merchant.
    public let id: String

    /// Creates an owner.
    public init(_ purpose: SealingPurpose, merchant: MerchantID, id: String) {
        self.purpose = purpose
        self.merchant = merchant
        self.id = id
    }

    /// The owner as bytes. Neither a purpose nor a merchant identifier contains a zero byte, so different owners have
    /// different bytes.
    var bytes: [UInt8] { Array(purpose.name.utf8) + [0] + Array(merchant.text.utf8) + [0] + Array(id.utf8) }
}

/// Why a sealed record was not opened.
public enum SealingFault: Error, Equatable, Sendable {
    /// The bytes don't begin like a sealed record, or are too short for one.
    case malformed
    /// The record was sealed under a key that the installation doesn't have.
    case unknownKey
    /// The bytes were altered, or the record was sealed for another owner.
    case notAuthentic
}

/// One sealing key of an installation.
struct SealingKey: Sendable {
    static let idByteCount = 8

    private let key: SecretBytes
    /// The key's identifier, which precedes a sealed record. It reveals nothing else about the key.
    let id: [UInt8]

    init(_ key: SecretBytes) {
        self.key = key
        let derived = HKDFSHA256.expand(key, Array("tollgate key identifier".utf8))
        id = derived.withUnsafeBytes { Array($0.prefix(Self.idByteCount)) }
    }

    func key(for purpose: SealingPurpose) -> SecretBytes {
        HKDFSHA256.expand(key, Array("tollgate sealing\0".utf8) + Array(purpose.name.utf8))
    }
}

extension KeyRing {
    private static let form: UInt8 = 1
    private static let nonceByteCount = 12
    private static let headByteCount = 1 + SealingKey.idByteCount
    private static let overheadByteCount = headByteCount + nonceByteCount + AESGCM.tagByteCount

    /// Seals a record for its owner: `01 ‖ key id (8) ‖ nonce (12) ‖ ciphertext ‖ tag (16)`, AES-256-GCM with a random nonce.
    ///
    /// The first nine bytes and the owner are authenticated as associated data. Random 96-bit nonces are safe for 2³²
    /// records under one key (NIST SP 800-38D §8.3). Each rotation provides a new key.
    public func seal(_ text: SecretBytes, for owner: SealedOwner) -> [UInt8] {
        guard let current = sealingKeys.last else { preconditionFailure("an installation has a key") }
        let head = [Self.form] + current.id
        let nonce = RandomBytes.generate(Self.nonceByteCount)
        let sealed = text.withUnsafeBytes { text in
            try? AESGCM.seal(
                text, key: current.key(for: owner.purpose), iv: nonce, associatedData: head + owner.bytes)
        }
        guard let sealed else { preconditionFailure("AES over memory fails only if memory does") }
        return head + nonce + sealed
    }

    /// Opens a record that was sealed for `owner` under any of the keys.
    public func open(_ sealed: [UInt8], of owner: SealedOwner) throws(SealingFault) -> SecretBytes {
        guard sealed.count >= Self.overheadByteCount, sealed[0] == Self.form else { throw .malformed }
        let head = Array(sealed[..<Self.headByteCount])
        guard let key = sealingKeys.last(where: { $0.id == Array(head.dropFirst()) }) else { throw .unknownKey }
        let textStart = Self.headByteCount + Self.nonceByteCount
        do throws(OpenSSLError) {
            return try AESGCM.open(
                Array(sealed[textStart...]), key: key.key(for: owner.purpose),
                iv: Array(sealed[Self.headByteCount..<textStart]), associatedData: head + owner.bytes)
        } catch {
            throw .notAuthentic
        }
    }

    /// The name by which the store finds an owner's record: 32 bytes, unchanged by rotations. Without the key, nobody can
    /// determine the owner from a name, or find a record by trial.
    func name(of owner: SealedOwner) -> [UInt8] {
        owner.bytes.withUnsafeBytes { recognition.authenticationCode("tollgate sealed text", $0) }
    }

    /// The group in which the store counts an owner's record: one for each purpose and merchant.
    func group(of owner: SealedOwner, _ limit: GroupLimit) -> SealedGroup {
        SealedGroup(
            name: groupName(of: owner.merchant, owner.purpose), countMax: limit.countMax,
            replacesUnused: limit.replacesUnused, followsOrders: limit.followsOrders)
    }

    /// The names of the groups in which a store counts a merchant's records of some purposes.
    public func groupNames(of merchant: MerchantID, _ purposes: [SealingPurpose]) -> [[UInt8]] {
        purposes.map { groupName(of: merchant, $0) }
    }

    private func groupName(of merchant: MerchantID, _ purpose: SealingPurpose) -> [UInt8] {
        let bytes = Array(purpose.name.utf8) + [0] + Array(merchant.text.utf8)
        return bytes.withUnsafeBytes { recognition.authenticationCode("tollgate sealed group", $0) }
    }
}
