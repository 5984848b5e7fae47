extension PaymentFields {
    /// The terminal's fields.
    static let pointOfSale: [RequestFields.Row] =
        address("posTerminal.address") + [
            .echoed(
                "posTerminal.attended",
                .enumeration(["ATTENDED", "SEMI_ATTENDED", "UNATTENDED", "UNKNOWN_OR_UNSPECIFIED"])),
            .echoed(
                "posTerminal.cardPresenceCapability",
                .enumeration(["CARD_NOT_PRESENT", "CARD_PRESENT", "CARD_PRESENT_AND_CARD_NOT_PRESENT"])),
            .echoed(
                "posTerminal.cardholderActivated",
                .enumeration([
                    "AUTOMATED_DISPENSING_MACHINE_WITH_PIN", "ELECTRONIC_COMMERCE", "IN_FLIGHT_COMMERCE",
                    "LIMITED_AMOUNT_TERMINAL", "MPOS_ACCEPTANCE_DEVICE", "NOT_CARDHOLDER_ACTIVATED",
                    "SELF_SERVICE_TERMINAL", "TRANSPONDER_TRANSACTION",
                ])),
            .echoed(
                "posTerminal.inputCapability",
                .enumeration([
                    "BARCODE", "CHIP", "CHIP_AND_KEY_ENTRY_AND_MAGNETIC_STRIPE",
                    "CHIP_AND_KEY_ENTRY_AND_MAGNETIC_STRIPE_AND_RFID", "CHIP_AND_MAGNETIC_STRIPE", "CONTACTLESS_CHIP",
                    "CONTACTLESS_MAGNETIC_STRIPE", "CONTACTLESS_OR_MAGNETIC_STRIPE", "KEY_ENTRY",
                    "KEY_ENTRY_AND_MAGNETIC_STRIPE", "MAGNETIC_STRIPE", "UNKNOWN", "VOICE_AUDIO_RESPONSE",
                ])),
            .echoed("posTerminal.lane", .text(1...8)),
            // A payment with Apple Pay has one of the first two values, by default the first.
            .echoed(
                "posTerminal.location",
                .enumeration([
                    "PAYER_TERMINAL_OFF_PREMISES", "PAYER_TERMINAL_ON_PREMISES", "MERCHANT_TERMINAL_OFF_PREMISES",
                    "MERCHANT_TERMINAL_ON_PREMISES", "NO_TERMINAL_VOICE_OR_AUDIO_RESPONSE",
                ])),
            .echoed(
                "posTerminal.mobile.cardInputDevice",
                .enumeration(["BUILT_IN", "INTEGRATED_DONGLE", "SEPARATE_DONGLE"])),
            .echoed(
                "posTerminal.panEntryMode",
                .enumeration([
                    "BARCODE_READER", "CHIP", "CHIP_FALLBACK", "CONTACTLESS", "ECOMMERCE", "KEYED", "MOBILE_COMMERCE",
                    "OPTICAL_CHARACTER_READER", "RFID_CHIP", "RFID_STRIPE", "SWIPE", "SWIPE_WITH_SIGNATURE", "UNKNOWN",
                    "VOICE_AUTHORIZATION", "VOICE_RESPONSE",
                ])),
            .echoed(
                "posTerminal.pinEntryCapability",
                .enumeration([
                    "OFFLINE_PIN_ONLY", "PIN_NOT_SUPPORTED", "PIN_PAD_INOPERATIVE", "PIN_SUPPORTED",
                    "SOFTWARE_ONLINE_PIN_ONLY", "UNKNOWN",
                ])),
            .echoed("posTerminal.pinLengthCapability", .integer(4...12)),
            .echoed("posTerminal.serialNumber", .pattern(1...16, .ascii)),
            .echoed("posTerminal.store.id", .text(1...255)),
            .echoed("posTerminal.store.name", .text(1...255)),
        ]

    /// An agreement to store the card and pay with it again; the gateway only passes it on.
    static let agreement: [RequestFields.Row] = [
        .echoed("agreement.amountVariability", .enumeration(["FIXED", "VARIABLE"])),
        .echoed("agreement.customData", .text(1...2048)),
        .echoed("agreement.expiryDate", .pattern(10...10, .date)),
        .echoed("agreement.id", .text(1...100)),
        .echoed("agreement.maximumAmountPerPayment", .amount),
        .echoed("agreement.minimumAmountPerPayment", .amount),
        .echoed("agreement.minimumDaysBetweenPayments", .integer(1...9999)),
        .echoed("agreement.numberOfPayments", .integer(1...999)),
        .echoed(
            "agreement.paymentFrequency",
            .enumeration([
                "AD_HOC", "DAILY", "FORTNIGHTLY", "MONTHLY", "OTHER", "QUARTERLY", "TWICE_YEARLY", "WEEKLY", "YEARLY",
            ])),
        // The earlier place of the terms.
        .echoed("agreement.recurring.amountVariability", .enumeration(["FIXED", "VARIABLE"])),
        .echoed("agreement.recurring.daysBetweenPayments", .integer(1...9999)),
        .echoed("agreement.recurring.expiryDate", .pattern(10...10, .date)),
        .echoed("agreement.recurring.numberOfPayments", .integer(1...999)),
        .echoed("agreement.retailer.abbreviatedTradingName", .text(1...10)),
        .echoed("agreement.retailer.merchantCategoryCode", .text(1...4)),
        .echoed("agreement.retailer.tradingName", .text(1...100)),
        .echoed("agreement.startDate", .pattern(10...10, .date)),
        .echoed("agreement.type", .enumeration(["INSTALLMENT", "OTHER", "RECURRING", "UNSCHEDULED"])),
    ]
}
