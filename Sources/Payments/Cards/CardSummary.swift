public import Values

/// A card as replies show it: masked, with what its number tells.
public struct CardSummary: Equatable, Sendable {
    /// The brand.
    public let brand: CardBrand
    /// How the card is funded.
    public let fundingMethod: FundingMethod
    /// Whether the merchant keeps the card details.
    public let storedOnFile: StoredOnFile
    /// The number that funds the payment, masked: a card's 6.4, a device's funding account number 0.4. Absent if a
    /// device paid and the issuer gave no funding account number.
    public internal(set) var number: String?
    /// The expiry of `number`; absent with it.
    public let expiry: CardExpiry?
    /// What a device paid with; absent for a card in clear.
    public internal(set) var device: DeviceCardSummary?
    /// Who issued a card in clear; absent if it is not known, and of a device's payment.
    public let issuer: String?
    /// The whole account numbers, sealed; absent unless the merchant may see them.
    public let sealedNumbers: [UInt8]?
    /// The name on the card, sealed; absent if none was given.
    public let sealedName: [UInt8]?
    /// What stands for the account, of a payment that came by an API whose replies have such a token.
    public let accountToken: String?
    /// What `sealedName` holds, once a gateway has opened it for a reply; no record has it.
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

    /// The scheme that clears payments of the brand.
    public var scheme: CardScheme { brand.scheme }

    /// What replies show of a card that paid, and of the account that funds it if a device did.
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

/// A device's account as replies show it; `card.encryption` is then `DEVICE`.
public struct DeviceCardSummary: Equatable, Sendable {
    /// `deviceSpecificNumber`: the device account number, masked 6.4.
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
