public import Access

/// The services of Radial's API, named after their messages.
extension RequestOperation {
    /// Authorizes an amount.
    static let creditCardAuth = radial("CreditCardAuth", "creditcard/auth/{tender}.xml")
    /// Cancels an authorization.
    static let authCancel = radial("PaymentAuthCancel", "auth/cancel/{tender}.xml")
    /// Captures or refunds an amount.
    static let settlement = radial("PaymentSettlement", "settlement/create/{tender}.xml")
    /// Checks whether an amount can be captured.
    static let confirmFunds = radial("ConfirmFunds", "funds/confirm/{tender}.xml")
    /// Tokenizes an account number.
    static let protectPan = radial("ProtectPan", "pan/protect.xml")
    /// Looks up the tender type of an account number.
    static let tenderTypeLookup = radial("TenderTypeLookup", "tendertype/lookup.xml")
    /// Decrypts an Apple Pay token.
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
