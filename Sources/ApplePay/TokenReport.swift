public import Values

/// What came of a payment token, step by step.
public struct TokenReport: Sendable {
    /// What came of one step.
    public enum Outcome: Equatable, Sendable {
        /// The step's demand is met.
        case passed
        /// The step refuses the token.
        case failed(TokenRefusal)
        /// The step was not taken.
        case skipped(Skip)
    }

    /// Why a step was not taken.
    public enum Skip: Equatable, Sendable {
        /// It needs what this step, which failed or was skipped itself, would have given.
        case needs(TokenStep)
        /// No key of the merchant was given.
        case noKey
        /// Neither the merchant identifier nor a certificate with its hash was given.
        case noMerchantIdentifier
        /// No order was given to compare with.
        case noOrder
        /// Only a gateway with a store knows which tokens were used.
        case noStore
    }

    /// The outcome of each step, in the order of ``TokenStep``.
    public private(set) var outcomes: [Outcome]
    /// The token's version as it was read, if it was.
    public internal(set) var version: String?
    /// Who signed, as far as it was found out.
    public internal(set) var signer: Signer?
    /// The token's transaction id, if it was read.
    public internal(set) var transactionId: TransactionIdentifier?
    /// What was decrypted, whether or not later steps passed: for a report, never for a payment.
    public internal(set) var paymentData: PaymentData?
    /// What was noticed beside the steps, each as one sentence without secrets: it refuses nothing by itself.
    public internal(set) var notes: [String] = []
    /// `header.applicationData` of the token, if it was read and has any.
    var applicationData: [UInt8]?

    /// Who signed a token.
    public struct Signer: Sendable {
        /// The common name of the signer's certificate, as ``Printable`` shows it: anyone may have chosen it.
        public let commonName: String
        /// The signing time.
        public let signingTime: Instant
        /// Where the signer stands, known once the chain is verified.
        public let environment: Environment?
    }

    /// Where a signer stands.
    public enum Environment: String, Sendable {
        /// Apple, for real cards.
        case production
        /// Apple, for test cards.
        case sandbox
        /// A root made on this machine or named by the user.
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

    /// The first step's refusal, in the order of the steps; nothing if none failed.
    public var refusal: TokenRefusal? {
        for case .failed(let refusal) in outcomes { return refusal }
        return nil
    }

    /// The decrypted token, if it was decrypted and no step failed.
    public var opened: OpenedToken? {
        guard refusal == nil, let paymentData, let transactionId else { return nil }
        return OpenedToken(paymentData: paymentData, transactionId: transactionId)
    }

    /// The same report with the step that only a store can take.
    ///
    /// - Parameter refusal: why the store refuses the token, of the step ``TokenStep/replay``.
    public func refused(_ refusal: TokenRefusal) -> TokenReport {
        precondition(refusal.step == .replay, "every other step is the opener's")
        var report = self
        report[.replay] = .failed(refusal)
        return report
    }

    /// The same report with the step ``TokenStep/transactionDetails`` taken, for a token that was opened without an order
    /// to compare with, as it says itself what the order is.
    public func compared(with order: TransactionDetails) -> TokenReport {
        precondition(self[.transactionDetails] == .skipped(.noOrder), "a token is compared once")
        var report = self
        report.compare(with: order)
        return report
    }

    /// Takes the step `transactionDetails`. Application data stands in the header, so it is compared even without decryption.
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
        // Of a token that is refused the refusal says what matters.
        if refusal == nil, order.applicationData == .notCompared, applicationData != nil {
            notes.append(
                "The token has applicationData, which was not compared: the merchant's setting applicationData is any.")
        }
        if isSame, paymentData == nil { self[.transactionDetails] = .skipped(.needs(.paymentData)) }
    }

    /// Takes a step that the ones before it allow: its result, or nothing with the refusal noted.
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

    /// Takes a step that yields nothing but its outcome: true if it passed.
    mutating func passes(_ step: TokenStep, _ body: () throws(TokenRefusal) -> Void) -> Bool {
        let result: Void? = take(step, body)
        return result != nil
    }
}

/// A token that was judged and decrypted without a failure.
public struct OpenedToken: Sendable {
    /// What to pay with.
    public let paymentData: PaymentData
    /// What the payment is recognised by, should the token come again.
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
