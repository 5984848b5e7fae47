internal import JSON
internal import Payments
internal import Vault

/// A request to store a card under a token.
struct Tokenization {
    /// The card's fields from all sources.
    let fields: JSONNode
    let verificationStrategy: CardToken.VerificationStrategy
    let correlationID: String?

    /// The cardholder is validated and then dropped, since a token only stores the card.
    static let table = RequestFields(
        [
            .taken("apiOperation", .text(1...40)),
            .echoed("correlationId", .text(1...100)),
            .taken("order.currency", .pattern(3...3, .alphabeticCode)),
            .taken("session.id", .text(1...35)),
            .taken("session.version", .pattern(10...10, .ascii)),
            .taken("transaction.currency", .pattern(3...3, .alphabeticCode)),
            .taken(
                "verificationStrategy",
                .enumeration(CardToken.VerificationStrategy.allCases.map(\.rawValue), unsupported: ["ACQUIRER"])),
            .unsupported("referenceOrderId"),
        ] + PaymentFields.payer + PaymentFields.sourceOfFunds)

    /// Validates the operation's name and the fields as sent.
    static func checked(_ sent: JSONNode) throws(ErrorReply) -> JSONNode {
        try sent.expectOperation("TOKENIZE")
        _ = try table.check(sent, in: nil)
        try sent.checkSessionID()
        return sent
    }

    /// Reads the card, which must be complete. A device's cryptogram and an encrypted token are refused, since they
    /// are valid for one payment only.
    init(_ fields: JSONNode, sent: JSONNode) throws(ErrorReply) {
        guard let card = fields.member("sourceOfFunds")?.member("provided")?.member("card") else {
            throw .missing(PaymentFields.card + ".number")
        }
        if let device = card.member("devicePayment"), device.holdsAnything {
            throw .unsupported(PaymentFields.card + ".devicePayment")
        }
        _ = try Card(card)
        self.fields = fields
        let strategy = sent.member("verificationStrategy")?.string
        verificationStrategy = strategy.flatMap(CardToken.VerificationStrategy.init(rawValue:)) ?? .basic
        correlationID = sent.member("correlationId")?.fieldText
    }
}
