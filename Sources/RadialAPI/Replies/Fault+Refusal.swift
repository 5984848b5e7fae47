internal import ApplePay
internal import HTTPTypes
internal import Payments
internal import Vault

extension Fault {
    /// Maps a refusal to a fault. This is the only place that does so, except for refusals that an operation answers
    /// itself. No `default`: a new refusal does not compile until someone has chosen its fault.
    init(_ refusal: Refusal, in message: String) {
        let order = "\(message)/PaymentContext/OrderId"
        let amount = "\(message)/Amount"
        switch refusal {
        case .parametersDiffer: self = .duplicateRequest(in: message)
        case .missingPrivilege(let privilege):
            self.init(.accessNotConfigured, nil, "the store lacks the privilege '\(privilege.rawValue)'")
        case .applePayNotConfigured:
            self.init(.tenderGatewayConfiguration, nil, "the store has no key that opens Apple Pay tokens")
        case .orderReferenceMissing, .applicationDataHashMissing:
            self.init(
                .tenderGatewayConfiguration, nil,
                "the store compares a token's application data with what this API can't carry")
        case .tokenRefused(let report): self.init(report, in: message)
        case .cryptogramUsed: self.init(.orderState, order, "the cryptogram was used for another transaction")
        case .unknownOrder, .unknownTransaction, .noAuthorization, .nothingToVoid:
            self.init(.noAuthFound, order, "there is no such authorization")
        case .orderFull(let transactionsMax):
            self.init(.orderState, order, "an order has at most \(transactionsMax) transactions")
        case .orderParticularsFull(let bytesMax):
            self.init(.orderState, order, "an order keeps at most \(bytesMax) bytes of details")
        case .currencyNotAccepted:
            self.init(.tenderGatewayConfiguration, "\(amount)/@currencyCode", "the store does not accept this currency")
        case .amountNotPositive: self = .invalid(amount, "must be more than 0")
        case .orderNotAwaitingAuthorization(let status):
            self.init(.duplicateOrder, order, "an order of this id is \(status.rawValue) already")
        case .sourceOfFundsNotAllowed: self.init(.orderState, order, "the order has payments")
        case .currencyDiffers(let currency):
            self = .invalid("\(amount)/@currencyCode", "the currency of the order is \(currency.code)")
        case .exceedsAuthorized(let available):
            self.init(.orderState, amount, "only \(available) of the authorization is left")
        case .lessThanCaptured(let captured): self.init(.orderState, amount, "\(captured) is settled already")
        case .nothingToRefund, .severalToRefund, .unknownTarget, .targetNotRefundable:
            self.init(.orderState, order, "the order has no settled debit of this amount to credit")
        case .exceedsCaptured(let available): self.init(.orderState, amount, "only \(available) can be credited")
        case .totalExceedsMaximum: self.init(.orderState, amount, "the order's total would be out of range")
        case .voidedOutOfOrder: self.init(.orderState, order, "the authorization is settled already")
        case .orderBusy:
            self.init(
                .serviceUnavailable, nil, "other requests on the order kept getting in first; send the same one later",
                status: .serviceUnavailable)
        case .largeOrdersBusy:
            self.init(
                .serviceUnavailable, nil, "other large orders of the store are being read; send the same one later",
                status: .serviceUnavailable)
        case .storeUnavailable(let failure): self.init(failure)
        }
    }

    /// Maps a store failure to a fault.
    init(_ failure: StoreFailure) {
        switch failure {
        case .unavailable:
            self.init(
                .serviceUnavailable, nil, "the gateway can't process the request now; send the same one later",
                status: .serviceUnavailable)
        case .damaged, .corrupt:
            self.init(.systemError, nil, "the gateway's store is damaged", status: .internalServerError)
        case .full(.requestClaim, let countMax): self = .tooManyRequests(countMax: countMax)
        case .full(_, let countMax):
            self.init(
                .tenderGatewayConfiguration, nil,
                "the store has as many account tokens as it may have (\(countMax)); pay with those that it has, or ask the "
                    + "gateway's operator to let old orders go (keepOrdersDays), or for a new data directory")
        }
    }

    /// The limit of stored `requestId`s is reached, so no new one is accepted.
    static func tooManyRequests(countMax: Int) -> Fault {
        Fault(
            .tenderGatewayConfiguration, nil,
            "the store has made \(countMax) requests, and no more of them can be told from repetitions; ask the gateway's "
                + "operator to let old orders go (keepOrdersDays), or for a new data directory")
    }

    /// The same `requestId` was used with other content.
    static func duplicateRequest(in message: String) -> Fault {
        Fault(.duplicateRequest, "\(message)/@requestId", "another request was sent under this requestId")
    }

    /// The fault of a refused token, taken from the first failed step.
    private init(_ report: TokenReport, in message: String) {
        guard let refusal = report.refusal else {
            self.init(.tenderGatewayConfiguration, nil, "the store has no key that opens Apple Pay tokens")
            return
        }
        // In a DecryptBlobRequest the token has no parent element.
        let isDecryptBlob = message == "/\(RadialService.decryptBlob.requestName)"
        let finding =
            refusal == .digestDiffers
            ? "it was made with applicationData, which no element of this API carries, or was altered"
            // A finding may quote a member of the token, and merchants may put an account number there.
            : refusal.finding.maskingAccountNumbers()
        self.init(
            .applePayToken, isDecryptBlob ? message : "\(message)/WalletPaymentInformation",
            "token refused at step '\(refusal.step.rawValue)': \(finding)")
    }
}
