public import Values

/// What `data` of a payment token holds once it is decrypted.
///
/// - Source: Apple, "Payment token format reference", tables "Payment data keys" and "Detailed payment data keys".
public struct PaymentData: Sendable {
    /// The device-specific account number of the card that pays (DPAN).
    public let applicationPrimaryAccountNumber: AccountNumber
    /// The expiry date of that number.
    public let applicationExpirationDate: ApplicationExpirationDate
    /// ISO 4217's numeric code, three digits: `840`.
    public let currencyCode: String
    /// The amount in minor units of the currency: 100 is 1.00 US dollar.
    public let transactionAmountMinorUnits: Int64
    /// The name on the card, exactly as found, if the issuer gives it.
    public let cardholderName: SecretText?
    /// The device manufacturer, hexadecimal; it tells the payment network.
    public let deviceManufacturerIdentifier: String
    /// The cryptogram and what goes with it.
    public let detail: Detail
    /// The decrypted JSON itself, unknown members and all.
    public let document: SecretText

    /// `paymentData`, in the form that `paymentDataType` names.
    public enum Detail: Sendable {
        /// `3DSecure`: the online payment cryptogram in base64 and the electronic commerce indicator, both exactly as
        /// found. Mastercard tokens often have no indicator, and none is invented.
        case threeDSecure(onlinePaymentCryptogram: SecretText, eciIndicator: String?)
        /// `EMV`: the Secure Element's output in base64, and the PIN in hexadecimal, encrypted with the bank's key, where
        /// there is one; both exactly as found. The PIN is documented for `RSA_v1` only.
        case emv(emvData: SecretText, encryptedPINData: SecretText?)
    }

    /// One entry for each submerchant, if the request was for several; empty otherwise.
    public let authenticationResponses: [AuthenticationResponse]
    /// The identifier of the merchant token that the payment network provisioned, if the request was for one.
    public let merchantTokenIdentifier: SecretText?
    /// What goes with a merchant token.
    public let merchantTokenMetadata: MerchantTokenMetadata?
}

/// `applicationExpirationDate`, `YYMMDD`: the last day on which an account number is good.
public struct ApplicationExpirationDate: Hashable, Sendable {
    /// The last two digits of the year, 0…99; card networks mean 20YY.
    public let year: Int
    /// The month, 1…12.
    public let month: Int
    /// The day, 1…31.
    public let day: Int

    /// A date from six ASCII digits, or nothing if they are not a day of the calendar.
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
