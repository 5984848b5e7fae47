import Payments
import RadialAPI
import Values

/// The simulated acquirer's configuration, `simulator.yaml`.
struct SimulatorFile {
    /// The acquirer that the file describes.
    let acquirer: SimulatedAcquirer

    private static let outcomeKeys = [
        "gatewayCode", "result", "orderStatus", "recommendation", "acquirerCode", "acquirerMessage",
        "approvedBasisPoints", "radial",
    ]
    private static let operations = Authorize.Operation.allCases.map(\.rawValue)

    /// Reads the file.
    init(_ source: ConfigurationFile) throws {
        let file = try YAMLMapping(
            text: String(decoding: try source.content(), as: UTF8.self), file: source.description,
            keys: [
                "amounts", "otherwise", "furtherOutcomes", "cards", "acquirer", "authorizationResponse",
                "billingStreets", "fundingAccounts", "radial",
            ])
        var rows: [ExactDecimal: SimulatedOutcome] = [:]
        for row in try file.mappings("amounts", keys: Self.outcomeKeys + ["amount"]) {
            let text = try row.requiredString("amount")
            guard let amount = ExactDecimal(text) else { throw row.failure("amount", "\(text) is not an amount") }
            guard rows.updateValue(try Self.outcome(row), forKey: amount) == nil else {
                throw row.failure("amount", "\(text) has a row already")
            }
        }
        guard let otherwise = try file.nested("otherwise", keys: Self.outcomeKeys) else {
            throw file.failure("otherwise", "missing")
        }
        let further = try file.mappings("furtherOutcomes", keys: Self.outcomeKeys).map(Self.outcome)
        let described = SimulatorTable(rows: rows, otherwise: try Self.outcome(otherwise), further: further)
        acquirer = SimulatedAcquirer(
            table: SimulatorTable(
                rows: rows, otherwise: try Self.outcome(otherwise), cards: try Self.cards(file, described),
                streets: try Self.streets(file), further: further),
            identity: try Self.identity(file), response: try Self.response(file),
            fundingAccounts: try Self.fundingAccounts(file), apiCodes: try SimulatedRadialChecks(file))
    }

    private static func outcome(_ row: YAMLMapping) throws -> SimulatedOutcome {
        let statuses = try row.requiredNested("orderStatus", keys: operations)
        let recommendations = try row.nested("recommendation", keys: operations)
        func effect(_ operation: Authorize.Operation) throws -> SimulatedEffect {
            SimulatedEffect(
                orderStatus: try statuses.required(operation.rawValue),
                recommendation: try recommendations?.optional(operation.rawValue))
        }
        let gatewayCode: GatewayCode = try row.required("gatewayCode")
        do {
            return try SimulatedOutcome(
                gatewayCode: gatewayCode, result: try row.required("result"),
                authorize: try effect(.authorize), pay: try effect(.pay),
                acquirerCode: try row.string("acquirerCode"), acquirerMessage: try row.string("acquirerMessage"),
                approvedBasisPoints: try row.integer("approvedBasisPoints", in: 1...9999),
                apiCodes: try SimulatedRadialOutcome(row, of: gatewayCode))
        } catch let malformed as SimulatedOutcome.Malformed {
            throw row.failure("gatewayCode", malformed.explanation)
        }
    }

    /// The rules by which plain cards select one of the described outcomes.
    private static func cards(_ file: YAMLMapping, _ described: SimulatorTable) throws -> SimulatedCards {
        let keys = ["expiries", "issuers", "otherSecurityCodes", "securityCodes"]
        guard let cards = try file.nested("cards", keys: keys) else { return SimulatedCards() }
        var expiries: [CardExpiry: SimulatedOutcome] = [:]
        for row in try cards.mappings("expiries", keys: ["expiry", "gatewayCode"]) {
            let text = try row.requiredString("expiry")
            guard let expiry = CardExpiry(monthAndYear: text) else {
                throw row.failure("expiry", "\(text) is not a month and year MM/YY")
            }
            let gatewayCode: GatewayCode = try row.required("gatewayCode")
            guard let outcome = described.outcome(of: gatewayCode) else {
                throw row.failure("gatewayCode", "no outcome of \(gatewayCode.rawValue) is described in this file")
            }
            guard expiries.updateValue(outcome, forKey: expiry) == nil else {
                throw row.failure("expiry", "\(text) has a row already")
            }
        }
        var codes: [String: CardSecurityCodeResult] = [:]
        for row in try cards.mappings("securityCodes", keys: ["securityCode", "gatewayCode", "acquirerCode"]) {
            let code = try row.requiredString("securityCode")
            guard (3...4).contains(code.utf8.count), code.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw row.failure("securityCode", "expected three or four digits")
            }
            let result = CardSecurityCodeResult(
                gatewayCode: try row.required("gatewayCode"), acquirerCode: try row.requiredString("acquirerCode"))
            guard codes.updateValue(result, forKey: code) == nil else {
                throw row.failure("securityCode", "\(code) has a row already")
            }
        }
        return SimulatedCards(
            expiries: expiries, securityCodes: codes, otherSecurityCodes: try otherSecurityCodes(cards),
            issuers: try issuers(cards))
    }

    private static func identity(_ file: YAMLMapping) throws -> AcquirerIdentity {
        let identity = try file.requiredNested(
            "acquirer", keys: ["id", "merchantId", "terminal", "merchantCategoryCode"])
        return AcquirerIdentity(
            id: try identity.requiredString("id"), merchantID: try identity.requiredString("merchantId"),
            terminal: try identity.requiredString("terminal"),
            merchantCategoryCode: try identity.requiredString("merchantCategoryCode"))
    }

    private static func response(_ file: YAMLMapping) throws -> SimulatedResponse {
        let response = try file.requiredNested(
            "authorizationResponse", keys: ["posData", "posEntryMode", "processingCode", "schemes"])
        let posData = try response.requiredNested("posData", keys: operations)
        let names = CardScheme.allCases.map(\.rawValue)
        let listed = try response.nested("schemes", keys: names)
        var schemes: [CardScheme: SchemeConstants] = [:]
        for scheme in CardScheme.allCases {
            guard
                let row = try listed?.nested(
                    scheme.rawValue,
                    keys: [
                        "cardLevelIndicator", "commercialCard", "commercialCardIndicator", "financialNetworkCode",
                        "marketSpecificData", "returnAci", "transactionIntegrityClass", "validationCode",
                    ])
            else { continue }
            schemes[scheme] = SchemeConstants(
                cardLevelIndicator: try row.string("cardLevelIndicator"),
                commercialCard: try row.string("commercialCard"),
                commercialCardIndicator: try row.string("commercialCardIndicator"),
                financialNetworkCode: try row.string("financialNetworkCode"),
                marketSpecificData: try row.string("marketSpecificData"), returnAci: try row.string("returnAci"),
                transactionIntegrityClass: try row.string("transactionIntegrityClass"),
                validationCode: try row.string("validationCode"))
        }
        return SimulatedResponse(
            posDataOfAuthorize: try posData.requiredString("AUTHORIZE"),
            posDataOfPay: try posData.requiredString("PAY"),
            posEntryMode: try response.requiredString("posEntryMode"),
            processingCode: try response.requiredString("processingCode"), schemes: schemes)
    }

    private static func fundingAccounts(_ file: YAMLMapping) throws -> FundingAccounts {
        let accounts = try file.requiredNested("fundingAccounts", keys: ["available", "expiry", "numbers"])
        let expiry = try accounts.requiredNested("expiry", keys: ["month", "year"])
        guard let month = try expiry.integer("month", in: 1...12), let year = try expiry.integer("year", in: 0...99),
            let date = CardExpiry(month: month, year: year)
        else { throw accounts.failure("expiry", "expected month and year") }
        let isAvailable = try accounts.bool("available") ?? true
        let listed = try accounts.nested("numbers", keys: CardBrand.allCases.map(\.rawValue))
        var numbers: [CardBrand: [AccountNumber]] = [:]
        for brand in CardBrand.allCases {
            numbers[brand] = try listed?.strings(brand.rawValue)?.map { text in
                guard let number = try? AccountNumber(text) else {
                    throw accounts.failure("numbers.\(brand.rawValue)", "not an account number with its check digit")
                }
                return number
            }
        }
        return FundingAccounts(numbers: isAvailable ? numbers : [:], expiry: date)
    }
}

extension YAMLMapping {
    /// A nested mapping, which must be present.
    func requiredNested(_ key: String, keys: [String]) throws -> YAMLMapping {
        guard let mapping = try nested(key, keys: keys) else { throw failure(key, "missing") }
        return mapping
    }

    /// The enumeration case that a key's value names; nil if the key is missing.
    func optional<Word: RawRepresentable>(_ key: String) throws -> Word?
    where Word: CaseIterable, Word.RawValue == String {
        guard let text = try string(key) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw failure(key, "expected one of \(Word.allCases.map(\.rawValue).joined(separator: ", ")), not \(text)")
        }
        return word
    }

    /// The enumeration case that a key's value names. The key must be present.
    func required<Word: RawRepresentable>(_ key: String) throws -> Word
    where Word: CaseIterable, Word.RawValue == String {
        guard let word: Word = try optional(key) else { throw failure(key, "missing") }
        return word
    }
}

extension CardExpiry {
    /// Reads `MM/YY`.
    fileprivate init?(monthAndYear text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        guard parts.count == 2, areDigits, let month = UInt8(parts[0]), let year = UInt8(parts[1])
        else { return nil }
        self.init(month: Int(month), year: Int(year))
    }
}

extension SimulatedOutcome.Malformed {
    fileprivate var explanation: String {
        switch self {
        case .approvalWithStatus(let status, let operation):
            "an approval leaves AUTHORIZED after AUTHORIZE and CAPTURED after PAY, not \(status.rawValue) after "
                + operation.rawValue
        case .failureWithStatus(let status, let operation):
            "what is not approved can't leave an order \(status.rawValue) after \(operation.rawValue)"
        case .approvedBasisPoints: "PARTIALLY_APPROVED has approvedBasisPoints, and no other code has"
        case .messageWithoutCode: "an acquirerMessage needs an acquirerCode"
        }
    }
}
