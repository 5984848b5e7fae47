public import ApplePay
internal import OpenSSL
public import Values

/// What a minted token is to hold: the payment data, and what goes around it.
public struct MintOrder: Sendable {
    /// The device account number; the first of Mastercard's published test numbers unless another is named.
    public var accountNumber: AccountNumber
    /// Six digits, `YYMMDD`.
    public var expirationDate: ApplicationExpirationDate
    /// ISO 4217's numeric code, three digits.
    public var currencyCode: String
    /// The amount in minor units of the currency.
    public var amountMinorUnits: Int64
    /// The name on the card, if there is to be one.
    public var cardholderName: String?
    /// The cryptogram in base64; 20 random bytes unless one is named.
    public var onlinePaymentCryptogram: SecretText
    /// The electronic commerce indicator, if there is to be one.
    public var eciIndicator: String?
    /// The Secure Element's output, if the token is to be of type `EMV`; cryptogram and indicator are then left out.
    public var emvPayment: EMVPayment?
    /// The submerchants, if the token is to be for several.
    public var submerchants: [Submerchant] = []
    /// The merchant token, if the token is to have been made for one.
    public var merchantToken: MerchantToken?
    /// The bytes of the payment request's `applicationData`, whose hash the token is to have, if there were any.
    public var applicationData: [UInt8]?
    /// When the token is signed: from 2014 to 2049, while the local authority's certificates are valid.
    public var signingTime: Instant
    /// The device's identifier of the transaction, 32 random bytes unless one is named.
    public var transactionId: [UInt8]

    /// An order for an amount at an instant, the rest as the members say.
    public init(
        accountNumber: AccountNumber, expirationDate: ApplicationExpirationDate, currencyCode: String,
        amountMinorUnits: Int64, signingTime: Instant
    ) {
        self.accountNumber = accountNumber
        self.expirationDate = expirationDate
        self.currencyCode = currencyCode
        self.amountMinorUnits = amountMinorUnits
        self.signingTime = signingTime
        onlinePaymentCryptogram = SecretText(Base64.encoded(RandomBytes.generate(20)))
        // Visa's real tokens carry an indicator, Mastercard's don't.
        eciIndicator = accountNumber.issuerIdentificationNumber.hasPrefix("4") ? "7" : nil
        transactionId = RandomBytes.generate(32)
    }
}

extension MintOrder {
    /// `paymentData` of type `EMV`.
    public struct EMVPayment: Sendable {
        /// `emvData`, base64.
        public var emvData: SecretText
        /// `encryptedPINData`, hexadecimal, if there is to be one; documented for `RSA_v1` only.
        public var encryptedPINData: SecretText?

        /// What a terminal would get; without `emvData` a made-up one, of a random cryptogram (9F26), the cryptogram's kind
        /// (9F27) and a random transaction counter (9F36).
        public init(emvData: SecretText? = nil, encryptedPINData: SecretText? = nil) {
            let cryptogram = [0x9F, 0x26, 8] + RandomBytes.generate(8)
            let counter = [0x9F, 0x36, 2] + RandomBytes.generate(2)
            self.emvData = emvData ?? SecretText(Base64.encoded(cryptogram + [0x9F, 0x27, 1, 0x80] + counter))
            self.encryptedPINData = encryptedPINData
        }
    }

    /// An entry of `authenticationResponses`.
    public struct Submerchant: Sendable {
        /// The submerchant as the coordinating merchant names it.
        public var merchantIdentifier: String
        /// Its amount in minor units of the currency.
        public var amountMinorUnits: Int64
        /// Its cryptogram in base64; 20 random bytes unless one is named.
        public var authenticationData: SecretText

        /// A submerchant with an amount.
        public init(merchantIdentifier: String, amountMinorUnits: Int64) {
            self.merchantIdentifier = merchantIdentifier
            self.amountMinorUnits = amountMinorUnits
            authenticationData = SecretText(Base64.encoded(RandomBytes.generate(20)))
        }
    }

    /// What a token for a merchant token has besides.
    public struct MerchantToken: Sendable {
        /// `merchantTokenIdentifier`.
        public var identifier: SecretText
        /// `cardMetadata.fpanSuffix` of `merchantTokenMetadata`.
        public var fpanSuffix: String
        /// `cardMetadata.expirationDate`. No real one was seen; the form `MM/YY` is our choice.
        public var expirationDate: String

        /// A merchant token; see the members.
        public init(identifier: SecretText, fpanSuffix: String, expirationDate: String) {
            self.identifier = identifier
            self.fpanSuffix = fpanSuffix
            self.expirationDate = expirationDate
        }
    }
}
