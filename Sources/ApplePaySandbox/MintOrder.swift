public import ApplePay
internal import OpenSSL
public import Values

/// The contents of a token to be minted: the payment data and the data around it.
public struct MintOrder: Sendable {
    /// The device account number; by default the first of Mastercard's published test numbers.
    public var accountNumber: AccountNumber
    /// The account number's expiry date, written as `YYMMDD`.
    public var expirationDate: ApplicationExpirationDate
    /// The numeric ISO 4217 code, three digits.
    public var currencyCode: String
    /// The amount in minor units of the currency.
    public var amountMinorUnits: Int64
    /// The name on the card; nil for none.
    public var cardholderName: String?
    /// The cryptogram in base64; by default 20 random bytes.
    public var onlinePaymentCryptogram: SecretText
    /// The electronic commerce indicator; nil for none.
    public var eciIndicator: String?
    /// The Secure Element's output. If it is set, the token has type `EMV`, without cryptogram and indicator.
    public var emvPayment: EMVPayment?
    /// The submerchants of a payment for several; empty otherwise.
    public var submerchants: [Submerchant] = []
    /// The merchant token that the payment is for; nil for none.
    public var merchantToken: MerchantToken?
    /// The payment request's `applicationData`, whose hash the token contains; nil for none.
    public var applicationData: [UInt8]?
    /// The signing time, from 2014 to 2049, while the local authority's certificates are valid.
    public var signingTime: Instant
    /// The device's transaction identifier; by default 32 random bytes.
    public var transactionId: [UInt8]

    /// Creates an order for an amount, signed at an instant. All other members have their defaults.
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
        // Real Visa tokens have an indicator; Mastercard's don't.
        eciIndicator = accountNumber.issuerIdentificationNumber.hasPrefix("4") ? "7" : nil
        transactionId = RandomBytes.generate(32)
    }
}

extension MintOrder {
    /// `paymentData` of type `EMV`.
    public struct EMVPayment: Sendable {
        /// `emvData`, base64.
        public var emvData: SecretText
        /// `encryptedPINData`, hexadecimal; nil for none. It is documented for `RSA_v1` only.
        public var encryptedPINData: SecretText?

        /// Creates EMV data as a terminal would receive it. Without `emvData` it is generated: a random cryptogram
        /// (9F26), the cryptogram's type (9F27) and a random transaction counter (9F36).
        public init(emvData: SecretText? = nil, encryptedPINData: SecretText? = nil) {
            let cryptogram = [0x9F, 0x26, 8] + RandomBytes.generate(8)
            let counter = [0x9F, 0x36, 2] + RandomBytes.generate(2)
            self.emvData = emvData ?? SecretText(Base64.encoded(cryptogram + [0x9F, 0x27, 1, 0x80] + counter))
            self.encryptedPINData = encryptedPINData
        }
    }

    /// An entry of `authenticationResponses`.
    public struct Submerchant: Sendable {
        /// The submerchant's identifier, as the coordinating merchant names it.
        public var merchantIdentifier: String
        /// The submerchant's amount in minor units of the currency.
        public var amountMinorUnits: Int64
        /// The submerchant's cryptogram in base64; by default 20 random bytes.
        public var authenticationData: SecretText

        /// Creates a submerchant with an amount.
        public init(merchantIdentifier: String, amountMinorUnits: Int64) {
            self.merchantIdentifier = merchantIdentifier
            self.amountMinorUnits = amountMinorUnits
            authenticationData = SecretText(Base64.encoded(RandomBytes.generate(20)))
        }
    }

    /// The additional members of a token for a merchant token.
    public struct MerchantToken: Sendable {
        /// `merchantTokenIdentifier`.
        public var identifier: SecretText
        /// `cardMetadata.fpanSuffix` of `merchantTokenMetadata`.
        public var fpanSuffix: String
        /// `cardMetadata.expirationDate`. No real value is known; the form `MM/YY` is Tollgate's choice.
        public var expirationDate: String

        /// Creates a merchant token.
        public init(identifier: SecretText, fpanSuffix: String, expirationDate: String) {
            self.identifier = identifier
            self.fpanSuffix = fpanSuffix
            self.expirationDate = expirationDate
        }
    }
}
