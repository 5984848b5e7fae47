/// What a merchant may be allowed to ask for, by the gateway's own names.
///
/// - Source: the names in `Missing merchant privilege '…'` that integrators report. The real gateway's name of
///   `unmaskSensitiveData` is not public.
public enum Privilege: String, CaseIterable, Sendable {
    /// Payments by device account number and cryptogram.
    case devicePayments = "Device Payments"
    /// Apple Pay tokens that the gateway opens.
    case applePayDecryption = "Enable Decryption of Apple Pay Device Payments"
    /// Refunds beyond what was captured, and stand-alone ones.
    case excessiveRefund = "Excessive Refund"
    /// What an Apple Pay token holds, in clear, by Radial's API. The name is ours.
    case decryptBlob = "Decrypt Blob"
    /// REFUND.
    case refund = "Refund"
    /// Account numbers in clear in replies.
    case unmaskSensitiveData = "Unmask Sensitive Data"
    /// VOID.
    case void = "Void"
}

extension Set<Privilege> {
    /// What a merchant may do unless its configuration says otherwise: all but refund more than it took, and see
    /// account numbers in clear or all that a token holds.
    public static let usual: Set<Privilege> = Set(Privilege.allCases).subtracting([
        .decryptBlob, .excessiveRefund, .unmaskSensitiveData,
    ])
}
