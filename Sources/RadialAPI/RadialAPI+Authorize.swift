internal import ApplePay
internal import Access
internal import Payments
internal import Values
internal import Vault
internal import XML

extension RadialService {
    /// Authorizes an amount.
    static let creditCardAuth = RadialService("CreditCardAuth", at: "creditcard/auth", tender: .required) {
        (api, call) throws(Fault) in try await api.authorize(call, try call.tender)
    }
}

extension RadialAPI {
    /// `CreditCardAuth`: an AUTHORIZE whose transaction id is the `requestId`.
    func authorize(_ call: Call, _ tender: TenderType) async throws(Fault) -> [UInt8] {
        let request = try CreditCardAuthRequest(call.root, tender: tender)
        call.trace.note(order: request.orderID.text, transaction: request.requestID.text)
        let parameters = RequestParameters.text(of: call.root, "auth/\(tender.rawValue)")
        return try await onceByLedger(request.requestID, call, parameters) { (claim) throws(Fault) in
            if let before = try await answered(request.requestID, request.orderID, call, parameters) {
                call.trace.note(before)
                return try CreditCardAuthReply(before, to: request).text
            }
            let (amount, sourceOfFunds) = try await payment(request, call, tender)
            let command = Command.authorize(
                Authorize(
                    operation: .authorize,
                    instruction: instruction(
                        request.requestID, request.orderID, call, parameters, particulars: .payer(request.payer),
                        claim: claim),
                    amount: amount, sourceOfFunds: sourceOfFunds,
                    walletProvider: tender == .digitalWallet ? .applePay : nil))
            let transaction: Transaction
            do throws(Refusal) { transaction = try await carryOut(command, call) } catch {
                throw inOrderOfAuth(fault(error, call), tender)
            }
            return try CreditCardAuthReply(transaction, to: request).text
        }
    }

    /// Adjusts a fault's path: a wallet's request has its order id at the top level, without a context.
    private func inOrderOfAuth(_ fault: Fault, _ tender: TenderType) -> Fault {
        var fault = fault
        if tender == .digitalWallet, fault.path?.hasSuffix("/PaymentContext/OrderId") == true {
            fault.path = "/CreditCardAuthRequest/OrderId"
        }
        return fault
    }

    /// The amount and the means of payment. If a wallet's request omits the amount, the token's total counts.
    private func payment(
        _ request: CreditCardAuthRequest, _ call: Call, _ tender: TenderType
    ) async throws(Fault) -> (Amount, SourceOfFunds) {
        switch (request.funds, request.amount) {
        case (.wallet(let token), let amount?): return (amount, .applePayToken(token))
        case (.wallet(let token), nil):
            defer { call.trace.stages.end(.open) }
            let (report, paymentData): (TokenReport, PaymentData)
            do throws(Refusal) {
                (report, paymentData) = try call.merchant.report(
                    on: token, at: now(), noting: call.trace.note(notices:))
            } catch { throw fault(error, call) }
            guard let total = Amount(totalOf: paymentData) else {
                throw .invalid("\(call.root.path)/Amount", "the token's total can't be taken; name an amount")
            }
            return (total, .openedApplePayToken(report))
        case (.card, nil): throw .missing("\(call.root.path)/Amount")
        case (.card(let card), let amount?): return (amount, try await sourceOfFunds(card, call, tender))
        }
    }

    private func sourceOfFunds(
        _ card: PlainCard, _ call: Call, _ tender: TenderType
    ) async throws(Fault) -> SourceOfFunds {
        let number: AccountNumber
        switch card.account {
        case .number(let given): number = given
        case .token(let token): number = try await accountNumber(of: token, card.accountPath, call)
        }
        let brand = CardBrand(number)
        guard let ofCard = TenderType(brand) else {
            throw Fault(
                .unknownPanBinRange, card.accountPath, "the account number is of no brand that is known here")
        }
        guard ofCard == tender else {
            throw Fault(.invalidTenderType, card.accountPath, "the card's tender type is \(ofCard.rawValue)")
        }
        return .card(Card(accountNumber: number, expiry: card.expiry, securityCode: card.securityCode))
    }

    /// Returns the account number of a store's token.
    func accountNumber(of token: String, _ path: String, _ call: Call) async throws(Fault) -> AccountNumber {
        do throws(StoreFailure) {
            if let number = try await accountTokens.accountNumber(of: token, of: call.merchant.id) { return number }
        } catch {
            throw Fault(error)
        }
        throw Fault(.tokenNotFound, path, "the token stands for no account number of the store")
    }
}
