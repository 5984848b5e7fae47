internal import Access
internal import HTTP
internal import HTTPTypes
internal import OpenSSL
internal import Payments
internal import Values
internal import Vault

/// The authenticated client.
struct Caller: Sendable {
    let merchant: Merchant
    /// Whether the connection's certificate is one of the merchant's, with or without a password.
    let isKnownByCertificate: Bool
    /// Whether a session authenticated the request: then the client acts for the payer, not for the merchant.
    var isPayer = false
}

/// Authenticates the client: by HTTP Basic with an API password, or by the certificate of the connection.
///
/// An unknown merchant, a disabled one, a merchant other than the path's and a wrong password take the same time and
/// get the same reply. Requests are answered immediately where possible. A password that needs a slow key derivation
/// is checked off the event loop; while any merchant has such a password, so is every wrong password.
struct Authentication: Sendable {
    /// The number of passwords that are compared for every request. A merchant has two while it replaces one.
    private static let attempts = Merchant.passwordsMax

    private let merchants: MerchantDirectory
    private let remembered: RememberedPasswords
    private let queue: PasswordQueue
    private let rates: RequestRates
    /// Compared in place of the passwords that a merchant doesn't have.
    private let decoy: APIPassword

    /// Whether a reply with 401 gives the reason.
    private let explains: Bool
    /// Whether every request is admitted as a request of the merchant in its path.
    private(set) var isForOperator = false

    /// The same authentication for the operator, who is authenticated by another API: every request is admitted as a
    /// request of the merchant in its path.
    var forOperator: Authentication {
        var authentication = self
        authentication.isForOperator = true
        return authentication
    }

    /// - Parameter explains: whether a reply with 401 gives the reason in a notice.
    init(_ merchants: MerchantDirectory, _ rates: RequestRates, explains: Bool = false) {
        self.explains = explains
        self.merchants = merchants
        self.rates = rates
        remembered = RememberedPasswords()
        queue = PasswordQueue(remembered)
        decoy = APIPassword(digesting: SecretText(Hexadecimal.encoded(RandomBytes.generate(16))))
    }

    /// Answers a request if the client is the merchant in the path.
    ///
    /// - Parameter voucher: the session that may authenticate the request, if there is one.
    func admit(
        _ request: Request, to path: String, vouchedBy voucher: SessionVoucher? = nil, _ trace: RequestTrace,
        _ answer: @escaping @Sendable (Caller) throws(ErrorReply) -> Answer
    ) throws(ErrorReply) -> Answer {
        let (rates, arrival) = (rates, request.arrival)
        let answer: @Sendable (Caller) throws(ErrorReply) -> Answer = { (caller) throws(ErrorReply) in
            if let seconds = rates.secondsToWait(of: caller.merchant, arrival: arrival) {
                throw .tooManyRequests(of: caller.merchant, retryAfterSeconds: seconds)
            }
            return try answer(caller)
        }
        let decide: @Sendable () async throws(ErrorReply) -> Caller
        switch try finding(on: request, path, voucher, trace) {
        case .known(let caller): return try answer(caller)
        case .undecided(let caller, let password):
            decide = { () throws(ErrorReply) in try await self.decide(password, caller, path, trace) }
        case .vouched(let voucher, let merchant):
            decide = { () throws(ErrorReply) in try await self.decide(voucher, merchant, trace) }
        }
        return .later {
            do throws(ErrorReply) {
                switch try answer(try await decided(decide, trace)) {
                case .now(let response): return response
                case .later(let respond): return await respond()
                case .laterOrCut: preconditionFailure("this API answers every request")
                }
            } catch {
                return error.response
            }
        }
    }

    private enum Finding {
        case known(Caller)
        /// The caller, if the password is correct.
        case undecided(Caller?, UndecidedPassword)
        /// A session authenticates the request, if the merchant has this session.
        case vouched(SessionVoucher, MerchantID)
    }

    private func finding(
        on request: Request, _ path: String, _ voucher: SessionVoucher?, _ trace: RequestTrace
    ) throws(ErrorReply) -> Finding {
        defer { trace.stages.end(.authenticate) }
        let all = merchants.all
        let found = (try? MerchantID(path)).flatMap { all[$0] }
        let named = found?.isEnabled == true ? found : nil
        if isForOperator, let named { return .known(Caller(merchant: named, isKnownByCertificate: false)) }
        let isKnownByCertificate = request.peer?.certificate.map { named?.isIdentified(by: $0.fingerprint) } == true
        let values = request.credentials(.authorization)
        guard !values.isEmpty else {
            if !isKnownByCertificate, let voucher, voucher.needsNoPassword, let id = try? MerchantID(path) {
                return .vouched(voucher, id)
            }
            guard let named, isKnownByCertificate else {
                explain("There is no Authorization; it must be Basic, with the user merchant.ID.", trace)
                throw .invalidCredentials(challenging: true)
            }
            return .known(Caller(merchant: named, isKnownByCertificate: true))
        }
        // A certificate replaces an absent password, but not a wrong one.
        guard values.count == 1, let credentials = Credentials(values[0]) else {
            explain("Authorization must be Basic, with the user merchant.ID.", trace)
            throw .invalidCredentials(challenging: false)
        }
        if let voucher, voucher.session == credentials.password.text, credentials.merchant == path,
            let id = try? MerchantID(path)
        {
            return .vouched(voucher, id)
        }
        let merchant = credentials.merchant == path ? named : nil
        if credentials.merchant != path { explain("The user must be merchant.\(path), as in the path.", trace) }
        let caller = merchant.map { Caller(merchant: $0, isKnownByCertificate: isKnownByCertificate) }
        if matches(credentials.password, merchant), let caller { return .known(caller) }
        let rounds = all.derivations.map { remembered.unknown(among: $0).count }.max() ?? 0
        guard rounds > 0 else {
            explainPassword(of: merchant, path, trace)
            throw .invalidCredentials(challenging: false)
        }
        return .undecided(
            caller,
            UndecidedPassword(
                merchant: path, password: credentials.password,
                derivations: merchant.map { remembered.unknown(among: $0.derivations) } ?? [], rounds: rounds,
                peer: request.peer?.network ?? ""))
    }

    /// Whether a password is known to be one of the merchant's. All are compared, so that the time doesn't reveal
    /// which one matches.
    private func matches(_ password: PresentedPassword, _ merchant: Merchant?) -> Bool {
        var isRight = false
        for candidate in merchant?.passwords ?? [] {
            isRight = candidate.matches(password, remembered) == true || isRight
        }
        let count = merchant?.passwords.count ?? 0
        for _ in count..<max(Self.attempts, count) { _ = decoy.matches(password, remembered) }
        return isRight
    }

    private func decided(
        _ decide: () async throws(ErrorReply) -> Caller, _ trace: RequestTrace
    ) async throws(ErrorReply) -> Caller {
        defer { trace.stages.end(.authenticate) }
        return try await decide()
    }

    /// The session is looked up for any merchant, so that the time reveals nothing.
    private func decide(
        _ voucher: SessionVoucher, _ merchant: MerchantID, _ trace: RequestTrace
    ) async throws(ErrorReply) -> Caller {
        let isVouched: Bool
        do throws(SessionRefusal) { isVouched = try await voucher.vouches(merchant) } catch { throw ErrorReply(error) }
        guard isVouched, let merchant = merchants[merchant], merchant.isEnabled else {
            explain("The session is unknown or has ended, or its authenticationLimit is used up.", trace)
            throw .invalidCredentials(challenging: false)
        }
        return Caller(merchant: merchant, isKnownByCertificate: false, isPayer: true)
    }

    private func decide(
        _ password: UndecidedPassword, _ caller: Caller?, _ path: String, _ trace: RequestTrace
    ) async throws(ErrorReply) -> Caller {
        switch await queue.verdict(on: password) {
        case .busy: throw .tooManyAttempts
        case .right: if let caller { return caller }
        case .wrong: break
        }
        explainPassword(of: caller?.merchant, path, trace)
        throw .invalidCredentials(challenging: false)
    }

    private func explainPassword(of merchant: Merchant?, _ path: String, _ trace: RequestTrace) {
        guard merchant == nil else { return explain("The password differs from the merchant's.", trace) }
        guard (try? MerchantID(path)).flatMap({ merchants[$0] })?.isEnabled != true else { return }
        explain("There is no merchant \(path), or it is disabled.", trace)
    }

    private func explain(_ reason: String, _ trace: RequestTrace) {
        if explains { trace.note(notice: reason) }
    }
}
