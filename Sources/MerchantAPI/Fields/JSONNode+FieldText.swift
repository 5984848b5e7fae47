internal import JSON
internal import Values

/// The values of fields whose rule is a string: a string, or a whole number in place of its digits, as typed clients
/// send it.
extension JSONNode {
    /// Whether the value is a number without sign, fraction and exponent.
    var isWholeNumber: Bool { kind == .number && withRawBytes { $0.allSatisfy(\.isDecimalDigit) } }

    /// The field's string; nil for any other value. The copy is never wiped: for card data use
    /// ``withFieldBytes(_:)``.
    var fieldText: String? { string ?? (isWholeNumber ? numberText : nil) }

    /// Calls a closure with the UTF-8 bytes of a field's string, valid only during the call; returns nil without a
    /// call for any other value.
    func withFieldBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R? {
        isWholeNumber ? withRawBytes(body) : withStringBytes(body)
    }

    /// The field's string as secret text, without an intermediate `String`; nil for any other value.
    var secretText: SecretText? { withFieldBytes { SecretText(utf8: $0) } }
}

extension FieldRule {
    /// A value as replies show it: as a string, if the rule is a string.
    func shown(_ value: JSONNode) -> JSONValue {
        isText && value.isWholeNumber ? .string(value.fieldText ?? "") : value.value
    }
}
