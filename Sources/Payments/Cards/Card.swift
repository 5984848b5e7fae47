public import ApplePay
public import Values

/// The month and year on a card.
public struct CardExpiry: Hashable, Sendable {
    /// The month, 1…12.
    public let month: Int
    /// The last two digits of the year, 0…99; card networks mean 20YY.
    public let year: Int

    /// An expiry; nil if month or year is out of range.
    public init?(month: Int, year: Int) {
        guard (1...12).contains(month), (0...99).contains(year) else { return nil }
        self.month = month
        self.year = year
    }

    /// The expiry of a device account number.
    public init(_ date: ApplicationExpirationDate) {
        month = date.month
        year = date.year
    }
}

/// The card that pays, unmasked.
public struct Card: Equatable, Sendable {
    /// The number on the card, or a device account number (DPAN) if `devicePayment` is present.
    public let accountNumber: AccountNumber
    /// The expiry of the account number.
    public let expiry: CardExpiry
    /// The name on the card, unchanged.
    public let nameOnCard: SecretText?
    /// The card security code, three or four digits; not kept after the authorization.
    public let securityCode: SecretText?
    /// The data that a device generated; nil for a plain card.
    public let devicePayment: DevicePayment?

    /// A card.
    public init(
        accountNumber: AccountNumber, expiry: CardExpiry, nameOnCard: SecretText? = nil,
        securityCode: SecretText? = nil, devicePayment: DevicePayment? = nil
    ) {
        self.accountNumber = accountNumber
        self.expiry = expiry
        self.nameOnCard = nameOnCard
        self.securityCode = securityCode
        self.devicePayment = devicePayment
    }

    /// The online payment cryptogram in base64; nil unless a device paid in the 3-D Secure form.
    public var cryptogram: SecretText? {
        guard case .threeDSecure(let onlinePaymentCryptogram, _) = devicePayment else { return nil }
        return onlinePaymentCryptogram
    }

    /// The electronic commerce indicator; nil unless a device returned one.
    public var eciIndicator: String? {
        guard case .threeDSecure(_, let eciIndicator) = devicePayment else { return nil }
        return eciIndicator
    }

    /// The card from a decrypted Apple Pay token: the same fields that a merchant who decrypts tokens itself would
    /// send. In a payment for several merchants the cryptogram is the one that the payment network made for `payee`.
    ///
    /// - Source: Mastercard Gateway, "Apple Pay", table "Payment data keys and the corresponding API request fields".
    public init(_ paymentData: PaymentData, of payee: Payee = .whole) {
        self.init(
            accountNumber: paymentData.applicationPrimaryAccountNumber,
            expiry: CardExpiry(paymentData.applicationExpirationDate), nameOnCard: paymentData.cardholderName,
            devicePayment: DevicePayment(
                paymentData.detail, authenticationData: (try? payee.response(in: paymentData))?.authenticationData))
    }
}

/// The data that a device generated for a single payment, unchanged; not kept after the authorization.
public enum DevicePayment: Equatable, Sendable {
    /// A cryptogram of the 3-D Secure form in base64, and the electronic commerce indicator; nil if the device gave
    /// none.
    case threeDSecure(onlinePaymentCryptogram: SecretText, eciIndicator: String?)
    /// The Secure Element's EMV data in base64, and the PIN encrypted with the bank's key, in hexadecimal.
    case emv(emvData: SecretText, encryptedPINData: SecretText?)

    /// The device payment in a decrypted token.
    ///
    /// - Parameter authenticationData: the payee's own cryptogram, which replaces that of the whole payment; nil if it
    ///   has none.
    init(_ detail: PaymentData.Detail, authenticationData: SecretText?) {
        switch detail {
        case .threeDSecure(let onlinePaymentCryptogram, let eciIndicator):
            self = .threeDSecure(
                onlinePaymentCryptogram: authenticationData ?? onlinePaymentCryptogram, eciIndicator: eciIndicator)
        case .emv(let emvData, let encryptedPINData):
            self = .emv(emvData: emvData, encryptedPINData: encryptedPINData)
        }
    }

    /// The format of the generated data.
    public var cryptogramFormat: CryptogramFormat {
        switch self {
        case .threeDSecure: .threeDSecure
        case .emv: .emv
        }
    }
}

/// `devicePayment.cryptogramFormat`.
public enum CryptogramFormat: String, CaseIterable, Sendable {
    /// An online payment cryptogram of the 3-D Secure form.
    case threeDSecure = "3DSECURE"
    /// The data of an EMV application.
    case emv = "EMV"
}

/// The source of a payment's money.
public enum SourceOfFunds: Sendable {
    /// An encrypted Apple Pay token, exactly as the merchant sent it.
    case applePayToken(SecretText)
    /// An Apple Pay token that ``Merchant/report(on:at:)`` has decrypted, because the command's amount is the token's.
    case openedApplePayToken(TokenReport)
    /// A plain card, or a device's card if it has a `devicePayment`.
    case card(Card)
}
