internal import ApplePay

extension Order {
    /// Decides whether an AUTHORIZE or PAY is lawful on an order, or on none. Reads no clock, store or network.
    ///
    /// A failed order may be tried again under a new transaction, in its currency; the amount may differ, and the new one
    /// becomes the order's, since nothing of the old one was authorized.
    static func authorize(_ command: Authorize, on order: Order?) throws(Refusal) -> Authorization {
        guard command.instruction.merchant.accepts(command.amount.currency) else {
            throw .currencyNotAccepted(command.amount.currency)
        }
        guard command.amount.minorUnits > 0 else { throw .amountNotPositive }
        if let order {
            guard order.status.awaitsAuthorization else { throw .orderNotAwaitingAuthorization(order.status) }
            guard order.currency == command.amount.currency else { throw .currencyDiffers(order: order.currency) }
        }

        // From here on the command is lawful; only the acquirer can still decline it.
        return Authorization(command: command, orderBefore: order)
    }
}

/// A lawful AUTHORIZE or PAY.
struct Authorization {
    let command: Authorize
    let orderBefore: Order?

    /// The transaction that an acquirer's reply makes of it, with the order as it stands then.
    func settled(
        _ reply: AcquirerReply, paidWith card: Card, references numbers: ReferenceNumbers, at instant: Instant
    ) -> Transaction {
        precondition(reply.approvedMinorUnits <= command.amount.minorUnits, "no acquirer approves more than asked for")
        let traceAuditNumber = numbers.systemTraceAuditNumber()
        precondition((1...999_999).contains(traceAuditNumber), "a system trace audit number has one to six digits")
        // A clock may be set back between two attempts; an order's times never run backwards.
        let time = max(instant, orderBefore?.lastUpdatedTime ?? instant)
        let acquirer = AcquirerRecord(
            reply, transactionID: reply.acquirerCode.map { _ in String(numbers.acquirerTransactionID()) }, at: time)
        return Transaction(
            id: command.instruction.transaction, type: command.operation.transactionType, amount: command.amount,
            approvedMinorUnits: reply.approvedMinorUnits, targetTransactionID: nil, result: reply.result,
            gatewayCode: reply.gatewayCode, recommendation: reply.recommendation, acquirer: acquirer,
            authorizationResponse: AuthorizationResponse(
                reply.constants, acquirer, systemTraceAuditNumber: traceAuditNumber, at: time),
            references: TransactionReferences(
                systemTraceAuditNumber: traceAuditNumber, isApproved: reply.gatewayCode.isApproval, at: time),
            source: command.instruction.source ?? .internet, authenticationStatus: .notInEffect, timeOfRecord: time,
            card: CardSummary(card, fundingAccount: reply.fundingAccount), particulars: command.instruction.particulars,
            order: order(after: reply, at: time))
    }

    private func status(after reply: AcquirerReply) -> OrderStatus {
        guard reply.gatewayCode.isApproval else { return reply.orderStatusUnlessApproved }
        return switch command.operation {
        case .authorize: .authorized
        case .pay: .captured
        }
    }

    private func order(after reply: AcquirerReply, at time: Instant) -> Order {
        let captured =
            switch command.operation {
            case .authorize: Int64(0)
            case .pay: reply.approvedMinorUnits
            }
        return Order(
            key: command.instruction.key, amount: command.amount, status: status(after: reply),
            totals: OrderTotals(authorizedMinorUnits: reply.approvedMinorUnits, capturedMinorUnits: captured),
            creationTime: orderBefore?.creationTime ?? time, lastUpdatedTime: time,
            walletProvider: command.walletProvider, authenticationStatus: .notInEffect,
            version: (orderBefore?.version ?? 0) + 1)
    }
}

extension AcquirerRecord {
    /// What an acquirer's reply leaves in a transaction of `time`.
    init(_ reply: AcquirerReply, transactionID: String?, at time: Instant) {
        let fields = time.fields
        self.init(
            id: reply.identity.id, merchantID: reply.identity.merchantID, terminal: reply.identity.terminal,
            merchantCategoryCode: reply.identity.merchantCategoryCode,
            batch: fields.year * 10_000 + fields.month * 100 + fields.day, date: time.monthAndDay,
            transactionID: transactionID, code: reply.acquirerCode, message: reply.acquirerMessage,
            cardSecurityCode: reply.cardSecurityCode)
    }
}

extension AuthorizationResponse {
    /// The scheme's answer, or nothing where no acquirer answered.
    init?(
        _ constants: AuthorizationConstants, _ acquirer: AcquirerRecord, systemTraceAuditNumber: Int, at time: Instant
    ) {
        guard let code = acquirer.code, let transactionID = acquirer.transactionID else { return nil }
        let fields = time.fields
        self.init(
            responseCode: code, date: time.monthAndDay,
            time: fields.hour.padded(to: 2) + fields.minute.padded(to: 2) + fields.second.padded(to: 2),
            stan: String(systemTraceAuditNumber), transactionIdentifier: transactionID, constants: constants)
    }
}

extension TransactionReferences {
    /// References as the real gateway's test acquirers make them, measured on recorded exchanges: the receipt is the
    /// last digit of the UTC year, the day of the year, the hour and the trace audit number, and the authorization code
    /// is the trace audit number.
    init(systemTraceAuditNumber: Int, isApproved: Bool, at time: Instant) {
        let fields = time.fields
        let padded = systemTraceAuditNumber.padded(to: 6)
        self.init(
            systemTraceAuditNumber: systemTraceAuditNumber,
            receipt: String(fields.year % 10) + fields.dayOfYear.padded(to: 3) + fields.hour.padded(to: 2) + padded,
            authorizationCode: isApproved ? padded : nil)
    }
}

extension Instant {
    /// `MMDD` in UTC.
    fileprivate var monthAndDay: String { fields.month.padded(to: 2) + fields.day.padded(to: 2) }
}
