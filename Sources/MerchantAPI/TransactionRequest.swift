internal import ApplePay
internal import JSON
internal import Payments

extension Authorize {
    /// Reads an AUTHORIZE or PAY.
    ///
    /// The operation is judged first; then unknown fields and the forms of the known ones, in the order of the text;
    /// then what must be there; then the source of funds as a whole. Whether it is lawful is the domain's to say.
    init(
        _ document: JSONDocument, merchant: Merchant, order: OrderID, transaction: TransactionID
    ) throws(ErrorReply) {
        let request = document.root
        guard let operationNode = request.member("apiOperation") else { throw .missing("apiOperation") }
        guard let operationName = operationNode.string else {
            throw .invalidSecret("apiOperation", "Expected a string")
        }
        let operation = try APIOperation.authorizing(operationName)
        let echoed = try PaymentFields.all.check(request)

        let orderNode = request.member("order")
        guard let currencyCode = orderNode?.member("currency")?.string else { throw .missing("order.currency") }
        guard let currency = Currency(code: currencyCode) else {
            throw .invalid("order.currency", currencyCode, "ISO 4217 lists no such currency")
        }
        guard let amountNode = orderNode?.member("amount") else { throw .missing("order.amount") }
        let amount = try amountNode.amount(in: currency)
        let wallet = orderNode?.member("walletProvider")?.string.flatMap(WalletProvider.init(rawValue:))
        let source = request.member("transaction")?.member("source")?.string
        self.init(
            operation: operation,
            instruction: Instruction(
                merchant: merchant, order: order, transaction: transaction,
                source: source.flatMap(TransactionSource.init(rawValue:)),
                parameters: CanonicalParameters.text(of: document), particulars: .object(echoed)),
            amount: amount, sourceOfFunds: try SourceOfFunds(request.member("sourceOfFunds"), wallet: wallet),
            walletProvider: wallet)
    }
}

extension JSONNode {
    /// The value of an object's member, unless it is absent or null.
    func member(_ name: String) -> JSONNode? {
        guard let value = self[name], !value.isNull else { return nil }
        return value
    }

    /// An amount, of text or of a number's text; its form was not checked yet.
    fileprivate func amount(in currency: Currency) throws(ErrorReply) -> Amount {
        let text = string ?? numberText ?? ""
        do throws(Amount.Malformed) {
            return try Amount(text, currency)
        } catch {
            let reason =
                switch error {
                case .notDecimal: "Expected digits, optionally followed by a point and more digits"
                case .length(let count):
                    ErrorReply.lengthFault(count, 1...Amount.charactersMax) ?? "Its length is wrong"
                case .decimals(let max): "\(currency.code) has at most \(max) decimals"
                case .exceedsMaximum: "It must not be more than \(Amount.unitsMax)"
                }
            throw .invalid("order.amount", text, reason)
        }
    }
}
