internal import Payments

extension PaymentFields {
    /// Fields of any transaction.
    static let transaction: [RequestFields.Row] = [
        .echoed("transaction.acquirer.customData", .text(1...2048)),
        .echoed("transaction.acquirer.traceId", .text(1...15)),
        // The acquirer's identifier of the order is simulated; the merchant can't choose it.
        .taken("transaction.acquirer.transactionId", .text(1...100)),
        .echoed(
            "transaction.frequency",
            .enumeration(["INSTALLMENT", "RECURRING", "SINGLE"], unsupported: ["PAYMENT_PLAN"])),
        .taken("transaction.id", .text(1...40)),
        .echoed("transaction.merchantNote", .text(1...250)),
        .echoed("transaction.priorApproval", .enumeration(["REQUESTED"])),
        .echoed("transaction.reference", .text(1...40)),
        .echoed("transaction.resubmission", .boolean),
        .echoed("transaction.serviceLocation.city", .text(1...100)),
        .echoed("transaction.serviceLocation.country", .pattern(3...3, .alphabeticCode)),
        .echoed("transaction.serviceLocation.postCodeZip", .pattern(1...10, .postcode)),
        .echoed("transaction.serviceLocation.stateProvinceCode", .text(1...3)),
        .taken("transaction.source", .enumeration(TransactionSource.allCases.map(\.rawValue))),
    ]

    /// The amount of a later transaction, and its parts.
    static let transactionAmounts: [RequestFields.Row] = [
        .taken("transaction.amount", .amount),
        .taken("transaction.currency", .pattern(3...3, .alphabeticCode)),
        .echoed("transaction.discountAmount", .amount),
        .echoed("transaction.dutyAmount", .amount),
        .echoed("transaction.itemAmount", .amount),
        .echoed("transaction.shippingAndHandlingAmount", .amount),
        .echoed("transaction.shippingAndHandlingTaxAmount", .amount),
        .echoed("transaction.shippingAndHandlingTaxRate", .decimal(charactersMax: 6)),
        .echoed("transaction.taxAmount", .amount),
        .echoed("transaction.taxStatus", .enumeration(["EXEMPT", "NOT_EXEMPT", "NOT_PROVIDED"])),
    ]

    /// The transaction that a later one refers to. Replies echo it only if the request has it, as recorded replies
    /// show.
    static let target: [RequestFields.Row] = [.echoed("transaction.targetTransactionId", .text(1...40))]
}
