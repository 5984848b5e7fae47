public import Access

/// The services of Radial's API, by the names of their messages.
extension RequestOperation {
    /// Reserve an amount.
    static let creditCardAuth = radial("CreditCardAuth", "creditcard/auth/{tender}.xml")
    /// Undo a reservation.
    static let authCancel = radial("PaymentAuthCancel", "auth/cancel/{tender}.xml")
    /// Take or give back an amount.
    static let settlement = radial("PaymentSettlement", "settlement/create/{tender}.xml")
    /// Whether an amount can be taken.
    static let confirmFunds = radial("ConfirmFunds", "funds/confirm/{tender}.xml")
    /// A token for an account number.
    static let protectPan = radial("ProtectPan", "pan/protect.xml")
    /// The tender type of an account number.
    static let tenderTypeLookup = radial("TenderTypeLookup", "tendertype/lookup.xml")
    /// The content of an Apple Pay token.
    static let decryptBlob = radial("DecryptBlob", "decryptblob.xml")

    private static func radial(_ name: String, _ path: String) -> RequestOperation {
        RequestOperation(name, at: RouteTemplate("/v{version}/stores/{storeId}/payments/" + path))
    }
}

extension RadialAPI {
    /// All services, for logs and metrics.
    public static let operations: [RequestOperation] = [
        .creditCardAuth, .authCancel, .settlement, .confirmFunds, .protectPan, .tenderTypeLookup, .decryptBlob,
    ]
}
