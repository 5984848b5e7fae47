public import Values

/// The result of checking a payment token, step by step.
public struct TokenReport: Sendable {
    /// The outcome of one step.
    public enum Outcome: Equatable, Sendable {
        /// The step's requirement is met.
        case passed
        /// The step refuses the token.
        case failed(TokenRefusal)
        /// The step was skipped.
        case skipped(Skip)
    }

    /// Why a step was skipped.
    public enum Skip: Equatable, Sendable {
        /// The step needs the result of another step, which failed or was skipped.
        case needs(TokenStep)
        /// No key of the merchant was given.
        case noKey
        /// Neither the merchant identifier nor a certificate with its hash was given.
        case noMerchantIdentifier
        /// No order was given for comparison.
        case noOrder
        /// Only a gateway with a store knows which tokens were used.
        case noStore
    }

    /// The outcome of each step, in the order of ``TokenStep``.
    public private(set) var outcomes: [Outcome]
    /// The token's version; nil if it could not be read.
    public internal(set) var version: String?
    /// The signer, as far as it was determined.
    public internal(set) var signer: Signer?
    /// The token's transaction id; nil if it could not be read.
    public internal(set) var transactionId: TransactionIdentifier?
    /// The decrypted data, even if later steps failed. For reports only, never for a payment.
    public internal(set) var paymentData: PaymentData?
    /// Observations in addition to the steps, each one sentence without secrets. They never cause a refusal.
    public internal(set) var notes: [String] = []
    /// The token's `header.applicationData`; nil if it is absent or was not read.
    var applicationData: [UInt8]?

    /// The signer of a token.
    public struct Signer: Sendable {
        /// The common name of the signer's certificate, sanitized by ``Printable``. Untrusted: the certificate's issuer
        /// chose it.
        public let commonName: String
        /// The signing time.
        public let signingTime: Instant
        /// The signer's environment; nil until the chain is verified.
        public let environment: Environment?
    }

    /// A signer's environment.
    public enum Environment: String, Sendable {
        /// Apple's production environment, for real cards.
        case production
        /// Apple's sandbox, for test cards.
        case sandbox
        /// A root made on this machine or configured by the user.
        case local
    }

    init() {
        outcomes = TokenStep.allCases.map { _ in .skipped(.needs(.parse)) }
        self[.replay] = .skipped(.noStore)
    }

    /// The outcome of one step.
    public subscript(step: TokenStep) -> Outcome {
        get { outcomes[step.position] }
        set { outcomes[step.position] = newValue }
    }

    /// The refusal of the first failed step, in the order of the steps; nil if none failed.
    public var refusal: TokenRefusal? {
        for case .failed(let refusal) in outcomes { return refusal }
        return nil
    }

    /// The decrypted token; nil if it was not decrypted or any step failed.
    public var opened: OpenedToken? {
        guard refusal == nil, let paymentData, let transactionId else { return nil }
        return OpenedToken(paymentData: paymentData, transactionId: transactionId)
    }

    /// A copy with the outcome of the step ``TokenStep/replay``, which only a store can decide.
    ///
    /// - Parameter refusal: why the store refuses the token.
    public func refused(_ refusal: TokenRefusal) -> TokenReport {
        precondition(refusal.step == .replay, "every other step is the opener's")
        var report = self
        report[.replay] = .failed(refusal)
        return report
    }

    /// A copy with one more note.
    ///
    /// - Parameter note: one sentence without secrets.
    public func adding(note: String) -> TokenReport {
        var report = self
        report.notes.append(note)
        return report
    }

    /// A copy with the outcome of the step ``TokenStep/transactionDetails``, for a token that was opened without an
    /// order. Used when the order's amount comes from the token itself.
    public func compared(with order: TransactionDetails) -> TokenReport {
        precondition(self[.transactionDetails] == .skipped(.noOrder), "a token is compared once")
        var report = self
        report.compare(with: order)
        return report
    }

    /// Runs the step `transactionDetails`. Application data is in the header, so it is compared even without
    /// decryption.
    mutating func compare(with order: TransactionDetails?) {
        guard let order else {
            self[.transactionDetails] = .skipped(.noOrder)
            return
        }
        let (applicationData, paymentData) = (applicationData, paymentData)
        let isSame = passes(.transactionDetails) { () throws(TokenRefusal) in
            try order.applicationData.check(applicationData)
            if let paymentData { try order.check(paymentData) }
        }
        // The note is omitted for a refused token, where the refusal matters more.
        if refusal == nil, order.applicationData == .notCompared, applicationData != nil {
            notes.append(
                "The token has applicationData, which was not compared, because the merchant's setting applicationData is any."
            )
        }
        if isSame, paymentData == nil { self[.transactionDetails] = .skipped(.needs(.paymentData)) }
    }

    /// Runs a step whose prerequisites are met. Returns its result, or nil after recording the refusal.
    mutating func take<Result>(
        _ step: TokenStep, _ body: () throws(TokenRefusal) -> Result
    ) -> Result? {
        do {
            let result = try body()
            self[step] = .passed
            return result
        } catch {
            self[step] = .failed(error)
            return nil
        }
    }

    /// Runs a step without a result. Returns whether it passed.
    mutating func passes(_ step: TokenStep, _ body: () throws(TokenRefusal) -> Void) -> Bool {
        let result: Void? = take(step, body)
        return result != nil
    }
}

/// A token that was verified and decrypted without a failure.
public struct OpenedToken: Sendable {
    /// The data to pay with.
    public let paymentData: PaymentData
    /// The payment's identifier, by which a replayed token is detected.
    public let transactionId: TransactionIdentifier
}

extension TokenStep {
    fileprivate var position: Int {
        switch self {
        case .parse: 0
        case .certificates: 1
        case .chain: 2
        case .signature: 3
        case .signingTime: 4
        case .publicKeyHash: 5
        case .symmetricKey: 6
        case .decrypt: 7
        case .paymentData: 8
        case .transactionDetails: 9
        case .replay: 10
        }
    }
}
