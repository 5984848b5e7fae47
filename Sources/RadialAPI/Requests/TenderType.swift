internal import Payments

/// The means of payment of an order, as paths and replies name it.
enum TenderType: String, CaseIterable {
    /// American Express.
    case americanExpress = "AM"
    /// Discover, and the brands on its network: Diners Club, JCB and UnionPay.
    case discover = "DC"
    /// A digital wallet.
    case digitalWallet = "DW"
    /// Mastercard, and Maestro.
    case mastercard = "MC"
    /// Visa.
    case visa = "VC"

    /// The tender type of a brand; nil if there is none.
    init?(_ brand: CardBrand) {
        switch brand {
        case .amex: self = .americanExpress
        case .dinersClub, .discover, .jcb, .unionPay: self = .discover
        case .maestro, .mastercard: self = .mastercard
        case .visa: self = .visa
        case .uatp, .unknown: return nil
        }
    }

    /// The tender type that the reply to an authorization names, and that follow-up requests must repeat. `DW` for a
    /// wallet whose brand has no tender type.
    init(ofReply brand: CardBrand) { self = TenderType(brand) ?? .digitalWallet }

    /// The tender type of a path.
    init(path text: String) throws(Fault) {
        guard let tender = TenderType(rawValue: text) else {
            let known = TenderType.allCases.map(\.rawValue).joined(separator: ", ")
            throw Fault(.invalidTenderType, nil, "the tender type of the path must be one of \(known)")
        }
        self = tender
    }
}
