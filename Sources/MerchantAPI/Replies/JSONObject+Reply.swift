internal import JSON
internal import Payments
internal import Values

extension JSONValue {
    /// An amount in the form of replies: a number with all decimals of its currency.
    static func amount(_ amount: Amount) -> JSONValue {
        let decimal = Amount.decimal(amount.minorUnits, exponent: amount.currency.exponent)
        guard let number = JSONNumber(decimal) else { preconditionFailure("a decimal is a number") }
        return .number(number)
    }

    /// An instant in the form of replies: `YYYY-MM-DDThh:mm:ss.SSSZ`.
    static func time(_ instant: Instant) -> JSONValue { .string(instant.description) }
}

extension JSONObject {
    /// Adds the members that have a value.
    mutating func add(_ members: KeyValuePairs<String, String?>) {
        for (name, value) in members {
            if let value { self[name] = .string(value) }
        }
    }

    /// Adds the members of another object. Members that are objects in both are merged; for any other member in both,
    /// the other object's value is used.
    mutating func merge(_ other: JSONObject) {
        for (name, value) in other {
            if case .object(var inner) = self[name], case .object(let otherInner) = value {
                inner.merge(otherInner)
                self[name] = .object(inner)
            } else {
                self[name] = value
            }
        }
    }
}
