public import Values
public import Vault

/// Claims on the `requestId`s of Radial's API. A `requestId` belongs to the first request that uses it; that request is
/// carried out once, and another request with the same `requestId` is refused.
///
/// A claim is written before the request is carried out, so that only one of several concurrent requests is the first,
/// even on different instances. If the request consists of a single commit, the claim is written in that commit.
public struct RequestClaims: Sendable {
    private static let attemptsMax = 8
    /// The default maximum number of claims per merchant. A claim prevents a request from being carried out twice, so
    /// none is evicted for a new one.
    public static let countMaxDefault = 10_000_000

    private let texts: SealedTexts
    private let limit: GroupLimit

    /// The outcome of a claim.
    public enum Outcome: Equatable, Sendable {
        /// The request is the first with its `requestId`.
        case first
        /// The same request was made before. `answer` is nil while the request is still being carried out, or if the
        /// reply can be rebuilt from the ledger.
        case repeated(answer: [UInt8]?)
        /// Another request was made with this `requestId`.
        case differs
        /// The merchant has reached the maximum number of claims.
        case full(countMax: Int)
    }

    /// Creates the claims of an installation.
    ///
    /// - Parameter countMax: the maximum number of claims per merchant.
    public init(
        store: any SealedStore, keys: KeyRing, countMax: Int = countMaxDefault,
        report: @escaping @Sendable (StoreFailure) -> Void = { _ in }
    ) {
        texts = SealedTexts(store: store, keys: keys, report: report)
        limit = GroupLimit(countMax: countMax, followsOrders: true)
    }

    /// Claims a `requestId` for a request.
    ///
    /// - Parameter parameters: the request in a form that is the same for every repetition.
    public func claim(
        _ id: String, of merchant: MerchantID, for parameters: SecretText, at instant: Instant
    ) async throws(StoreFailure) -> Outcome {
        let owner = Self.owner(id, merchant)
        let fingerprint = texts.keys.recognition.fingerprint(ofParameters: parameters)
        for _ in 0..<Self.attemptsMax {
            if let found = try await find(owner) { return found.outcome(for: fingerprint) }
            let claim = Claim(fingerprint: fingerprint, answer: [])
            do throws(StoreFailure) {
                if try await write(claim, of: owner, revision: 1, at: instant) { return .first }
            } catch .full(_, let countMax) {
                return .full(countMax: countMax)
            }
        }
        throw .unavailable(detail: "a claim kept moving")
    }

    /// Stores the answer to a claimed request.
    public func keep(
        _ answer: [UInt8], to id: String, of merchant: MerchantID, for parameters: SecretText, at instant: Instant
    ) async throws(StoreFailure) {
        let fingerprint = texts.keys.recognition.fingerprint(ofParameters: parameters)
        // A concurrent retry of the request may have stored its answer first.
        _ = try await write(
            Claim(fingerprint: fingerprint, answer: answer), of: Self.owner(id, merchant), revision: 2, at: instant)
    }

    /// Releases the `requestId` of a refused request, so that a corrected request may use it.
    public func release(_ id: String, of merchant: MerchantID) async throws(StoreFailure) {
        _ = try await texts.remove(Self.owner(id, merchant))
    }

    /// Returns the claim of a request, for its commit: the existing claim, or a new one to write with the commit. Nil if
    /// another request was made with this `requestId`. Writes nothing itself.
    func held(
        _ id: String, of merchant: MerchantID, for parameters: SecretText
    ) async throws(StoreFailure) -> HeldClaim? {
        let fingerprint = texts.keys.recognition.fingerprint(ofParameters: parameters)
        return try await held(Self.owner(id, merchant), for: fingerprint)
    }

    fileprivate func held(_ owner: SealedOwner, for fingerprint: [UInt8]) async throws(StoreFailure) -> HeldClaim? {
        let item: HeldItem
        if let found = try await find(owner) {
            guard found.fingerprint == fingerprint else { return nil }
            item = texts.held(existing: owner)
        } else {
            item = texts.held(Claim(fingerprint: fingerprint, answer: []).text, of: owner, limit: limit)
        }
        return HeldClaim(claims: self, owner: owner, fingerprint: fingerprint, item: item)
    }

    /// Returns the claim of a request that has already claimed its `requestId`.
    func written(_ id: String, of merchant: MerchantID, for parameters: SecretText) -> HeldClaim {
        let owner = Self.owner(id, merchant)
        return HeldClaim(
            claims: self, owner: owner,
            fingerprint: texts.keys.recognition.fingerprint(ofParameters: parameters),
            item: texts.held(existing: owner))
    }

    fileprivate var countMax: Int { limit.countMax }

    private static func owner(_ id: String, _ merchant: MerchantID) -> SealedOwner {
        SealedOwner(.requestClaim, merchant: merchant, id: id)
    }

    private func find(_ owner: SealedOwner) async throws(StoreFailure) -> Claim? {
        guard let found = try await texts.find(owner) else { return nil }
        guard let claim = Claim(found.text) else { throw texts.damage("request claim: too short") }
        return claim
    }

    private func write(
        _ claim: Claim, of owner: SealedOwner, revision: Int64, at instant: Instant
    ) async throws(StoreFailure) -> Bool {
        try await texts.write(claim.text, of: owner, revision: revision, expiry: nil, limit: limit, at: instant)
    }
}

/// A request's claim, to be committed with the request's order: a new claim, or an existing one that the order keeps a
/// reference to.
struct HeldClaim: Sendable {
    fileprivate let claims: RequestClaims
    fileprivate let owner: SealedOwner
    fileprivate let fingerprint: [UInt8]
    let item: HeldItem

    /// Reads the claim again; nil if another request has claimed the `requestId`.
    func renewed() async throws(StoreFailure) -> HeldClaim? { try await claims.held(owner, for: fingerprint) }

    /// The failure of a commit whose full group is that of the claims; nil for another group.
    func failure(ofFull group: [UInt8]) -> StoreFailure? {
        guard case .new(_, let own) = item, own.name == group else { return nil }
        return .full(.requestClaim, countMax: claims.countMax)
    }
}

extension SealingPurpose {
    /// A request of Radial's API.
    public static let requestClaim = SealingPurpose("radial request")
}

/// The sealed content of a claim: the request's fingerprint, 32 bytes, then the answer.
private struct Claim {
    static let fingerprintByteCount = 32

    let fingerprint: [UInt8]
    let answer: [UInt8]

    init(fingerprint: [UInt8], answer: [UInt8]) {
        self.fingerprint = fingerprint
        self.answer = answer
    }

    init?(_ text: SecretBytes) {
        guard text.count >= Self.fingerprintByteCount else { return nil }
        fingerprint = text.withUnsafeBytes { Array($0.prefix(Self.fingerprintByteCount)) }
        answer = text.withUnsafeBytes { Array($0.dropFirst(Self.fingerprintByteCount)) }
    }

    var text: SecretBytes { SecretBytes(fingerprint + answer) }

    func outcome(for fingerprint: [UInt8]) -> RequestClaims.Outcome {
        guard self.fingerprint == fingerprint else { return .differs }
        return .repeated(answer: answer.isEmpty ? nil : answer)
    }
}
