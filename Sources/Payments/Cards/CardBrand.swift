public import Values

/// `card.brand`: the brand of the card, determined by the issuer identification number.
public enum CardBrand: String, CaseIterable, Sendable {
    /// American Express.
    case amex = "AMEX"
    /// Diners Club.
    case dinersClub = "DINERS_CLUB"
    /// Discover.
    case discover = "DISCOVER"
    /// JCB.
    case jcb = "JCB"
    /// Maestro, cleared by the Mastercard scheme.
    case maestro = "MAESTRO"
    /// Mastercard.
    case mastercard = "MASTERCARD"
    /// Universal Air Travel Plan.
    case uatp = "UATP"
    /// UnionPay.
    case unionPay = "UNIONPAY"
    /// The number is in none of the known ranges.
    case unknown = "UNKNOWN"
    /// Visa.
    case visa = "VISA"

    /// The brand of an account number.
    ///
    /// - Source: the issuer identification number ranges that the schemes publish (ISO/IEC 7812-1). Where the ranges of
    ///   Discover and UnionPay overlap, the brand is UnionPay.
    public init(_ accountNumber: AccountNumber) {
        guard let prefix = Int(accountNumber.issuerIdentificationNumber) else {
            preconditionFailure("an account number has digits")
        }
        self =
            switch prefix {
            case 340_000...349_999, 370_000...379_999: .amex
            case 300_000...305_999, 309_500...309_599, 360_000...369_999, 380_000...399_999: .dinersClub
            case 601_100...601_199, 644_000...659_999: .discover
            case 352_800...358_999: .jcb
            case 222_100...272_099, 510_000...559_999: .mastercard
            case 100_000...199_999: .uatp
            case 620_000...629_999, 810_000...817_199: .unionPay
            case 400_000...499_999: .visa
            case 500_000...509_999, 560_000...599_999, 600_000...699_999: .maestro
            default: .unknown
            }
    }

    /// The scheme that clears payments of this brand.
    public var scheme: CardScheme {
        switch self {
        case .amex: .amex
        case .dinersClub: .dinersClub
        case .discover: .discover
        case .jcb: .jcb
        case .maestro, .mastercard: .mastercard
        case .uatp: .uatp
        case .unionPay: .unionPay
        case .unknown: .other
        case .visa: .visa
        }
    }
}

/// `card.scheme`: the organization that clears payments of a brand.
public enum CardScheme: String, CaseIterable, Sendable {
    /// American Express.
    case amex = "AMEX"
    /// Diners Club.
    case dinersClub = "DINERS_CLUB"
    /// Discover.
    case discover = "DISCOVER"
    /// JCB.
    case jcb = "JCB"
    /// Mastercard.
    case mastercard = "MASTERCARD"
    /// Any other scheme.
    case other = "OTHER"
    /// Universal Air Travel Plan.
    case uatp = "UATP"
    /// UnionPay.
    case unionPay = "UNIONPAY"
    /// Visa.
    case visa = "VISA"
}

/// `card.fundingMethod`.
public enum FundingMethod: String, CaseIterable, Sendable {
    /// Paid in full each month.
    case charge = "CHARGE"
    /// Paid from a credit line.
    case credit = "CREDIT"
    /// Paid from a deposit.
    case debit = "DEBIT"
    /// Not reported by the issuer.
    case unknown = "UNKNOWN"
}

/// `card.storedOnFile`.
public enum StoredOnFile: String, CaseIterable, Sendable {
    /// The merchant doesn't store the card details.
    case notStored = "NOT_STORED"
    /// The merchant has stored the card details already.
    case stored = "STORED"
    /// The merchant will store the card details from now on.
    case toBeStored = "TO_BE_STORED"
}
