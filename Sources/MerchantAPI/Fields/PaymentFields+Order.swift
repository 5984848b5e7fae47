internal import Payments

extension PaymentFields {
    /// Fields of the order that any of its transactions may set or correct.
    static let order: [RequestFields.Row] =
        [
            // The identifiers from the path, which the official Java sample repeats; other values are refused.
            .taken("order.id", .text(1...40)),
            .echoed("order.acceptPartialAmount", .boolean),
            .echoed("order.certainty", .enumeration(["ESTIMATED", "FINAL"])),
            .echoed("order.custom.*", .text(1...250)),
            .echoed("order.customerNote", .text(1...250)),
            .echoed("order.customerOrderDate", .pattern(10...10, .date)),
            .echoed("order.customerReference", .text(1...25)),
            .echoed("order.description", .text(1...127)),
            .echoed(
                "order.industryPracticePaymentReason",
                .enumeration(["DELAYED_CHARGE", "NO_SHOW_PENALTY", "PARTIAL_SHIPMENT"])),
            .echoed("order.invoiceNumber", .text(1...25)),
            .echoed(
                "order.marketplace.retailerLocation",
                .enumeration(["DOMESTIC_ONLY", "FOREIGN_AND_DOMESTIC", "FOREIGN_ONLY"])),
            .echoed("order.merchantCategoryCode", .pattern(4...4, .digits)),
            .echoed("order.merchantPartnerIdCode", .pattern(1...6, .digits)),
            .echoed("order.notificationUrl", .pattern(1...250, .url)),
            .echoed("order.owningEntity", .text(1...40)),
            // Its only value instructs the gateway to credit another account.
            .unsupported("order.purchaseType"),
            .echoed("order.reference", .text(1...40)),
            .echoed("order.requestorName", .text(1...38)),
            .echoed("order.statementDescriptor.name", .text(1...100)),
            .echoed("order.statementDescriptor.phone", .text(1...20)),
            .echoed("order.statementDescriptor.websiteUrl", .pattern(1...2048, .url)),
            .echoed("order.taxRegistrationId", .text(1...30)),
            .echoed("order.walletIndicator", .text(3...3)),
            .taken("order.walletProvider", .enumeration(WalletProvider.allCases.map(\.rawValue))),
        ] + address("order.statementDescriptor.address") + subMerchant

    private static let subMerchant: [RequestFields.Row] =
        [
            .echoed("order.subMerchant.bankIndustryCode", .pattern(4...4, .digits)),
            .echoed("order.subMerchant.disputeContactPhone", .text(1...20)),
            .echoed("order.subMerchant.email", .pattern(4...256, .email)),
            .echoed("order.subMerchant.governmentCountryCode", .pattern(3...3, .alphabeticCode)),
            .echoed("order.subMerchant.identifier", .text(1...100)),
            .echoed("order.subMerchant.marketplaceId", .text(1...11)),
            .echoed("order.subMerchant.phone", .text(1...20)),
            .echoed("order.subMerchant.registeredName", .text(1...100)),
            .echoed("order.subMerchant.tradingName", .text(1...100)),
            .echoed("order.subMerchant.websiteUrl", .pattern(1...2048, .url)),
        ] + address("order.subMerchant.address")

    /// The parts of an order's amount. They need not add up to the amount: the real gateway's rule and message are
    /// not known, and released modules send only some of the parts.
    static let orderAmounts: [RequestFields.Row] = [
        .taken("order.amount", .amount),
        .echoed("order.cashbackAmount", .amount),
        .taken("order.currency", .pattern(3...3, .alphabeticCode)),
        .echoed("order.discount.amount", .amount),
        .echoed("order.discount.code", .text(1...40)),
        .echoed("order.discount.description", .text(1...127)),
        .echoed("order.dutyAmount", .amount),
        .echoed("order.gratuityAmount", .amount),
        .echoed("order.itemAmount", .amount),
        .echoed("order.localTaxRate", .decimal(charactersMax: 6)),
        .echoed("order.merchantCharge.amount", .amount),
        .echoed("order.merchantCharge.type", .enumeration(["SURCHARGE"])),
        .echoed("order.netAmount", .amount),
        .echoed("order.shippingAndHandlingAmount", .amount),
        .echoed("order.shippingAndHandlingTaxAmount", .amount),
        .echoed("order.shippingAndHandlingTaxRate", .decimal(charactersMax: 6)),
        .echoed("order.tax[].amount", .amount),
        .echoed("order.tax[].rate", .decimal(charactersMax: 6)),
        .echoed("order.tax[].type", .text(1...50)),
        .echoed("order.taxAmount", .amount),
        .echoed("order.taxStatus", .enumeration(["EXEMPT", "NOT_EXEMPT", "NOT_PROVIDED"])),
    ]

    /// Line items: of an order, or of one of its later transactions.
    static func items(_ path: String) -> [RequestFields.Row] {
        [
            .echoed(path + ".brand", .text(1...127)),
            .echoed(path + ".category", .text(1...127)),
            .echoed(path + ".description", .text(1...127)),
            .echoed(path + ".detail.acquirerCustom", .text(1...4000)),
            .echoed(path + ".detail.commodityCode", .pattern(1...16, .digits)),
            .echoed(path + ".detail.tax[].amount", .signedAmount),
            .echoed(path + ".detail.tax[].rate", .decimal(charactersMax: 6)),
            .echoed(path + ".detail.tax[].type", .text(1...127)),
            .echoed(path + ".detail.unitDiscountRate", .decimal(charactersMax: 6)),
            .echoed(path + ".detail.unitTaxRate", .decimal(charactersMax: 6)),
            .echoed(path + ".detail.unitTaxType", .text(1...10)),
            .echoed(path + ".detail.unspsc", .pattern(1...16, .digits)),
            .echoed(path + ".detail.upc", .pattern(1...16, .digits)),
            .echoed(
                path + ".industryCategory",
                .enumeration([
                    "HEALTHCARE_DENTAL", "HEALTHCARE_OTHER", "HEALTHCARE_PRESCRIPTION", "HEALTHCARE_VISION",
                ])),
            .echoed(path + ".name", .text(1...127)),
            .echoed(path + ".quantity", .decimal(charactersMax: 30)),
            .echoed(path + ".sku", .text(1...127)),
            .echoed(path + ".unitDiscountAmount", .signedAmount),
            .echoed(path + ".unitOfMeasure", .text(1...10)),
            .echoed(path + ".unitPrice", .signedAmount),
            .echoed(path + ".unitTaxAmount", .signedAmount),
        ]
    }
}
