internal import OpenSSL
public import Values

/// What a sealed text is for. Each purpose has a key of its own.
public struct SealingPurpose: Hashable, Sendable {
    let name: String

    /// A purpose. A name that was released is never changed, nor given to anything else.
    public init(_ name: StaticString) {
        self.name = "\(name)"
        precondition(!self.name.utf8.contains(0), "a name ends where a zero stands")
    }

    /// The fields that a session holds.
    public static let session = SealingPurpose("session")
    /// The card that a token stands for.
    public static let cardToken = SealingPurpose("card token")
}

/// Whose a sealed text is. A text that was sealed for one owner opens for no other one.
public struct SealedOwner: Hashable, Sendable {
    /// What the text is for.
    public let purpose: SealingPurpose
    /// The merchant.
    public let merchant: MerchantID
    /// What names the text among those of the purpose and the merchant.
    public let id: String

    /// An owner.
    public init(_ purpose: SealingPurpose, merchant: MerchantID, id: String) {
        self.purpose = purpose
        self.merchant = merchant
        self.id = id
    }

    /// The owner in one form. Neither a purpose nor a merchant's identifier holds a zero, so no two owners share it.
    var bytes: [UInt8] { Array(purpose.name.utf8) + [0] + Array(merchant.text.utf8) + [0] + Array(id.utf8) }
}

/// Why a sealed text was not opened.
public enum SealingFault: Error, Equatable, Sendable {
    /// It begins like no sealed text, or is too short for one.
    case malformed
    /// It was sealed under a key that the installation doesn't have.
    case unknownKey
    /// A byte of it was altered, or it was sealed for another owner.
    case notAuthentic
}

/// One key of an installation, for sealing.
struct SealingKey: Sendable {
    static let idByteCount = 8

    private let key: SecretBytes
    /// What stands in front of a text to tell its key, and tells nothing else of it.
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

    /// Seals a text for its owner: `01 ‖ key id (8) ‖ nonce (12) ‖ ciphertext ‖ tag (16)`, AES-256-GCM with a random nonce.
    ///
    /// The first nine bytes and the owner are authenticated with the text. Random nonces of 96 bits suffice for 2³² texts
    /// under one key (NIST SP 800-38D §8.3), and a rotation begins a new one.
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

    /// Opens a text that was sealed for `owner`, under whichever of the keys.
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

    /// What a store finds an owner's text by, 32 bytes, the same after every rotation: without the key nobody can tell
    /// whose a text is, nor find it by trial.
    func name(of owner: SealedOwner) -> [UInt8] {
        owner.bytes.withUnsafeBytes { recognition.authenticationCode("tollgate sealed text", $0) }
    }

    /// What a store counts an owner's text in: one group for each purpose and merchant.
    func group(of owner: SealedOwner, _ limit: GroupLimit) -> SealedGroup {
        let bytes = Array(owner.purpose.name.utf8) + [0] + Array(owner.merchant.text.utf8)
        return SealedGroup(
            name: bytes.withUnsafeBytes { recognition.authenticationCode("tollgate sealed group", $0) },
            countMax: limit.countMax, replacesUnused: limit.replacesUnused, followsOrders: limit.followsOrders)
    }
}
