internal import JSON
internal import Payments
internal import Values

extension JSONValue {
    /// An amount as replies write it: a number with all the decimals of its currency.
    static func amount(_ amount: Amount) -> JSONValue {
        let decimal = Amount.decimal(amount.minorUnits, exponent: amount.currency.exponent)
        guard let number = JSONNumber(decimal) else { preconditionFailure("a decimal is a number") }
        return .number(number)
    }

    /// An instant as replies write it: `YYYY-MM-DDThh:mm:ss.SSSZ`.
    static func time(_ instant: Instant) -> JSONValue { .string(instant.description) }
}

extension JSONObject {
    /// Adds members, those with a value.
    mutating func add(_ members: KeyValuePairs<String, String?>) {
        for (name, value) in members {
            if let value { self[name] = .string(value) }
        }
    }

    /// Adds the members of another object. Where both have one that is an object, the two become one; of other members
    /// that both have, the other's stays.
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
