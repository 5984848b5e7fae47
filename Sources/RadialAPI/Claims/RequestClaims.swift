public import Values
public import Vault

/// Which requests of Radial's API were made, by their `requestId`: one of a name is carried out once, whatever it asks for, and
/// another one of that name is refused.
///
/// A claim is written before anything else is done, so that of two requests at one time, of whatever instances, one is first;
/// or, where what is done is one commit, with that.
public struct RequestClaims: Sendable {
    private static let attemptsMax = 8
    /// How many claims a merchant has at most, unless said. A claim keeps a request from being carried out twice, so none
    /// goes for a new one.
    public static let countMaxDefault = 10_000_000

    private let texts: SealedTexts
    private let limit: GroupLimit

    /// The outcome of a claim.
    public enum Outcome: Equatable, Sendable {
        /// The request is the first of its name.
        case first
        /// The same request was made before. What it was answered is known unless it is being answered now, or the reply
        /// follows from the ledger.
        case repeated(answer: [UInt8]?)
        /// Another request was made under this name.
        case differs
        /// The merchant has as many claims as it may have.
        case full(countMax: Int)
    }

    /// The claims of an installation.
    ///
    /// - Parameter countMax: how many a merchant has at most.
    public init(
        store: any SealedStore, keys: KeyRing, countMax: Int = countMaxDefault,
        report: @escaping @Sendable (StoreFailure) -> Void = { _ in }
    ) {
        texts = SealedTexts(store: store, keys: keys, report: report)
        limit = GroupLimit(countMax: countMax, followsOrders: true)
    }

    /// Claims a name for a request.
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

    /// Keeps what a claimed request was answered.
    public func keep(
        _ answer: [UInt8], to id: String, of merchant: MerchantID, for parameters: SecretText, at instant: Instant
    ) async throws(StoreFailure) {
        let fingerprint = texts.keys.recognition.fingerprint(ofParameters: parameters)
        // A twin of the request may have kept its answer first.
        _ = try await write(
            Claim(fingerprint: fingerprint, answer: answer), of: Self.owner(id, merchant), revision: 2, at: instant)
    }

    /// Gives a name back whose request was refused, so that it may be sent again in another form.
    public func release(_ id: String, of merchant: MerchantID) async throws(StoreFailure) {
        _ = try await texts.remove(Self.owner(id, merchant))
    }

    /// The claim of a request, for its commit: one that is written with the commit, or the one that there
    /// is; nil if another request was made under the name. Nothing is written yet.
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

    /// The claim of a request that has claimed its name.
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

/// A request's claim as it was found. The order of the request holds it.
struct HeldClaim: Sendable {
    fileprivate let claims: RequestClaims
    fileprivate let owner: SealedOwner
    fileprivate let fingerprint: [UInt8]
    let item: HeldItem

    /// The claim as it is now; nil if another request has claimed the name.
    func renewed() async throws(StoreFailure) -> HeldClaim? { try await claims.held(owner, for: fingerprint) }

    /// The failure of a commit whose full group is the claim's; nil if the group is another one.
    func failure(ofFull group: [UInt8]) -> StoreFailure? {
        guard case .new(_, let own) = item, own.name == group else { return nil }
        return .full(.requestClaim, countMax: claims.countMax)
    }
}

extension SealingPurpose {
    /// A request of Radial's API.
    public static let requestClaim = SealingPurpose("radial request")
}

/// What is sealed of a claim: the request's fingerprint, 32 bytes, and behind it the answer.
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
