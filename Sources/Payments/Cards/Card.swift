public import ApplePay
public import Values

/// The month and year on a card.
public struct CardExpiry: Hashable, Sendable {
    /// The month, 1…12.
    public let month: Int
    /// The last two digits of the year, 0…99; card networks mean 20YY.
    public let year: Int

    /// An expiry, or nil if month or year is out of range.
    public init?(month: Int, year: Int) {
        guard (1...12).contains(month), (0...99).contains(year) else { return nil }
        self.month = month
        self.year = year
    }

    /// The month in which a device account number expires.
    public init(_ date: ApplicationExpirationDate) {
        month = date.month
        year = date.year
    }
}

/// The card that pays, in clear.
public struct Card: Equatable, Sendable {
    /// The number on the card, or a device's (DPAN) if `devicePayment` is there.
    public let accountNumber: AccountNumber
    /// The expiry of that number.
    public let expiry: CardExpiry
    /// The name on the card, exactly as found.
    public let nameOnCard: SecretText?
    /// The card security code, three or four digits; gone after the authorization.
    public let securityCode: SecretText?
    /// What a device added, if one paid.
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

    /// The online payment cryptogram, base64, if a device paid in the 3-D Secure form.
    public var cryptogram: SecretText? {
        guard case .threeDSecure(let onlinePaymentCryptogram, _) = devicePayment else { return nil }
        return onlinePaymentCryptogram
    }

    /// The electronic commerce indicator, if a device gave one.
    public var eciIndicator: String? {
        guard case .threeDSecure(_, let eciIndicator) = devicePayment else { return nil }
        return eciIndicator
    }

    /// The card that an Apple Pay token held: the fields that a merchant who decrypts for itself would send. In a payment
    /// for several the cryptogram is the one that the payment network made for `payee`.
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

/// What a device generated for one payment, exactly as found; gone after the authorization.
public enum DevicePayment: Equatable, Sendable {
    /// A cryptogram of the 3-D Secure form in base64, and the electronic commerce indicator; none is invented.
    case threeDSecure(onlinePaymentCryptogram: SecretText, eciIndicator: String?)
    /// The Secure Element's EMV data in base64, and the PIN in hexadecimal, encrypted with the bank's key.
    case emv(emvData: SecretText, encryptedPINData: SecretText?)

    /// What a token held.
    ///
    /// - Parameter authenticationData: the cryptogram that counts in place of the whole payment's, if one does.
    init(_ detail: PaymentData.Detail, authenticationData: SecretText?) {
        switch detail {
        case .threeDSecure(let onlinePaymentCryptogram, let eciIndicator):
            self = .threeDSecure(
                onlinePaymentCryptogram: authenticationData ?? onlinePaymentCryptogram, eciIndicator: eciIndicator)
        case .emv(let emvData, let encryptedPINData):
            self = .emv(emvData: emvData, encryptedPINData: encryptedPINData)
        }
    }

    /// The form of what the device generated.
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

/// Where the money comes from.
public enum SourceOfFunds: Sendable {
    /// An encrypted Apple Pay token, as the merchant sent it.
    case applePayToken(SecretText)
    /// The same, opened by ``Merchant/report(on:at:)`` because the command's amount is the token's.
    case openedApplePayToken(TokenReport)
    /// A card in clear; of a device if it has a `devicePayment`.
    case card(Card)
}
