extension Ledger {
    /// Decides an operation that refers to an earlier transaction of the order.
    func decide(_ command: Command) throws(Refusal) -> LaterDecision {
        switch command {
        case .capture(let command): try capture(command)
        case .refund(let command): try refund(command)
        case .void(let command): try void(command)
        case .updateAuthorization(let command): try update(command)
        case .authorize, .verify: preconditionFailure("an order begins with it")
        }
    }

    /// Decides a CAPTURE of the order's authorization, or of a part of it.
    private func capture(_ command: Capture) throws(Refusal) -> LaterDecision {
        try checkRoom(isReversal: false)
        try command.instruction.checkRoom(in: order)
        try check(command.amount)
        guard let authorization else { throw .noAuthorization(order.status) }
        guard command.amount.minorUnits <= capturableMinorUnits else {
            throw .exceedsAuthorized(available: money(capturableMinorUnits))
        }
        return decision(.capture, command.instruction, .capture, command.amount, building: authorization)
    }

    /// Decides an UPDATE_AUTHORIZATION.
    private func update(_ command: UpdateAuthorization) throws(Refusal) -> LaterDecision {
        try checkRoom(isReversal: false)
        try command.instruction.checkRoom(in: order)
        try check(command.amount)
        guard let authorization else { throw .noAuthorization(order.status) }
        guard command.amount.minorUnits >= order.totals.capturedMinorUnits else {
            throw .lessThanCaptured(captured: money(order.totals.capturedMinorUnits))
        }
        return decision(
            .updateAuthorization, command.instruction, .authorizationUpdate, command.amount, building: authorization)
    }

    /// Decides a REFUND of a capture or payment.
    private func refund(_ command: Refund) throws(Refusal) -> LaterDecision {
        try checkRoom(isReversal: true)
        try check(command.amount)
        let mayExceed = command.instruction.merchant.privileges.contains(.excessiveRefund)
        let capture = try target(of: command, mayExceed: mayExceed)
        let available = refundableMinorUnits(of: capture)
        guard command.amount.minorUnits <= available || mayExceed else {
            throw .exceedsCaptured(available: money(available))
        }
        guard Amount(exactly: order.totals.refundedMinorUnits + command.amount.minorUnits, order.currency) != nil else {
            throw .totalExceedsMaximum
        }
        return decision(.refund, command.instruction, .refund, command.amount, building: capture)
    }

    /// Decides a VOID. Transactions that refer to the target must be voided before it.
    private func void(_ command: VoidTransaction) throws(Refusal) -> LaterDecision {
        try checkRoom(isReversal: true)
        guard let target = self[command.target], isLive(target), let type = target.type.void else {
            throw .nothingToVoid
        }
        if let dependent = dependents(on: target).first { throw .voidedOutOfOrder(first: dependent.type) }
        // An authorization's amount may have been updated.
        let undone = target.type == .authorization ? order.totals.authorizedMinorUnits : target.approvedMinorUnits
        return decision(.void, command.instruction, type, money(undone), building: target)
    }

    /// The capture or payment to refund: the one that the request names, otherwise the only candidate. A fully
    /// refunded transaction is a candidate only for merchants that have the privilege of excessive refunds.
    private func target(of command: Refund, mayExceed: Bool) throws(Refusal) -> LedgerEntry {
        let captures = captures
        if let name = command.target {
            if let capture = captures.first(where: { $0.id == name }) { return capture }
            guard let other = self[name] else { throw .unknownTarget(name) }
            throw .targetNotRefundable(other.type)
        }
        guard let last = captures.last else { throw .nothingToRefund(order.status) }
        let open = captures.filter { refundableMinorUnits(of: $0) > 0 }
        guard open.count <= 1 else { throw .severalToRefund }
        if let only = open.first { return only }
        guard mayExceed else { throw .exceedsCaptured(available: money(0)) }
        guard captures.count == 1 else { throw .severalToRefund }
        return last
    }

    /// Checks the rules for all operations with an amount that refer to an earlier transaction.
    private func check(_ amount: Amount) throws(Refusal) {
        guard amount.minorUnits > 0 else { throw .amountNotPositive }
        guard amount.currency == order.currency else { throw .currencyDiffers(order: order.currency) }
    }

    /// Throws if the order has its maximum number of transactions. The maximum is higher for voids and refunds, so
    /// that every payment can be reversed.
    private func checkRoom(isReversal: Bool) throws(Refusal) {
        guard isReversal ? order.isFullOfReversals : order.isFull else { return }
        throw .orderFull(transactionsMax: Order.transactionsMax + (isReversal ? Order.reversalsMax : 0))
    }

    private func money(_ minorUnits: Int64) -> Amount { Amount(minorUnits: minorUnits, currency: order.currency) }

    private func decision(
        _ operation: PaymentOperation, _ instruction: Instruction, _ type: TransactionType, _ amount: Amount,
        building target: LedgerEntry
    ) -> LaterDecision {
        LaterDecision(
            operation: operation, instruction: instruction, type: type, amount: amount, order: order, target: target.id)
    }
}

/// A valid operation that refers to an earlier transaction of its order, before that transaction has been read in
/// full.
struct LaterDecision {
    let operation: PaymentOperation
    let instruction: Instruction
    let type: TransactionType
    let amount: Amount
    let order: Order
    /// The identifier of the earlier transaction.
    let target: TransactionID

    /// The decision with the earlier transaction.
    func building(on target: Transaction) -> Decision {
        precondition(target.id == self.target, "the transaction that was decided on")
        return Decision(
            operation: operation, instruction: instruction, type: type, amount: amount, orderBefore: order,
            funds: .recorded(target))
    }
}
