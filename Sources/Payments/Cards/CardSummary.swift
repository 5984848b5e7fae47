public import Values

/// A card as replies show it: its number is masked, and its brand is determined from the number.
public struct CardSummary: Equatable, Sendable {
    /// The brand.
    public let brand: CardBrand
    /// How the card is funded.
    public let fundingMethod: FundingMethod
    /// Whether the merchant stores the card details.
    public let storedOnFile: StoredOnFile
    /// The masked number of the account that funds the payment: the first 6 and last 4 digits of a plain card, the last
    /// 4 of a device's funding account. Absent if a device paid and the issuer returned no funding account.
    public internal(set) var number: String?
    /// The expiry of `number`; absent if `number` is.
    public let expiry: CardExpiry?
    /// The device's account; absent for a plain card.
    public internal(set) var device: DeviceCardSummary?
    /// The issuer of a plain card; absent if it is unknown, or if a device paid.
    public let issuer: String?
    /// The unmasked account numbers, sealed; absent unless the merchant has the privilege to see them.
    public let sealedNumbers: [UInt8]?
    /// The name on the card, sealed; absent if the request gave none.
    public let sealedName: [UInt8]?
    /// The token that represents the account; only for payments through an API whose replies have such tokens.
    public let accountToken: String?
    /// The plaintext of `sealedName`, after a gateway has opened it for a reply; never in a record.
    public internal(set) var nameOnCard: SecretText?

    /// A masked card.
    public init(
        brand: CardBrand, fundingMethod: FundingMethod, storedOnFile: StoredOnFile, number: String?,
        expiry: CardExpiry?, device: DeviceCardSummary?, sealedNumbers: [UInt8]? = nil, sealedName: [UInt8]? = nil,
        issuer: String? = nil, accountToken: String? = nil
    ) {
        self.brand = brand
        self.fundingMethod = fundingMethod
        self.storedOnFile = storedOnFile
        self.number = number
        self.expiry = expiry
        self.device = device
        self.issuer = issuer
        self.sealedNumbers = sealedNumbers
        self.sealedName = sealedName
        self.accountToken = accountToken
    }

    /// The scheme that clears payments of the card's brand.
    public var scheme: CardScheme { brand.scheme }

    /// The summary of a card and, if a device paid, of its funding account.
    public init(
        _ card: Card, fundingAccount: FundingAccount?, sealedNumbers: [UInt8]? = nil, sealedName: [UInt8]? = nil,
        issuer: String? = nil, accountToken: String? = nil
    ) {
        self.issuer = issuer
        self.sealedNumbers = sealedNumbers
        self.sealedName = sealedName
        self.accountToken = accountToken
        brand = CardBrand(card.accountNumber)
        storedOnFile = .notStored
        if let devicePayment = card.devicePayment {
            fundingMethod = .unknown
            number = fundingAccount?.accountNumber.masked(first: 0, last: 4)
            expiry = fundingAccount?.expiry
            device = DeviceCardSummary(
                number: card.accountNumber.masked(first: 6, last: 4), expiry: card.expiry,
                cryptogramFormat: devicePayment.cryptogramFormat)
        } else {
            fundingMethod = .credit
            number = card.accountNumber.masked(first: 6, last: 4)
            expiry = card.expiry
            device = nil
        }
    }
}

/// A device's account as replies show it; `card.encryption` is `DEVICE` in this case.
public struct DeviceCardSummary: Equatable, Sendable {
    /// `deviceSpecificNumber`: the first 6 and last 4 digits of the device account number, the others masked.
    public let number: String
    /// `deviceSpecificExpiry`.
    public let expiry: CardExpiry
    /// `devicePayment.cryptogramFormat`.
    public let cryptogramFormat: CryptogramFormat

    /// A masked device account.
    public init(number: String, expiry: CardExpiry, cryptogramFormat: CryptogramFormat) {
        self.number = number
        self.expiry = expiry
        self.cryptogramFormat = cryptogramFormat
    }
}
