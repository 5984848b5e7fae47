/// An operation or feature that a merchant may be allowed to use. The raw value is the gateway's own name.
///
/// - Source: `Missing merchant privilege '…'` messages that integrators report. The real gateway's name for
///   `unmaskSensitiveData` is not public.
public enum Privilege: String, CaseIterable, Sendable {
    /// Payments by device account number and cryptogram.
    case devicePayments = "Device Payments"
    /// Apple Pay tokens that the gateway decrypts.
    case applePayDecryption = "Enable Decryption of Apple Pay Device Payments"
    /// Refunds of more than was captured, and stand-alone refunds.
    case excessiveRefund = "Excessive Refund"
    /// Decrypted Apple Pay tokens in replies of Radial's API. The name is Tollgate's.
    case decryptBlob = "Decrypt Blob"
    /// REFUND.
    case refund = "Refund"
    /// Unmasked account numbers in replies.
    case unmaskSensitiveData = "Unmask Sensitive Data"
    /// VOID.
    case void = "Void"
}

extension Set<Privilege> {
    /// A merchant's privileges by default: all except excessive refunds, unmasked account numbers and decrypted tokens
    /// in replies.
    public static let usual: Set<Privilege> = Set(Privilege.allCases).subtracting([
        .decryptBlob, .excessiveRefund, .unmaskSensitiveData,
    ])
}
