internal import Payments
internal import Values
internal import Vault
internal import XML

/// `TenderClass`.
enum TenderClass: String, CaseIterable {
    case creditCard = "CreditCard"
    case privateLabelCreditCard = "PrivateLabelCreditCard"
    case storedValue = "StoredValue"
    case payPal = "PayPal"

    /// The tender class of a request.
    init(_ fields: ElementFields) throws(Fault) {
        let words = Self.allCases.map(\.rawValue)
        guard let tenderClass = TenderClass(rawValue: try fields.required("TenderClass", .oneOf(words))) else {
            throw .missing(fields.path("TenderClass"))
        }
        self = tenderClass
    }
}

extension RadialService {
    /// Tokenizes an account number.
    static let protectPan = RadialService("ProtectPan", at: "pan/protect", tender: .optional) {
        (api, call) throws(Fault) in try await api.protectPan(call)
    }
    /// Looks up the tender type of an account number.
    static let tenderTypeLookup = RadialService("TenderTypeLookup", at: "tendertype/lookup") {
        (api, call) throws(Fault) in try await api.lookUpTenderType(call)
    }
}

extension RadialAPI {
    /// `ProtectPan`: tokenizes an account number. The same number always gets the same token.
    func protectPan(_ call: Call) async throws(Fault) -> [UInt8] {
        let names: Set = ["PaymentAccountNumber", "EncryptedPaymentAccountNumber", "TenderClass"]
        let fields = try ElementFields(call.root, known: names, attributes: ["requestId", "sessionId"])
        if let encrypted = fields["EncryptedPaymentAccountNumber"] {
            throw Fault(
                .tenderGatewayConfiguration, encrypted.path, "the store has no key that opens encrypted account numbers"
            )
        }
        let element = try fields.required("PaymentAccountNumber")
        _ = try ElementFields(element, known: [])
        let number = try element.accountNumber()
        guard try TenderClass(fields) == .creditCard else {
            throw Fault(.invalidTenderType, fields.path("TenderClass"), "only CreditCard is served here")
        }
        let token: String
        do throws(StoreFailure) {
            token = try await accountTokens.token(for: number, of: call.merchant.id, at: now())
        } catch {
            throw Fault(error)
        }
        return try ReplyText.document("ProtectPanReply") { reply throws(XMLUnwritable) in
            try reply.element("Token", text: token)
        }
    }

    /// `TenderTypeLookup`: the tender type of an account number.
    func lookUpTenderType(_ call: Call) async throws(Fault) -> [UInt8] {
        let names: Set = [
            "PaymentAccountUniqueId", "EncryptedPaymentAccountUniqueId", "TenderClass", "CurrencyCode",
        ]
        let fields = try ElementFields(call.root, known: names, attributes: ["requestId", "sessionId"])
        if let encrypted = fields["EncryptedPaymentAccountUniqueId"] {
            throw Fault(
                .tenderGatewayConfiguration, encrypted.path, "the store has no key that opens encrypted account numbers"
            )
        }
        let element = try fields.required("PaymentAccountUniqueId")
        let tenderClass = try TenderClass(fields)
        let code = try fields.required("CurrencyCode", .length(3...3))
        guard let currency = Currency(code: code) else {
            throw .invalid(fields.path("CurrencyCode"), "must be a code of ISO 4217")
        }
        let (tender, responseCode) = try await tender(element, tenderClass, currency, call)
        return try ReplyText.document("TenderTypeLookupReply") { reply throws(XMLUnwritable) in
            try reply.element("TenderType", optionalText: tender?.rawValue)
            try reply.element("ResponseCode", text: responseCode)
        }
    }

    private func tender(
        _ element: XMLElement, _ tenderClass: TenderClass, _ currency: Currency, _ call: Call
    ) async throws(Fault) -> (TenderType?, responseCode: String) {
        let number: AccountNumber
        do throws(Fault) {
            switch try PaymentAccount(element) {
            case .number(let given): number = given
            case .token(let token): number = try await accountNumber(of: token, element.path, call)
            }
        } catch {
            guard error.code == .panFailsLuhnCheck else { throw error }
            return (nil, "PAN_FAILS_LUHN_CHECK")
        }
        guard tenderClass == .creditCard, let tender = TenderType(CardBrand(number)) else {
            return (nil, "NO_TENDER_TYPE_FOUND")
        }
        guard call.merchant.accepts(currency) else { return (nil, "PAN_NOT_CONFIGURED_TO_STORE") }
        return (tender, "TENDER_TYPE_FOUND")
    }
}
