public import ApplePay
internal import OpenSSL

/// Which requests of Radial's API were made, by their `requestId`: one of a name is carried out once, whatever it asks for, and
/// another one of that name is refused.
///
/// A claim is written before anything else is done, so that of two requests at one time, of whatever instances, one is first.
public struct RequestClaims: Sendable {
    private static let attemptsMax = 8
    /// How many claims a merchant has at most, unless said. A claim keeps a request from being carried out twice, so none
    /// goes for a new one.
    public static let countMaxDefault = 10_000_000

    private let vault: Vault
    private let countMax: Int

    /// What became of a claim.
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
        vault = Vault(store: store, keys: keys, report: report)
        self.countMax = countMax
    }

    /// Claims a name for a request.
    ///
    /// - Parameter parameters: the request in a form that is the same for every repetition.
    public func claim(
        _ id: String, of merchant: MerchantID, for parameters: SecretText
    ) async throws(StoreFailure) -> Outcome {
        let owner = Self.owner(id, merchant)
        let fingerprint = vault.keys.recognition.fingerprint(ofParameters: parameters)
        for _ in 0..<Self.attemptsMax {
            if let found = try await find(owner) { return found.outcome(for: fingerprint) }
            let claim = Claim(fingerprint: fingerprint, answer: [])
            do throws(SessionRefusal) {
                if try await write(claim, of: owner, revision: 1) { return .first }
            } catch .tooMany(_, let countMax) {
                return .full(countMax: countMax)
            } catch {
                throw error.storeFailure
            }
        }
        throw .unavailable(detail: "a claim kept moving")
    }

    /// Keeps what a claimed request was answered.
    public func keep(
        _ answer: [UInt8], to id: String, of merchant: MerchantID, for parameters: SecretText
    ) async throws(StoreFailure) {
        let fingerprint = vault.keys.recognition.fingerprint(ofParameters: parameters)
        // A twin of the request may have kept its answer first.
        do throws(SessionRefusal) {
            _ = try await write(
                Claim(fingerprint: fingerprint, answer: answer), of: Self.owner(id, merchant), revision: 2)
        } catch {
            throw error.storeFailure
        }
    }

    /// Gives a name back whose request was refused, so that it may be sent again in another form.
    public func release(_ id: String, of merchant: MerchantID) async throws(StoreFailure) {
        do throws(SessionRefusal) { _ = try await vault.remove(Self.owner(id, merchant)) } catch {
            throw error.storeFailure
        }
    }

    private static func owner(_ id: String, _ merchant: MerchantID) -> SealedOwner {
        SealedOwner(.requestClaim, merchant: merchant, id: id)
    }

    private func find(_ owner: SealedOwner) async throws(StoreFailure) -> Claim? {
        do throws(SessionRefusal) {
            guard let found = try await vault.find(owner) else { return nil }
            guard let claim = Claim(found.text) else { throw vault.damage("request claim: too short") }
            return claim
        } catch {
            throw error.storeFailure
        }
    }

    private func write(_ claim: Claim, of owner: SealedOwner, revision: Int64) async throws(SessionRefusal) -> Bool {
        try await vault.write(
            claim.text, of: owner, revision: revision, expiry: nil, limit: GroupLimit(countMax: countMax),
            at: Instant(secondsSinceEpoch: 0))
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
