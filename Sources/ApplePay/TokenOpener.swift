internal import OpenSSL
public import Values

/// Opens one merchant's payment tokens: takes a token, an order and an instant, and returns payment data and a report.
///
/// It performs the seven steps of Apple's "Payment token format reference", except the fifth and the seventh, which
/// belong to a gateway: detecting a transaction that was credited before, and processing the payment.
public struct TokenOpener: Sendable {
    /// The merchant's keys; several during a change of certificates. A token names the key that it was encrypted to.
    public let keys: [PaymentProcessingKey]
    /// The roots and signers that are accepted.
    public let trust: TrustPolicy
    /// The maximum difference between signing time and transaction, in either direction, in seconds.
    public let windowSeconds: Int64
    /// Whether tokens with layers around them are refused.
    public let refusesWrapped: Bool

    /// The default window: Apple's "more than 5 minutes".
    public static let defaultWindowSeconds: Int64 = 300

    /// Creates an opener with the merchant's keys. Without keys, tokens are checked but not decrypted.
    public init(
        keys: [PaymentProcessingKey], trust: TrustPolicy, windowSeconds: Int64 = TokenOpener.defaultWindowSeconds,
        refusesWrapped: Bool = false
    ) {
        precondition(windowSeconds >= 0, "a span of time")
        self.keys = keys
        self.trust = trust
        self.windowSeconds = windowSeconds
        self.refusesWrapped = refusesWrapped
    }

    /// Verifies a token and, if certificates, chain and signature are valid, decrypts it.
    ///
    /// Each step runs if its prerequisites are met, even if another step failed, so that a report shows every cause.
    ///
    /// - Parameters:
    ///   - paymentToken: the JSON text of `PKPaymentToken.paymentData`, or a supported form that contains it.
    ///   - instant: the time of the transaction.
    ///   - order: the details that the merchant requested; nil to skip the comparison.
    public func open(_ paymentToken: SecretText, at instant: Instant, expecting order: TransactionDetails?)
        -> TokenReport
    {
        paymentToken.withUTF8 { open($0, at: .transaction(instant), expecting: order) }
    }

    /// Returns why a text's form rules out a token of this merchant; nil if it may be one. Verifies and decrypts
    /// nothing.
    public func refusal(ofFormOf paymentToken: SecretText) -> TokenRefusal? {
        do throws(TokenRefusal) {
            _ = try paymentToken.withUTF8 { (text) throws(TokenRefusal) in try parsed(text) }
            return nil
        } catch {
            return error
        }
    }

    /// The maximum size of a token's JSON text in bytes; real tokens have 4,000 to 5,000.
    public static let tokenBytesMax = PaymentToken.byteCountMax

    /// The SHA-256 of the public key that a token names as its recipient's, 32 bytes; nil if the text is no token.
    /// Verifies and decrypts nothing.
    public static func publicKeyHash(in paymentToken: UnsafeRawBufferPointer) -> [UInt8]? {
        (try? PaymentToken(json: paymentToken))?.publicKeyHash
    }

    /// Step `parse`.
    private func parsed(_ text: UnsafeRawBufferPointer) throws(TokenRefusal) -> PaymentToken {
        let token = try PaymentToken(json: text)
        guard token.wrappings.isEmpty || !refusesWrapped else { throw .wrapped(token.wrappings) }
        return token
    }

    /// The time for which a token is checked.
    public enum Moment: Sendable {
        /// The time of the token's transaction.
        case transaction(Instant)
        /// The token's own signing time, for inspecting old tokens. Never use it for payments.
        case signing
    }

    /// Verifies a token as of a moment. See ``open(_:at:expecting:)-(SecretText,_,_)``.
    public func open(
        _ paymentToken: UnsafeRawBufferPointer, at moment: Moment, expecting order: TransactionDetails?
    ) -> TokenReport {
        var report = TokenReport()
        let found = report.take(.parse) { () throws(TokenRefusal) in try parsed(paymentToken) }
        guard let token = found else { return report }
        report.version = token.version.rawValue
        report.transactionId = token.transactionId
        report.applicationData = token.applicationData
        report.notes += token.notesOnWrappings

        let isGenuine = judgeSigner(of: token, into: &report)
        if report[.signature] == .failed(.digestDiffers) {
            report.notes += token.notesOnDigest(expecting: order?.applicationData ?? .notCompared)
        }
        _ = report.passes(.signingTime) { () throws(TokenRefusal) in
            try checkSigningTime(token.signedData.signingTime, at: moment)
        }
        let key = chooseKey(for: token, into: &report)
        if isGenuine, let key {
            decrypt(token, with: key, into: &report)
        } else {
            let missing = report.firstNotPassed(of: [.certificates, .chain, .signature]) ?? .publicKeyHash
            report[.symmetricKey] = .skipped(key == nil && keys.isEmpty ? .noKey : .needs(missing))
            report[.decrypt] = .skipped(.needs(.symmetricKey))
            report[.paymentData] = .skipped(.needs(.decrypt))
        }
        report.compare(with: order)
        return report
    }

    /// Steps `certificates`, `chain` and `signature`. Returns whether all three passed.
    private func judgeSigner(of token: PaymentToken, into report: inout TokenReport) -> Bool {
        let signedData = token.signedData
        if let known = trust.signerCache.signer(of: signedData, version: token.version) {
            report[.certificates] = .passed
            report[.chain] = .passed
            report.signer = TokenReport.Signer(
                commonName: known.commonName, signingTime: signedData.signingTime, environment: known.environment)
            return report.passes(.signature) { () throws(TokenRefusal) in
                try signedData.verify(with: known.key, over: token.signedContent)
            }
        }
        let found = report.take(.certificates) { () throws(TokenRefusal) in
            try SignerCertificates(signedData, version: token.version)
        }
        guard let certificates = found else {
            report[.chain] = .skipped(.needs(.certificates))
            report[.signature] = .skipped(.needs(.certificates))
            return false
        }
        let areLawful = report.passes(.certificates) { () throws(TokenRefusal) in
            try certificates.check(trust)
        }
        let anchor = report.take(.chain) { () throws(TokenRefusal) in
            try trust.anchor(of: certificates, at: signedData.signingTime)
        }
        report.signer = TokenReport.Signer(
            commonName: certificates.shownName, signingTime: signedData.signingTime,
            environment: anchor.map(certificates.environment(under:)))
        let isSigned = report.passes(.signature) { () throws(TokenRefusal) in
            try signedData.verify(with: certificates.signerKey, over: token.signedContent)
        }
        guard areLawful, let anchor else { return false }
        trust.signerCache.remember(certificates.accepted(under: anchor), of: signedData, version: token.version)
        return isSigned
    }

    private func checkSigningTime(_ signingTime: Instant, at moment: Moment) throws(TokenRefusal) {
        guard case .transaction(let instant) = moment else { return }
        let age = instant.millisecondsSinceEpoch - signingTime.millisecondsSinceEpoch
        guard abs(age) > windowSeconds * 1000 else { return }
        throw age > 0
            ? .stale(signingTime: signingTime, transaction: instant, windowSeconds: windowSeconds)
            : .fromTheFuture(signingTime: signingTime, transaction: instant, windowSeconds: windowSeconds)
    }

    /// Step `publicKeyHash`.
    private func chooseKey(for token: PaymentToken, into report: inout TokenReport) -> PaymentProcessingKey? {
        guard !keys.isEmpty else {
            report[.publicKeyHash] = .skipped(.noKey)
            return nil
        }
        return report.take(.publicKeyHash) { () throws(TokenRefusal) in
            if let key = keys.first(where: { $0.publicKeyHash == token.publicKeyHash }) { return key }
            let own = keys.filter { $0.tokenVersion == token.version }
            guard !own.isEmpty else { throw .noKeyOfVersion(token.version) }
            throw .publicKeyUnknown(
                hash: Base64.encoded(token.publicKeyHash), own: own.map { Base64.encoded($0.publicKeyHash) },
                token.version)
        }
    }

    /// Steps `symmetricKey`, `decrypt` and `paymentData`.
    private func decrypt(_ token: PaymentToken, with key: PaymentProcessingKey, into report: inout TokenReport) {
        report[.decrypt] = .skipped(.needs(.symmetricKey))
        report[.paymentData] = .skipped(.needs(.decrypt))
        let restored = report.take(.symmetricKey) { () throws(TokenRefusal) in
            try key.symmetricKey(from: token.keyMaterial)
        }
        guard let restored else { return }
        guard let symmetricKey = restored else {
            report[.symmetricKey] = .skipped(.noMerchantIdentifier)
            return
        }
        let decrypted = report.take(.decrypt) { () throws(TokenRefusal) in
            // A constant IV is safe because each token has its own key.
            do {
                return try AESGCM.open(token.data, key: symmetricKey, iv: [UInt8](repeating: 0, count: 16))
            } catch {
                throw .notAuthentic
            }
        }
        guard let plaintext = decrypted else { return }
        report.paymentData = report.take(.paymentData) { () throws(TokenRefusal) in
            try plaintext.withUnsafeBytes { (bytes) throws(TokenRefusal) in try PaymentData(json: bytes) }
        }
        if let paymentData = report.paymentData { report.notes += paymentData.notesOnAmounts }
    }
}

extension TokenReport {
    /// The first of `steps` that did not pass; nil if all passed.
    fileprivate func firstNotPassed(of steps: [TokenStep]) -> TokenStep? { steps.first { self[$0] != .passed } }
}
