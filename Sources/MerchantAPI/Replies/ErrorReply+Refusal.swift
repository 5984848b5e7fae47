internal import ApplePay
internal import HTTPTypes
internal import JSON
internal import Payments
internal import Values
internal import Vault

/// The subject of a refusal, for its message.
struct Subject {
    let key: OrderKey
    var transaction: TransactionID?
    var operation: PaymentOperation?
    /// The transaction to void.
    var target: TransactionID?
    var amount: Amount?
    var currency: Currency?
    /// The field of the cryptogram, if there is one.
    var cryptogramField = DevicePayment.cryptogramField(nested: false)

    init(key: OrderKey, transaction: TransactionID? = nil) {
        self.key = key
        self.transaction = transaction
    }

    /// - Parameter fields: all fields of the command, including those from a session or token.
    init(_ command: Command, of fields: JSONNode) {
        key = command.instruction.key
        transaction = command.instruction.transaction
        operation = command.operation
        amount = command.amount
        currency = command.currency
        if case .void(let void) = command { target = void.target }
        cryptogramField = DevicePayment.cryptogramField(of: fields)
    }
}

extension ErrorReply {
    /// The only place where a refusal becomes a reply. There is no `default`: a new refusal does not compile until
    /// its reply is chosen.
    ///
    /// A store failure, and an order that other transactions keep changing, are 503 SERVER_BUSY, after which clients
    /// send the identical request again. The real gateway's status for them is not known.
    init(_ refusal: Refusal, of subject: Subject) {
        switch refusal {
        case .parametersDiffer:
            self.init(
                """
                Transaction or Order ID supplied already exists, but the transaction parameters do not match. To retry \
                a transaction, the parameters must be the same. For new transactions, order.id must be unique and \
                transaction.id must be unique for the order.
                """)
        case .applePayNotConfigured:
            self = .invalidSecret(
                PaymentFields.paymentToken,
                "Missing merchant privilege 'Enable Decryption of Apple Pay Device Payments'")
        case .orderReferenceMissing: self = .missing("order.reference")
        case .applicationDataHashMissing(let header): self.init("Missing header '\(header)'")
        case .tokenRefused(let report):
            self.init(report)
        case .cryptogramUsed:
            self = .invalidSecret(
                subject.cryptogramField,
                "The payment that the cryptogram was made for was used for another transaction.")
        case .missingPrivilege(let privilege):
            self = .invalid(
                "apiOperation", subject.operation?.rawValue ?? "",
                "Missing merchant privilege '\(privilege.rawValue)'")
        case .orderFull(let transactionsMax):
            self.init("An order has at most \(transactionsMax) transactions")
        case .orderParticularsFull(let bytesMax):
            self = .invalid(
                "order.id", subject.key.order.text.maskingAccountNumbers(),
                "Of all requests on an order at most \(bytesMax) bytes of JSON are kept; a request without further details "
                    + "is still possible")
        case .largeOrdersBusy:
            self = .busy("Other large orders of the merchant are being retrieved. Send the identical request later.")
            headerField = HTTPField(name: .retryAfter, value: "1")
        case .currencyNotAccepted(let currency):
            self = .invalid(
                subject.currencyField, currency.code, "No valid Merchant Acquirer Relationship available")
        case .amountNotPositive:
            self = .invalid(
                subject.amountField, subject.amount?.description ?? "0",
                "Transaction or order amount must be greater than zero")
        case .orderNotAwaitingAuthorization(let status):
            self = .invalid(
                "apiOperation", subject.operation?.rawValue ?? "", "The order is already \(status.rawValue).")
        case .currencyDiffers(let order):
            self = .invalid(
                subject.currencyField, subject.currency?.code ?? "", "The currency of the order is \(order.code)")
        case .sourceOfFundsNotAllowed:
            self = .invalidSecret(
                "sourceOfFunds", "Only a refund under an order without payments has a source of funds of its own")
        case .noAuthorization:
            self.init(refusing: subject, "The order has no authorization to capture or update.")
        case .exceedsAuthorized:
            self.init(
                "Requested capture amount exceeds outstanding authorized amount", field: subject.amountField, .invalid)
        case .lessThanCaptured(let captured):
            self = .invalid(
                subject.amountField, subject.amount?.description ?? "",
                "The captured amount \(captured) must not be more than the authorized one")
        case .nothingToRefund:
            self.init(refusing: subject, "There is no transaction to refund.")
        case .severalToRefund:
            self.init(
                refusing: subject,
                "There is more than one transaction to refund. Name transaction.targetTransactionId.")
        case .unknownTarget(let target):
            self = .invalid(
                "transaction.targetTransactionId", target.text, "The order has no such transaction to refund.")
        case .targetNotRefundable(let type):
            self.init(refusing: subject, "The target transaction, a \(type.rawValue), can't be refunded.")
        case .exceedsCaptured:
            self.init(refusing: subject, "Missing merchant privilege '\(Privilege.excessiveRefund.rawValue)'")
        case .totalExceedsMaximum:
            self = .invalid(
                subject.amountField, subject.amount?.description ?? "",
                "The total of the order must not be more than \(Amount.unitsMax)")
        case .nothingToVoid:
            let named = subject.target.map { " targetTransactionId is '\($0.text.maskingAccountNumbers())'." } ?? ""
            self.init(refusing: subject, "There is no transaction to void." + named)
        case .voidedOutOfOrder(let type):
            self.init(refusing: subject, "A \(type.rawValue) of the transaction must be voided first.")
        case .orderBusy:
            self = .busy("Order locked - another transaction is in progress for this order")
        case .unknownOrder where subject.operation == .void:
            self.init(refusing: subject, "There is no transaction to void.")
        case .unknownOrder:
            self.init("Unable to find order \(subject.order) for merchant \(subject.key.merchant)")
        case .unknownTransaction:
            self.init(
                "Unable to find transaction \(subject.transactionText) of order \(subject.order) for merchant "
                    + subject.key.merchant.text
            )
        case .storeUnavailable(let failure):
            self.init(failure)
        }
    }

    /// The reply to a store failure.
    init(_ failure: StoreFailure) {
        switch failure {
        case .unavailable:
            self = .busy("The gateway is temporarily unable to process the request. Send the identical request later.")
        case .damaged, .corrupt:
            self.init("", status: .internalServerError)
            (cause, explanation, supportCode) = (.serverFailed, nil, "STORE_DAMAGED")
        case .full:
            self.init("The merchant keeps as many items as it may: \(failure.detail)")
        }
    }

    private init(refusing subject: Subject, _ reason: String) {
        self = .invalid("apiOperation", subject.operation?.rawValue ?? "", reason)
    }

    /// The reply to a token that was not opened, by the first failed step.
    private init(_ report: TokenReport) {
        guard let refusal = report.refusal else {
            self = .invalidSecret(PaymentFields.paymentToken, "The merchant has no key that opens Apple Pay tokens")
            return
        }
        self = .refusedToken(refusal)
    }

    /// The reply to a refused token.
    static func refusedToken(_ refusal: TokenRefusal) -> ErrorReply {
        // A finding may quote a member of the token, whose content is untrusted.
        .invalidSecret(
            PaymentFields.paymentToken,
            "Apple Pay token refused at step '\(refusal.step.rawValue)': \(refusal.finding.maskingAccountNumbers())")
    }

    /// 503 SERVER_BUSY.
    static func busy(_ explanation: String) -> ErrorReply {
        var reply = ErrorReply(explanation, status: .serviceUnavailable)
        reply.cause = .serverBusy
        return reply
    }
}

extension Subject {
    /// The group of the operation's amount: the order's, or the transaction's.
    private var group: String { operation?.isPaidByPayer == false ? "transaction" : "order" }

    /// The field of the operation's amount.
    fileprivate var amountField: String { group + ".amount" }
    /// The field of the operation's currency.
    fileprivate var currencyField: String { group + ".currency" }

    /// The order's identifier, masked.
    fileprivate var order: String { key.order.text.maskingAccountNumbers() }
    /// The transaction's identifier, masked.
    fileprivate var transactionText: String { transaction?.text.maskingAccountNumbers() ?? "" }
}
