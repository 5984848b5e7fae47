public import Values

/// The decrypted `data` of a payment token.
///
/// - Source: Apple, "Payment token format reference", tables "Payment data keys" and "Detailed payment data keys".
public struct PaymentData: Sendable {
    /// The card's device-specific account number (DPAN).
    public let applicationPrimaryAccountNumber: AccountNumber
    /// The DPAN's expiry date.
    public let applicationExpirationDate: ApplicationExpirationDate
    /// The numeric ISO 4217 code, three digits: `840`.
    public let currencyCode: String
    /// The amount in minor units of the currency: 100 is 1.00 US dollar.
    public let transactionAmountMinorUnits: Int64
    /// The name on the card, exactly as received; nil if the issuer gives none.
    public let cardholderName: SecretText?
    /// The device manufacturer, hexadecimal; it identifies the payment network.
    public let deviceManufacturerIdentifier: String
    /// The cryptogram and its related data.
    public let detail: Detail
    /// The decrypted JSON, including unknown members.
    public let document: SecretText

    /// `paymentData`, in the form that `paymentDataType` names.
    public enum Detail: Sendable {
        /// `3DSecure`: the online payment cryptogram in base64 and the electronic commerce indicator, both exactly as
        /// received. Mastercard tokens often have no indicator; none is substituted.
        case threeDSecure(onlinePaymentCryptogram: SecretText, eciIndicator: String?)
        /// `EMV`: the Secure Element's output in base64 and, if present, the PIN in hexadecimal, encrypted with the
        /// bank's key. Both are exactly as received. The PIN is documented for `RSA_v1` only.
        case emv(emvData: SecretText, encryptedPINData: SecretText?)
    }

    /// One entry for each submerchant of a payment for several; empty otherwise.
    public let authenticationResponses: [AuthenticationResponse]
    /// The identifier of the merchant token that the payment network provisioned, if one was requested.
    public let merchantTokenIdentifier: SecretText?
    /// The metadata of the merchant token.
    public let merchantTokenMetadata: MerchantTokenMetadata?
}

/// `applicationExpirationDate`, `YYMMDD`: the last day on which an account number is valid.
public struct ApplicationExpirationDate: Hashable, Sendable {
    /// The last two digits of the year, 0…99; card networks mean 20YY.
    public let year: Int
    /// The month, 1…12.
    public let month: Int
    /// The day, 1…31.
    public let day: Int

    /// Parses six ASCII digits; nil if they are not a calendar date.
    public init?(yymmdd text: some Collection<UInt8>) {
        guard text.count == 6, text.allSatisfy(\.isDigit) else {
            return nil
        }
        let digits = text.map(\.digit)
        year = digits[0] * 10 + digits[1]
        month = digits[2] * 10 + digits[3]
        day = digits[4] * 10 + digits[5]
        guard (1...12).contains(month), (1...CivilDate.days(in: month, of: 2000 + year)).contains(day) else {
            return nil
        }
    }

    /// The six digits.
    public var yymmdd: String { [year, month, day].map { ($0 < 10 ? "0" : "") + String($0) }.joined() }
}
