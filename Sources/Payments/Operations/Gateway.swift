internal import ApplePay
public import Values
public import Vault

/// Performs the operations that merchants request.
public struct Gateway: Sendable {
    /// The maximum number of times that an operation is decided again because another transaction on the order was
    /// committed first.
    static let attemptsMax = 64

    private let store: any PaymentStore
    private let acquirer: any Acquirer
    private let keys: KeyRing
    private let references: ReferenceNumbers
    private let report: @Sendable (StoreFailure) -> Void
    private let inFlight = OperationsInFlight()
    let largeOrders = LargeOrders()

    /// Creates a gateway that keeps its orders in `store`.
    ///
    /// - Parameters:
    ///   - keys: the keys for fingerprints of requests and tokens, and for sealing card data that replies show again.
    ///   - report: receives sealed values that can't be opened; the store reports its own failures.
    public init(
        store: any PaymentStore, acquirer: any Acquirer, keys: KeyRing, references: ReferenceNumbers = .random,
        report: @escaping @Sendable (StoreFailure) -> Void = { _ in }
    ) {
        self.store = store
        self.acquirer = acquirer
        self.keys = keys
        self.references = references
        self.report = report
    }

    /// Performs an operation, once for each transaction: a repeated request gets the same reply.
    ///
    /// The steps are: look up the transaction, open the token, decide, ask the acquirer, commit. If another
    /// transaction on the order was committed in the meantime, the gateway looks up and decides again. If the new
    /// decision has another target, or voids another amount, the acquirer's reply is still used.
    ///
    /// - Parameter stages: records the end of each stage.
    /// - Returns: the transaction with the order's state right after it, both durable.
    public func perform(
        _ command: Command, at instant: Instant, timing stages: borrowing StageClock = StageClock()
    ) async throws(Refusal) -> Transaction {
        let instruction = command.instruction
        let fingerprint = keys.recognition.fingerprint(ofParameters: instruction.parameters)
        var visit = inFlight.arrive(at: instruction.transactionKey)
        defer { inFlight.leave(visit) }
        var asked: Asked?
        defer { if let asked { acquirer.conclude(asked.command, isCommitted: asked.isCommitted) } }
        var opening: Result<Credential?, Refusal>?
        var commitExtension = instruction.commitExtension
        for _ in 0..<Self.attemptsMax {
            let remembered = try await lookUp(command, at: instant, opening: &opening, stages)
            if let answered = remembered.transaction { return try named(answered.answer(to: fingerprint)) }
            let credential = try opening?.get()
            let decided = try await decide(command, presenting: credential?.card, on: remembered.order, stages)
            guard let decision = decided else { continue }
            let held = try await items(of: commitExtension, with: credential?.card)
            let reply: AcquirerReply
            if let asked {
                reply = asked.reply
            } else {
                guard await inFlight.hold(&visit) else { continue }

                // The point of no return: the operation is valid, and the acquirer is asked, once.
                let command = decision.acquirerCommand
                reply = await acquirer.answer(command)
                asked = Asked(command: command, reply: reply)
            }
            let transaction = decision.settled(
                reply, references: references, sealing: keys, accountToken: held.accountToken, at: instant)
            // A transaction whose reply can't be created must not be committed.
            let answer = try named(transaction)
            stages.end(.decide)
            switch try await commit(transaction, fingerprint, credential, held.items, stages) {
            case .committed:
                asked?.isCommitted = true
                return answer
            case .transactionExists, .orderMoved: continue
            case .tokenCredited: throw .refused(credential, .alreadyCredited)
            case .tokenPresentedElsewhere: throw .refused(credential, .presentedForAnotherOrder)
            case .itemMoved: commitExtension = try await renewed(commitExtension)
            case .groupFull(let group):
                guard let commitExtension else { preconditionFailure("only an extension writes items of groups") }
                throw .storeUnavailable(commitExtension.failure(ofFull: group))
            }
        }
        throw .orderBusy
    }

    /// The transaction of a request that has been answered before; nil if it has not. For callers that must check
    /// this before they read resources to which the request refers, which may have been deleted since.
    public func answer(
        to parameters: SecretText, as transaction: TransactionID, of order: OrderKey,
        timing stages: borrowing StageClock = StageClock()
    ) async throws(Refusal) -> Transaction? {
        let remembered = try await recall(transaction, of: order, stages)
        guard let answered = remembered.transaction else { return nil }
        return try named(answered.answer(to: keys.recognition.fingerprint(ofParameters: parameters)))
    }

    /// A transaction as it was in the reply, with its order's current state.
    public func retrieve(
        _ transaction: TransactionID, of order: OrderKey, timing stages: borrowing StageClock = StageClock()
    ) async throws(Refusal) -> (transaction: Transaction, order: Order) {
        let remembered = try await recall(transaction, of: order, stages)
        guard let current = remembered.order else { throw .unknownOrder }
        guard let recorded = remembered.transaction else { throw .unknownTransaction }
        return (try named(recorded.transaction), current)
    }

    /// A transaction with account numbers unmasked, for replies only, never to be stored. It is unchanged if its
    /// merchant was not permitted to see account numbers when it was created.
    ///
    /// The caller decides who may see the account numbers.
    public func unmasked(_ transaction: Transaction) throws(Refusal) -> Transaction {
        guard let sealed = transaction.card.sealedNumbers else { return transaction }
        do throws(SealingFault) {
            let numbers = try keys.accountNumbers(sealed, of: transaction.order.key)
            return transaction.showing(transaction.card.unmasked(numbers))
        } catch {
            throw damage("sealed account numbers: \(error)")
        }
    }

    /// An order's current state with its transactions, oldest first.
    public func retrieve(
        _ order: OrderKey, timing stages: borrowing StageClock = StageClock()
    ) async throws(Refusal) -> OrderHistory {
        let history = try await history(of: order, stages)
        var transactions: [Transaction] = []
        for transaction in history.transactions { transactions.append(try named(transaction)) }
        return OrderHistory(order: history.order, transactions: transactions)
    }
}

/// A command with the acquirer's reply, and whether the transaction was committed.
private struct Asked {
    let command: AcquirerCommand
    let reply: AcquirerReply
    var isCommitted = false
}

/// A card; with a device payment, also the fingerprints by which its token is recognised.
private struct Credential {
    let card: Card
    let marks: DevicePaymentMarks?
    /// The report on the card's payment token, if it was in one.
    var report: TokenReport?
}

extension Refusal {
    /// The refusal for a credential that the store refuses.
    fileprivate static func refused(_ credential: Credential?, _ refusal: TokenRefusal) -> Refusal {
        credential?.report.map { .tokenRefused($0.refused(refusal)) } ?? .cryptogramUsed
    }
}

extension Gateway {
    /// Looks up a command's transaction, and opens the command's card or token unless that was done before. A token
    /// is opened while the store is being read.
    private func lookUp(
        _ command: Command, at instant: Instant, opening: inout Result<Credential?, Refusal>?,
        _ stages: borrowing StageClock
    ) async throws(Refusal) -> Recollection {
        let (transaction, order) = (command.instruction.transaction, command.instruction.key)
        guard opening == nil, case .applePayToken = command.sourceOfFunds else {
            if opening == nil { opening = opened(command, at: instant, stages) }
            return try await recall(transaction, of: order, stages)
        }
        async let recalled = recollection(of: transaction, of: order)
        opening = opened(command, at: instant, stages)
        let recollection = await recalled
        stages.end(.recall)
        return try recollection.get()
    }

    private func recall(
        _ transaction: TransactionID, of order: OrderKey, _ stages: borrowing StageClock
    ) async throws(Refusal) -> Recollection {
        defer { stages.end(.recall) }
        return try await recollection(of: transaction, of: order).get()
    }

    private func recollection(
        of transaction: TransactionID, of order: OrderKey
    ) async -> Result<Recollection, Refusal> {
        do throws(StoreFailure) { return .success(try await store.recall(transaction, of: order)) } catch {
            return .failure(.storeUnavailable(error))
        }
    }

    private func history(of order: OrderKey, _ stages: borrowing StageClock) async throws(Refusal) -> OrderHistory {
        defer { stages.end(.recall) }
        let history: OrderHistory?
        do { history = try await store.history(of: order) } catch { throw .storeUnavailable(error) }
        guard let history else { throw .unknownOrder }
        return history
    }

    /// An order's current state; nil if there is none.
    func order(_ order: OrderKey, _ stages: borrowing StageClock) async throws(Refusal) -> Order? {
        guard let any = try? TransactionID("0") else { preconditionFailure("a built-in identifier is valid") }
        return try await recall(any, of: order, stages).order
    }

    private func ledger(of order: OrderKey, _ stages: borrowing StageClock) async throws(Refusal) -> OrderLedger {
        defer { stages.end(.recall) }
        let ledger: OrderLedger?
        do { ledger = try await store.ledger(of: order) } catch { throw .storeUnavailable(error) }
        guard let ledger else { throw .unknownOrder }
        return ledger
    }

    /// A transaction with its sealed fields and the name on its card in plaintext, for replies only, never to be
    /// stored.
    private func named(_ transaction: Transaction) throws(Refusal) -> Transaction {
        let transaction = try repeating(transaction)
        guard let sealed = transaction.card.sealedName else { return transaction }
        do throws(SealingFault) {
            var card = transaction.card
            card.nameOnCard = try keys.nameOnCard(sealed, of: transaction.order.key)
            return transaction.showing(card)
        } catch {
            throw damage("sealed name on card: \(error)")
        }
    }

    private func repeating(_ transaction: Transaction) throws(Refusal) -> Transaction {
        do throws(SealingFault) {
            let particulars = try keys.opened(particulars: transaction.particulars, of: transaction.order.key)
            return particulars == transaction.particulars
                ? transaction : transaction.showing(transaction.card, particulars: particulars)
        } catch {
            throw damage("sealed authentication token: \(error)")
        }
    }

    /// The stored value was altered. The operator must be told, because the store has reported no failure.
    private func damage(_ detail: String) -> Refusal {
        let failure = StoreFailure.damaged(detail: detail)
        report(failure)
        return .storeUnavailable(failure)
    }

    /// The card in a request, if there is one, or the reason for its refusal.
    private func opened(
        _ command: Command, at instant: Instant, _ stages: borrowing StageClock
    ) -> Result<Credential?, Refusal> {
        do throws(Refusal) {
            try command.checkPrivileges()
            return .success(try open(command, at: instant, stages))
        } catch { return .failure(error) }
    }

    private func open(
        _ command: Command, at instant: Instant, _ stages: borrowing StageClock
    ) throws(Refusal) -> Credential? {
        defer { stages.end(.open) }
        switch command.sourceOfFunds {
        case nil: return nil
        case .card(let card): return Credential(card: card, marks: DevicePaymentMarks(card, keys.recognition))
        case .applePayToken(let token):
            let merchant = command.instruction.merchant
            guard let opener = merchant.applePay else { throw .applePayNotConfigured }
            let details = try merchant.tokenMatching.details(of: command)
            return try credential(opener.open(token, at: instant, expecting: details), command.instruction)
        case .openedApplePayToken(let report):
            let details = try command.instruction.merchant.tokenMatching.details(of: command)
            return try credential(report.compared(with: details), command.instruction)
        }
    }

    private func credential(_ report: TokenReport, _ instruction: Instruction) throws(Refusal) -> Credential {
        instruction.noting(report.notes)
        guard let opened = report.opened else { throw .tokenRefused(report) }
        let payee = instruction.merchant.tokenMatching.payee
        return Credential(
            card: Card(opened.paymentData, of: payee),
            marks: DevicePaymentMarks(opened, of: payee, keys.recognition), report: report)
    }

    private func items(
        of commitExtension: (any CommitExtension)?, with card: Card?
    ) async throws(Refusal) -> ExtensionItems {
        guard let commitExtension else { return .none }
        do throws(StoreFailure) { return try await commitExtension.items(with: card) } catch {
            throw .storeUnavailable(error)
        }
    }

    /// Creates the extension again after another commit has written or removed one of its items.
    private func renewed(_ commitExtension: (any CommitExtension)?) async throws(Refusal) -> (any CommitExtension)? {
        guard let commitExtension else { return nil }
        do throws(StoreFailure) {
            if let renewed = try await commitExtension.renewed() { return renewed }
        } catch {
            throw .storeUnavailable(error)
        }
        throw .parametersDiffer
    }

    /// Decides a command. A command that presents a card needs only the order's state, any other command also the
    /// order's transactions.
    ///
    /// - Returns: the decision; nil if the transaction was committed after the look-up: then a concurrent retry of
    ///   the request was faster, and its effects must not count against this request.
    private func decide(
        _ command: Command, presenting card: Card?, on order: Order?, _ stages: borrowing StageClock
    ) async throws(Refusal) -> Decision? {
        defer { stages.end(.decide) }
        switch (command, card) {
        case (.authorize(let command), let card?): return try Decision.authorize(command, payingWith: card, on: order)
        case (.verify(let command), let card?): return try Decision.verify(command, of: card, on: order)
        case (.refund(let command), let card?): return try Decision.refund(command, to: card, on: order)
        case (.authorize, nil), (.verify, nil): preconditionFailure("the command has a source of funds")
        default: break
        }
        let key = command.instruction.key
        let ledger = try Ledger(try await self.ledger(of: key, stages))
        guard ledger[command.instruction.transaction] == nil else { return nil }
        let decision = try ledger.decide(command)
        // If the target doesn't exist, the order was removed in the meantime.
        guard let target = try await recall(decision.target, of: key, stages).transaction else { return nil }
        return decision.building(on: target.transaction)
    }

    private func commit(
        _ transaction: Transaction, _ fingerprint: [UInt8], _ credential: Credential?, _ items: [HeldItem],
        _ stages: borrowing StageClock
    ) async throws(Refusal) -> CommitOutcome {
        defer { stages.end(.commit) }
        let commit = Commit(
            transaction: transaction, fingerprint: fingerprint, token: credential?.marks?.use(by: transaction),
            items: items)
        do { return try await store.commit(commit) } catch { throw .storeUnavailable(error) }
    }
}

extension RecordedTransaction {
    /// The transaction, if its request had the same parameters.
    fileprivate func answer(to fingerprint: [UInt8]) throws(Refusal) -> Transaction {
        guard self.fingerprint == fingerprint else { throw .parametersDiffer }
        return transaction
    }
}
