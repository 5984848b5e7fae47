internal import ApplePay
internal import ApplePaySandbox
internal import HTTP
internal import HTTPTypes
internal import JSON
internal import Payments
internal import Values

/// A validated request to mint a token.
struct TokenOrder: Sendable {
    private let order: MintOrder
    private let defect: MintDefect?
    private let type: MintSpecification.PaymentDataType
    private let amount: Amount
    private let merchant: MerchantID
    private let recipient: TokenMint.Recipient
    private let authority: LocalAuthority
    private let operation: Authorize.Operation?

    private static let names = [
        "amount", "applicationData", "at", "cryptogram", "currency", "defect", "eci", "emvData", "expiry", "merchant",
        "merchantToken", "name", "pan", "pinData", "request", "subMerchants", "type", "version",
    ]

    /// Reads the request. Its members have the names of the options of `tollgate token mint`.
    init(_ content: WipedBuffer, _ gateway: ControlledGateway) throws(ControlFault) {
        guard let sandbox = gateway.sandbox else { throw .noSandbox }
        let fields = try ControlFields(content, Self.names)
        amount = try fields.amount("amount", in: try fields.currency("currency"))
        operation = try fields.word("request", Authorize.Operation.self)
        let version = try fields.version("version")
        let signingTime = try fields.instant("at") ?? gateway.clock.now()
        let specification = try fields.specification(amount.currency)
        do throws(MintSpecification.Fault) {
            order = try specification.order(
                amountMinorUnits: amount.minorUnits, currencyCode: amount.currency.numericCode, version,
                at: signingTime)
            defect = try specification.namedDefect(of: order, version)
        } catch {
            throw fields.fault(error.word.memberName, error.finding)
        }
        type = specification.type
        merchant = try fields.merchant("merchant") ?? sandbox.merchant
        let keys = gateway.merchants[merchant]?.applePay?.keys ?? []
        do throws(TokenMint.Recipient.Fault) {
            recipient = try TokenMint.Recipient(ofKeys: keys, version)
        } catch {
            throw fields.fault("merchant", "\(merchant): \(error.explanation)")
        }
        authority = sandbox.authority
    }

    /// Mints the token off the event loop, because it needs a signature and a key agreement.
    @concurrent
    func minted() async -> Response {
        let token: [UInt8]
        do { token = try TokenMint(authority).mint(order, for: recipient, defect: defect) } catch {
            return ControlFault("OpenSSL could not mint the token", status: .internalServerError).response
        }
        var members: JSONObject = [
            "amount": .string(amount.description), "currency": .string(amount.currency.code),
            "merchant": .string(merchant.text), "paymentToken": .string(String(decoding: token, as: UTF8.self)),
            "signingTime": .string(order.signingTime.description), "type": .string(type.rawValue),
            "version": .string(recipient.version.rawValue),
        ]
        members["defect"] = defect?.json
        members["request"] = operation.map {
            TokenRequest.content(
                of: $0.rawValue, amount: amount.description, currency: amount.currency.code, token: token)
        }
        return .control(.object(members), .created)
    }

    /// The defects that a minted token can have.
    static var defects: JSONValue { ["defects": .array(MintDefect.allCases.map(\.json))] }
}

extension MintDefect {
    /// The defect's name, with the step that must refuse a token with this defect.
    fileprivate var json: JSONValue {
        var members: JSONObject = [
            "name": .string(rawValue), "refusedAt": .string(refusingStep.rawValue), "summary": .string(summary),
        ]
        members["only"] = requirement.map { .string($0.description) }
        return .object(members)
    }
}

extension MintSpecification.Word {
    /// The name of the request's member for the value.
    fileprivate var memberName: String {
        switch self {
        case .accountNumber: "pan"
        case .expirationDate: "expiry"
        case .onlinePaymentCryptogram: "cryptogram"
        case .eciIndicator: "eci"
        case .emvData: "emvData"
        case .encryptedPINData: "pinData"
        case .defect: "defect"
        case .signingTime: "at"
        }
    }
}

extension ControlFields {
    fileprivate func currency(_ name: String) throws(ControlFault) -> Currency {
        guard let currency = Currency(code: try requiredString(name)) else {
            throw fault(name, "Not a code of ISO 4217")
        }
        return currency
    }

    fileprivate func amount(_ name: String, in currency: Currency) throws(ControlFault) -> Amount {
        let text = try decimal(name)
        do throws(Amount.Malformed) { return try Amount(text, currency) } catch {
            switch error {
            case .notDecimal: throw fault(name, "Not a plain decimal such as 12.50")
            case .length: throw fault(name, "Longer than \(Amount.charactersMax) characters")
            case .decimals(let max): throw fault(name, "\(currency.code) has \(max) decimals at most")
            case .exceedsMaximum: throw fault(name, "More than \(Amount.unitsMax)")
            }
        }
    }

    fileprivate func version(_ name: String) throws(ControlFault) -> TokenVersion {
        guard let text = try string(name) else { return .ellipticCurve }
        guard let version = TokenVersion(rawValue: text) else { throw fault(name, "Expected EC_v1 or RSA_v1") }
        return version
    }

    /// A merchant's identifier; nil if absent.
    func merchant(_ name: String) throws(ControlFault) -> MerchantID? {
        guard let text = try string(name) else { return nil }
        do { return try MerchantID(text) } catch { throw fault(name, "Not a merchant id") }
    }

    fileprivate func specification(_ currency: Currency) throws(ControlFault) -> MintSpecification {
        var specification = MintSpecification()
        specification.type = try word("type", MintSpecification.PaymentDataType.self) ?? specification.type
        specification.accountNumber = try string("pan") ?? specification.accountNumber
        specification.expirationDate = try string("expiry") ?? specification.expirationDate
        specification.onlinePaymentCryptogram = try string("cryptogram")
        specification.eciIndicator = try string("eci")
        specification.emvData = try string("emvData", max: 4096)
        specification.encryptedPINData = try string("pinData", max: 4096)
        specification.cardholderName = try string("name")
        specification.applicationData = try string("applicationData", max: 4096)
        specification.submerchants = try submerchants("subMerchants", currency)
        specification.merchantTokenIdentifier = try string("merchantToken")
        specification.defect = try string("defect")
        return specification
    }

    private func submerchants(
        _ name: String, _ currency: Currency
    ) throws(ControlFault) -> [MintSpecification.Submerchant] {
        guard let list = self[name] else { return [] }
        guard list.kind == .array, list.count <= 64 else { throw fault(name, "Expected an array of 64 at most") }
        var submerchants: [MintSpecification.Submerchant] = []
        for (index, node) in list.elements.enumerated() {
            let entry = try ControlFields(node, at: "\(name)[\(index)]", ["amount", "merchantIdentifier"])
            submerchants.append(
                (
                    try entry.requiredString("merchantIdentifier"),
                    try entry.amount("amount", in: currency).minorUnits
                ))
        }
        return submerchants
    }
}
