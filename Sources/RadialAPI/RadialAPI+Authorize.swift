internal import ApplePay
internal import MerchantAPI
internal import Payments
internal import XML

extension RadialAPI {
    /// `CreditCardAuth`: an AUTHORIZE under the name of the request.
    func authorize(_ call: Call, _ tender: TenderType) async throws(Fault) -> [UInt8] {
        let request = try CreditCardAuthRequest(call.root, tender: tender)
        call.trace.note(order: request.orderID.text, transaction: request.requestID.text)
        let parameters = RequestParameters.text(of: call.root, "auth/\(tender.rawValue)")
        return try await once(request.requestID, call, parameters, isInLedger: true) { () throws(Fault) in
            if let before = try await answered(request.requestID, request.orderID, call, parameters) {
                call.trace.note(before)
                return try CreditCardAuthReply(before, to: request).text
            }
            let sourceOfFunds = try await sourceOfFunds(request, call, tender)
            let amount = try amount(of: request, call)
            let command = Command.authorize(
                Authorize(
                    operation: .authorize,
                    instruction: instruction(
                        request.requestID, request.orderID, call, parameters, particulars: .payer(request.payer)),
                    amount: amount, sourceOfFunds: sourceOfFunds,
                    walletProvider: tender == .digitalWallet ? .applePay : nil))
            let transaction: Transaction
            do throws(Refusal) { transaction = try await carryOut(command, call) } catch {
                throw inOrderOfAuth(fault(error, call), tender)
            }
            return try CreditCardAuthReply(transaction, to: request).text
        }
    }

    /// A wallet's request has its order id at the top, without a context.
    private func inOrderOfAuth(_ fault: Fault, _ tender: TenderType) -> Fault {
        var fault = fault
        if tender == .digitalWallet, fault.path?.hasSuffix("/PaymentContext/OrderId") == true {
            fault.path = "/CreditCardAuthRequest/OrderId"
        }
        return fault
    }

    /// The amount that a request names, or the total of its token.
    private func amount(of request: CreditCardAuthRequest, _ call: Call) throws(Fault) -> Amount {
        if let amount = request.amount { return amount }
        guard case .wallet(let token) = request.funds else { throw .missing("\(call.root.path)/Amount") }
        defer { call.trace.stages.end(.open) }
        let total: Amount?
        do throws(Refusal) { total = try call.merchant.total(of: token, at: now()) } catch { throw fault(error, call) }
        guard let total else {
            throw .invalid("\(call.root.path)/Amount", "the token's total can't be taken; name an amount")
        }
        return total
    }

    private func sourceOfFunds(
        _ request: CreditCardAuthRequest, _ call: Call, _ tender: TenderType
    ) async throws(Fault) -> SourceOfFunds {
        switch request.funds {
        case .wallet(let token): return .applePayToken(token)
        case .card(let card):
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
    }

    /// The number that a token of the store's stands for.
    func accountNumber(of token: String, _ path: String, _ call: Call) async throws(Fault) -> AccountNumber {
        do throws(StoreFailure) {
            if let number = try await accountTokens.accountNumber(of: token, of: call.merchant.id) { return number }
        } catch {
            throw Fault(error)
        }
        throw Fault(.tokenNotFound, path, "the token stands for no account number of the store")
    }
}
