public import ApplePay

/// Carries out what merchants ask for.
public struct Gateway: Sendable {
    /// How often a decision is made anew because another transaction on the order got in first.
    static let attemptsMax = 64

    private let store: any PaymentStore
    private let acquirer: any Acquirer
    private let key: InstallationKey
    private let references: ReferenceNumbers

    /// A gateway that keeps its orders in `store`.
    public init(
        store: any PaymentStore, acquirer: any Acquirer, key: InstallationKey, references: ReferenceNumbers = .random
    ) {
        self.store = store
        self.acquirer = acquirer
        self.key = key
        self.references = references
    }

    /// Carries out an operation, once for each transaction: the same request has the same answer ever after.
    ///
    /// - Returns: the transaction with the order as it stood right after it, durable.
    public func perform(_ command: Command, at instant: Instant) async throws(Refusal) -> Transaction {
        guard case .authorize(let authorize) = command else { throw .unknownOrder }
        return try await perform(authorize, at: instant)
    }

    private func perform(_ command: Authorize, at instant: Instant) async throws(Refusal) -> Transaction {
        let fingerprint = key.fingerprint(ofParameters: command.instruction.parameters)
        var opened: Credential?
        for _ in 0..<Self.attemptsMax {
            let remembered = try await recall(command.instruction.transaction, of: command.instruction.key)
            if let answered = remembered.transaction { return try answered.answer(to: fingerprint) }
            let credential = if let opened { opened } else { try open(command, at: instant) }
            opened = credential
            let authorization = try Order.authorize(command, on: remembered.order)
            let reply = acquirer.answer(authorization.acquirerCommand(payingWith: credential.card))
            let transaction = authorization.settled(
                reply, paidWith: credential.card, references: references, at: instant)
            switch try await commit(transaction, fingerprint, credential) {
            case .committed: return transaction
            case .transactionExists, .orderMoved: continue
            case .tokenCredited: throw .tokenAlreadyCredited
            case .tokenPresentedElsewhere: throw .tokenPresentedForAnotherOrder
            }
        }
        throw .orderBusy
    }

    /// A transaction as it was answered, and its order as it stands now.
    public func retrieve(
        _ transaction: TransactionID, of order: OrderKey
    ) async throws(Refusal) -> (transaction: Transaction, order: Order) {
        let remembered = try await recall(transaction, of: order)
        guard let current = remembered.order else { throw .unknownOrder }
        guard let recorded = remembered.transaction else { throw .unknownTransaction }
        return (recorded.transaction, current)
    }

    /// An order as it stands now with its transactions, oldest first.
    public func retrieve(_ order: OrderKey) async throws(Refusal) -> OrderHistory {
        let history: OrderHistory?
        do { history = try await store.history(of: order) } catch { throw .storeUnavailable(error) }
        guard let history else { throw .unknownOrder }
        return history
    }
}

extension TransactionDetails {
    /// What a token that pays an order of `amount` must have been made for.
    fileprivate init(_ amount: Amount) {
        self.init(currencyCode: amount.currency.numericCode, amountMinorUnits: amount.minorUnits)
    }
}

/// A card with the token that it came in, if it did.
private struct Credential {
    let card: Card
    /// The HMAC of the token's identifier.
    let tokenDigest: [UInt8]?
}

extension Gateway {
    private func recall(
        _ transaction: TransactionID, of order: OrderKey
    ) async throws(Refusal) -> Recollection {
        do { return try await store.recall(transaction, of: order) } catch { throw .storeUnavailable(error) }
    }

    private func open(_ command: Authorize, at instant: Instant) throws(Refusal) -> Credential {
        switch command.sourceOfFunds {
        case .card(let card): return Credential(card: card, tokenDigest: nil)
        case .applePayToken(let token):
            guard let opener = command.instruction.merchant.applePay else { throw .applePayNotConfigured }
            let report = opener.open(token, at: instant, expecting: TransactionDetails(command.amount))
            guard let opened = report.opened else { throw .tokenRefused(report) }
            return Credential(card: Card(opened.paymentData), tokenDigest: key.digest(of: opened.transactionId))
        }
    }

    private func commit(
        _ transaction: Transaction, _ fingerprint: [UInt8], _ credential: Credential
    ) async throws(Refusal) -> CommitOutcome {
        let token = credential.tokenDigest.map {
            TokenUse(digest: $0, isCredited: transaction.gatewayCode.mayHaveMovedMoney)
        }
        let commit = Commit(transaction: transaction, fingerprint: fingerprint, token: token)
        do { return try await store.commit(commit) } catch { throw .storeUnavailable(error) }
    }
}

extension RecordedTransaction {
    /// The answer that was given, if the request is the one that was answered.
    fileprivate func answer(to fingerprint: [UInt8]) throws(Refusal) -> Transaction {
        guard self.fingerprint == fingerprint else { throw .parametersDiffer }
        return transaction
    }
}

extension Authorization {
    /// What is passed on to the acquirer.
    fileprivate func acquirerCommand(payingWith card: Card) -> AcquirerCommand {
        AcquirerCommand(
            operation: command.operation.paymentOperation, order: command.instruction.key,
            transaction: command.instruction.transaction, amount: command.amount,
            brand: CardBrand(card.accountNumber), card: card)
    }
}
