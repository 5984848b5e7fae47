internal import JSON
internal import Values
internal import Vault

extension Decision {
    /// The transaction that results from a valid operation and the acquirer's reply, with the order's state after it.
    ///
    /// - Parameter sealing: the keys that seal the name on a card, and account numbers for merchants that may see
    ///   them.
    /// - Parameter accountToken: the token that represents the paying account, if there is one.
    func settled(
        _ reply: AcquirerReply, references numbers: ReferenceNumbers, sealing keys: KeyRing,
        accountToken: String? = nil, at instant: Instant
    ) -> Transaction {
        let approved = approvedMinorUnits(reply)
        let traceAuditNumber = numbers.systemTraceAuditNumber()
        precondition((1...999_999).contains(traceAuditNumber), "a system trace audit number has one to six digits")
        // The clock may be set back between two transactions; an order's times never decrease.
        let time = max(instant, orderBefore?.lastUpdatedTime ?? instant)
        let kept = keptParticulars
        let acquirer = AcquirerRecord(
            reply, transactionID: reply.acquirerCode.map { _ in String(numbers.acquirerTransactionID()) }, at: time,
            cardSecurityCode: reply.cardSecurityCode ?? target?.acquirer.cardSecurityCode,
            addressVerification: reply.addressVerification ?? target?.acquirer.addressVerification,
            apiCodes: reply.apiCodes)
        return Transaction(
            id: instruction.transaction, type: type, amount: amount, approvedMinorUnits: approved,
            targetTransactionID: target?.id, result: reply.result, gatewayCode: reply.gatewayCode,
            recommendation: reply.recommendation, acquirer: acquirer,
            authorizationResponse: AuthorizationResponse(
                reply.constants, acquirer, systemTraceAuditNumber: traceAuditNumber, at: time),
            references: TransactionReferences(
                systemTraceAuditNumber: traceAuditNumber, isApproved: reply.gatewayCode.isApproval, at: time),
            source: instruction.source ?? target?.source ?? .internet, authenticationStatus: authenticationStatus,
            timeOfRecord: time, card: card(reply, accountToken, sealing: keys),
            particulars: keys.sealed(particulars: kept.particulars, of: instruction.key),
            order: order(
                after: reply, approvedMinorUnits: approved, at: time, particularsByteCount: kept.orderByteCount))
    }

    /// The approved amount. A void cancels its target in full, even if the acquirer names a part.
    private func approvedMinorUnits(_ reply: AcquirerReply) -> Int64 {
        guard reply.gatewayCode.isApproval else { return 0 }
        if type.isVoid { return amount.minorUnits }
        precondition(reply.approvedMinorUnits <= amount.minorUnits, "no acquirer approves more than asked for")
        precondition(reply.approvedMinorUnits > 0 || type == .verification, "an approval is of an amount")
        return reply.approvedMinorUnits
    }

    private var authenticationStatus: AuthenticationStatus? {
        switch funds {
        case .presented: .notInEffect
        case .recorded(let transaction): transaction.authenticationStatus
        }
    }

    private func card(_ reply: AcquirerReply, _ accountToken: String?, sealing keys: KeyRing) -> CardSummary {
        switch funds {
        case .presented(let card, _):
            let numbers = AccountNumbers(card, fundingAccount: reply.fundingAccount)
            let isSealed = instruction.merchant.privileges.contains(.unmaskSensitiveData)
            return CardSummary(
                card, fundingAccount: reply.fundingAccount,
                sealedNumbers: isSealed ? keys.seal(numbers, of: instruction.key) : nil,
                sealedName: card.nameOnCard.map { keys.seal(nameOnCard: $0, of: instruction.key) },
                issuer: reply.issuer, accountToken: accountToken)
        case .recorded(let transaction): return transaction.card
        }
    }

    private func order(
        after reply: AcquirerReply, approvedMinorUnits approved: Int64, at time: Instant, particularsByteCount: Int64
    ) -> Order {
        let before = orderBefore?.totals ?? OrderTotals()
        let isApproved = reply.gatewayCode.isApproval
        let totals = isApproved ? before.after(type, approvedMinorUnits: approved) : before
        return Order(
            key: instruction.key, amount: orderAmount(isApproved), status: status(totals, after: reply), totals: totals,
            creationTime: orderBefore?.creationTime ?? time, lastUpdatedTime: time, walletProvider: walletProvider,
            authenticationStatus: authenticationStatus, version: (orderBefore?.version ?? 0) + 1,
            particularsByteCount: particularsByteCount)
    }

    /// The order's amount: that of the latest request that presented a card, or of a later approved update.
    private func orderAmount(_ isApproved: Bool) -> Amount {
        guard let orderBefore, case .recorded = funds else { return amount }
        return isApproved && type == .authorizationUpdate ? amount : orderBefore.amount
    }

    /// The order's new status. A declined capture, refund, update or void doesn't change it.
    private func status(_ totals: OrderTotals, after reply: AcquirerReply) -> OrderStatus {
        if reply.gatewayCode.isApproval { return type == .verification ? .verified : totals.status }
        if let orderBefore, case .recorded = funds { return orderBefore.status }
        return reply.orderStatusUnlessApproved
    }

    private var walletProvider: WalletProvider? {
        switch funds {
        case .presented(_, let walletProvider): walletProvider
        case .recorded: orderBefore?.walletProvider
        }
    }
}

extension AcquirerRecord {
    /// Creates the `transaction.acquirer` of a transaction at `time` from the acquirer's reply.
    init(
        _ reply: AcquirerReply, transactionID: String?, at time: Instant, cardSecurityCode: CardSecurityCodeResult?,
        addressVerification: AddressVerificationResult?, apiCodes: JSONObject?
    ) {
        let fields = time.fields
        self.init(
            id: reply.identity.id, merchantID: reply.identity.merchantID, terminal: reply.identity.terminal,
            merchantCategoryCode: reply.identity.merchantCategoryCode,
            batch: fields.year * 10_000 + fields.month * 100 + fields.day, date: time.monthAndDay,
            transactionID: transactionID, code: reply.acquirerCode, message: reply.acquirerMessage,
            cardSecurityCode: cardSecurityCode, addressVerification: addressVerification, apiCodes: apiCodes)
    }
}

extension AuthorizationResponse {
    /// Creates the `authorizationResponse` of the scheme; nil if no acquirer answered.
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
    /// Creates references in the form that the real gateway's test acquirers use, as recorded exchanges show. The
    /// receipt consists of the last digit of the year, the day of the year, the hour (all in UTC) and the trace audit
    /// number. The authorization code is the trace audit number.
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
