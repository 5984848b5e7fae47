internal import JSON
internal import Payments

extension FieldRule {
    /// Validates a value against the rule.
    ///
    /// - Parameter currency: the currency of amounts. Without one, amounts are validated by the rules that all
    ///   currencies share, and not echoed.
    /// - Returns: the value as replies echo it; nil if nothing may be copied out of the document.
    func check(_ value: JSONNode, in currency: Currency?) throws(ErrorReply) -> JSONValue? {
        switch self {
        case .text(let length):
            let text = try value.text(length)
            guard text.unicodeScalars.allSatisfy(\.isShowable) else {
                throw .invalidSecret(value.path, "It contains a control character")
            }
            return .string(text)
        case .pattern(let length, let pattern):
            let text = try value.text(length)
            guard pattern.matches(text) else { throw .invalid(value.path, text, pattern.expectation) }
            return .string(text)
        case .enumeration(let names, let unsupported):
            guard let text = value.string else { throw .invalidSecret(value.path, "Expected a string") }
            if names.contains(text) { return .string(text) }
            let expectation = "Expected \(names.joined(separator: ", "))"
            throw unsupported.contains(text)
                ? .unsupported(value.path, text, expectation) : .invalid(value.path, text, expectation)
        case .amount:
            try value.expectDecimal()
            let amount = try value.amount(in: currency ?? .ofMostDecimals, named: currency?.code)
            return currency == nil ? nil : .amount(amount)
        case .signedAmount:
            try value.expectDecimal()
            let amount = try value.signedAmount(in: currency ?? .ofMostDecimals, named: currency?.code)
            return currency == nil ? nil : amount
        case .decimal(let charactersMax):
            return try value.decimal(charactersMax: charactersMax)
        case .integer(let range):
            guard let text = value.decimalText, text.utf8.allSatisfy(\.isDecimalDigit), let number = Int(text),
                range.contains(number)
            else {
                let expectation = "Expected a whole number from \(range.lowerBound) to \(range.upperBound)"
                throw .invalid(value.path, value.decimalText ?? "", expectation)
            }
            return .number(JSONNumber(number))
        case .boolean:
            guard let flag = value.bool else { throw .invalidSecret(value.path, "Expected true or false") }
            return .bool(flag)
        case .month, .year:
            guard value.decimalText != nil else { throw .invalidSecret(value.path, "Expected digits") }
            return nil
        case .secret:
            guard value.kind == .string || value.isWholeNumber else {
                throw .invalidSecret(value.path, "Expected a string, not JSON of another kind")
            }
            return nil
        case .encryptedToken:
            guard value.kind == .string else {
                throw .invalidSecret(
                    value.path,
                    "Expected a string, not JSON of another kind: JSON.stringify(event.payment.token.paymentData)")
            }
            return nil
        }
    }
}

extension JSONNode {
    /// The text of a string or number; nil for any other kind.
    var decimalText: String? { string ?? numberText }

    /// Parses an amount of a currency.
    func amount(in currency: Currency) throws(ErrorReply) -> Amount {
        try amount(in: currency, named: currency.code)
    }

    /// - Parameter name: the currency's name in a refusal; nil if the request has no currency.
    fileprivate func amount(in currency: Currency, named name: String?) throws(ErrorReply) -> Amount {
        let text = decimalText ?? ""
        do throws(Amount.Malformed) {
            return try Amount(text, currency)
        } catch {
            throw .invalid(path, text, error.explanation(name))
        }
    }

    fileprivate func expectDecimal() throws(ErrorReply) {
        guard kind == .string || kind == .number else {
            throw .invalidSecret(path, "Expected a decimal number, as text or as a number")
        }
    }

    fileprivate func signedAmount(in currency: Currency, named name: String?) throws(ErrorReply) -> JSONValue {
        let text = decimalText ?? ""
        guard text.hasPrefix("-") else { return .amount(try amount(in: currency, named: name)) }
        do throws(Amount.Malformed) {
            guard let number = JSONNumber("-\(try Amount(String(text.dropFirst()), currency))") else {
                preconditionFailure("a decimal is a number")
            }
            return .number(number)
        } catch {
            throw .invalid(path, text, error.explanation(name))
        }
    }

    fileprivate func decimal(charactersMax: Int) throws(ErrorReply) -> JSONValue {
        try expectDecimal()
        let text = decimalText ?? ""
        if let fault = ErrorReply.lengthFault(text.unicodeScalars.count, 1...charactersMax) {
            throw .invalid(path, text, fault)
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDecimalDigit) }) else {
            throw .invalid(path, text, Amount.Malformed.notDecimalExplanation)
        }
        // A JSON number has no leading zeros.
        let zeros = parts[0].dropLast().prefix { $0 == UInt8(ascii: "0") }.count
        guard let number = JSONNumber(String(text.dropFirst(zeros))) else {
            preconditionFailure("a decimal without zeros in front is a number")
        }
        return .number(number)
    }

    fileprivate func text(_ length: ClosedRange<Int>) throws(ErrorReply) -> String {
        guard let text = fieldText else { throw .invalidSecret(path, "Expected a string") }
        if let fault = ErrorReply.lengthFault(text.unicodeScalars.count, length) { throw .invalid(path, text, fault) }
        return text
    }
}

extension Currency {
    /// A currency with the maximum number of decimals.
    fileprivate static let ofMostDecimals = all.max { $0.exponent < $1.exponent } ?? .bhd
}

extension Amount.Malformed {
    fileprivate static let notDecimalExplanation = "Expected digits, optionally followed by a point and more digits"

    /// - Parameter currency: the currency's code; nil if the request has no currency.
    fileprivate func explanation(_ currency: String?) -> String {
        switch self {
        case .notDecimal: Self.notDecimalExplanation
        case .length(let count): ErrorReply.lengthFault(count, 1...Amount.charactersMax) ?? "Its length is wrong"
        case .decimals(let max): "\(currency ?? "A currency") has at most \(max) decimals"
        case .exceedsMaximum: "It must not be more than \(Amount.unitsMax)"
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isShowable: Bool {
        // ASCII needs no look-up of Unicode properties.
        guard value >= 0x20 else { return self == "\t" || self == "\n" || self == "\r" }
        return value < 0x7F || properties.generalCategory != .control
    }
}
