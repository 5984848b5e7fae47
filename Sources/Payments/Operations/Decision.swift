internal import Values

/// A valid operation: only the acquirer can still decline it.
struct Decision {
    /// The funds that the operation uses.
    enum Funds {
        /// The card in the request.
        case presented(Card, walletProvider: WalletProvider?)
        /// The funds of the earlier transaction that the operation refers to.
        case recorded(Transaction)
    }

    let operation: PaymentOperation
    let instruction: Instruction
    let type: TransactionType
    /// The amount of the order, of the transaction, or of the transaction to void; 0 for VERIFY.
    let amount: Amount
    let orderBefore: Order?
    let funds: Funds

    /// The earlier transaction that the operation refers to; nil if it presents a card.
    var target: Transaction? {
        guard case .recorded(let transaction) = funds else { return nil }
        return transaction
    }

    /// The command for the acquirer.
    var acquirerCommand: AcquirerCommand {
        let (brand, card, number, street): (CardBrand, Card?, String?, String?) =
            switch funds {
            case .presented(let card, _):
                (
                    CardBrand(card.accountNumber), card, card.accountNumber.masked(first: 0, last: 4),
                    instruction.billingStreet
                )
            case .recorded(let transaction):
                (transaction.card.brand, nil, transaction.card.device?.number ?? transaction.card.number, nil)
            }
        return AcquirerCommand(
            operation: operation, order: instruction.key, transaction: instruction.transaction, target: target?.id,
            amount: amount, brand: brand, card: card, lastFour: number.map { String($0.suffix(4)) },
            billingStreet: street, api: instruction.api)
    }
}

extension Decision {
    /// Decides an AUTHORIZE or PAY on an existing or a new order. Like all decisions, it reads no clock, store or
    /// network.
    ///
    /// A failed order may be tried again with a new transaction in the same currency, and a verified order may be
    /// paid. The amount may differ: the new amount becomes the order's, since nothing of the old amount was
    /// authorized.
    static func authorize(
        _ command: Authorize, payingWith card: Card, on order: Order?
    ) throws(Refusal) -> Decision {
        try checkFirst(command.instruction, command.amount, on: order)
        return Decision(
            operation: command.operation.paymentOperation, instruction: command.instruction,
            type: command.operation.transactionType, amount: command.amount, orderBefore: order,
            funds: .presented(card, walletProvider: command.walletProvider))
    }

    /// Decides a VERIFY on an order that has not been authorized yet, or on a new order.
    static func verify(_ command: Verify, of card: Card, on order: Order?) throws(Refusal) -> Decision {
        let nothing = Amount(minorUnits: 0, currency: command.currency)
        try checkFirst(command.instruction, nothing, mayBeZero: true, on: order)
        return Decision(
            operation: .verify, instruction: command.instruction, type: .verification, amount: nothing,
            orderBefore: order, funds: .presented(card, walletProvider: command.walletProvider))
    }

    /// Decides a stand-alone REFUND to a card, on an order without payments.
    static func refund(_ command: Refund, to card: Card, on order: Order?) throws(Refusal) -> Decision {
        try checkFirst(command.instruction, command.amount, on: order) { _ in .sourceOfFundsNotAllowed }
        return Decision(
            operation: .refund, instruction: command.instruction, type: .refund, amount: command.amount,
            orderBefore: order, funds: .presented(card, walletProvider: command.walletProvider))
    }

    /// Checks the rules for all operations that can be the first one of an order.
    private static func checkFirst(
        _ instruction: Instruction, _ amount: Amount, mayBeZero: Bool = false, on order: Order?,
        pastAuthorization refusal: (OrderStatus) -> Refusal = Refusal.orderNotAwaitingAuthorization
    ) throws(Refusal) {
        if let order, order.isFull { throw .orderFull(transactionsMax: Order.transactionsMax) }
        try instruction.checkRoom(in: order)
        guard instruction.merchant.accepts(amount.currency) else { throw .currencyNotAccepted(amount.currency) }
        guard mayBeZero || amount.minorUnits > 0 else { throw .amountNotPositive }
        if let order {
            guard order.status.awaitsAuthorization else { throw refusal(order.status) }
            guard order.currency == amount.currency else { throw .currencyDiffers(order: order.currency) }
        }
    }
}
