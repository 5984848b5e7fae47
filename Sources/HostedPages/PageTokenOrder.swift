internal import ApplePay
internal import ApplePaySandbox
internal import HTTP
internal import HTTPTypes
internal import JSON
internal import OpenSSL
internal import Payments
internal import Values

/// A validated request of a page for a token.
struct PageTokenOrder: Sendable {
    let order: MintOrder
    let defect: MintDefect?
    let card: WalletCard
    let recipient: TokenMint.Recipient

    private static let names = [
        "amount", "applicationData", "card", "countryCode", "currencyCode", "defect", "grant", "multiTokenContexts",
        "recurring",
    ]
    private static let contextNames = [
        "amount", "externalIdentifier", "merchantDomain", "merchantIdentifier", "merchantName",
    ]
    private static let contextsMax = 64
    private static let applicationDataBytesMax = 4096

    /// Reads the request.
    ///
    /// - Parameters:
    ///   - keys: the merchant's keys for the merchant identifier of the grant.
    ///   - now: the signing time.
    init(_ fields: HostedFields, keys: [PaymentProcessingKey], at now: Instant) throws(HostedFault) {
        try fields.expect(Self.names)
        guard let currency = Currency(code: try fields.requiredString("currencyCode")) else {
            throw fields.fault("currencyCode", "not a code of ISO 4217")
        }
        let country = try fields.requiredString("countryCode")
        guard country.utf8.count == 2, country.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
        else { throw fields.fault("countryCode", "not a code of ISO 3166: two capital letters") }
        let amount = try fields.amount("amount", in: currency)
        let name = try fields.requiredString("card")
        guard let card = WalletCard.all.first(where: { $0.network == name }) else {
            throw fields.fault("card", "the cards are \(WalletCard.all.map(\.network).joined(separator: ", "))")
        }
        self.card = card
        recipient = try Self.recipient(keys)

        var specification = MintSpecification()
        specification.accountNumber = card.accountNumber
        specification.submerchants = try Self.submerchants(fields, currency)
        specification.defect = try fields.string("defect")
        if try fields.bool("recurring") {
            specification.merchantTokenIdentifier = Hexadecimal.encoded(RandomBytes.generate(16))
        }
        let applicationData = try Self.applicationData(fields)
        do throws(MintSpecification.Fault) {
            var order = try specification.order(
                amountMinorUnits: amount.minorUnits, currencyCode: amount.currency.numericCode, recipient.version,
                at: now)
            order.applicationData = applicationData
            defect = try specification.namedDefect(of: order, recipient.version)
            self.order = order
        } catch {
            throw fields.fault(error.word == .signingTime ? "The gateway's clock" : "defect", error.finding)
        }
    }

    /// The merchant's key for `EC_v1`, or the key for `RSA_v1` if there is no other.
    private static func recipient(_ keys: [PaymentProcessingKey]) throws(HostedFault) -> TokenMint.Recipient {
        let version: TokenVersion = keys.contains { $0.tokenVersion == .ellipticCurve } ? .ellipticCurve : .rsa
        do throws(TokenMint.Recipient.Fault) { return try TokenMint.Recipient(ofKeys: keys, version) } catch {
            throw HostedFault("The merchant of the session: \(error.explanation)", status: .forbidden)
        }
    }

    private static func applicationData(_ fields: HostedFields) throws(HostedFault) -> [UInt8]? {
        guard let text = try fields.string("applicationData", max: applicationDataBytesMax) else { return nil }
        guard let bytes = Base64.decoded(text) else { throw fields.fault("applicationData", "not base64") }
        return bytes
    }

    private static func submerchants(
        _ fields: HostedFields, _ currency: Currency
    ) throws(HostedFault) -> [MintSpecification.Submerchant] {
        let name = "multiTokenContexts"
        guard let list = fields[name] else { return [] }
        guard list.kind == .array, list.count <= contextsMax else {
            throw fields.fault(name, "expected an array of at most \(contextsMax)")
        }
        var submerchants: [MintSpecification.Submerchant] = []
        for (index, node) in list.elements.enumerated() {
            let context = try HostedFields(node, at: "\(name)[\(index)]")
            try context.expect(contextNames)
            for text in ["externalIdentifier", "merchantDomain", "merchantName"] { _ = try context.string(text) }
            let amount = try context.amount("amount", in: currency)
            submerchants.append((try context.requiredString("merchantIdentifier"), amount.minorUnits))
        }
        return submerchants
    }
}

extension PageTokenOrder {
    /// Mints the token off the event loop, because it needs a signature and a key agreement.
    @concurrent
    func minted(by authority: LocalAuthority) async throws(HostedFault) -> Response {
        let token: [UInt8]
        do { token = try TokenMint(authority).mint(order, for: recipient, defect: defect) } catch {
            throw HostedFault("OpenSSL could not mint the token", status: .internalServerError)
        }
        guard let paymentData = try? JSONValue(parsing: token) else { preconditionFailure("the mint writes JSON") }
        return .hosted([
            "token": [
                "paymentData": paymentData, "paymentMethod": card.paymentMethod,
                "transactionIdentifier": .string(Hexadecimal.encoded(order.transactionId)),
            ]
        ])
    }
}
