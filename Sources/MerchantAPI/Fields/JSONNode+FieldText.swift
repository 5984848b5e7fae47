internal import JSON
internal import Values

/// What a field holds whose rule is a text: a string, or a whole number in place of its digits, as typed clients send it.
extension JSONNode {
    /// Whether the value is a number without sign, fraction and exponent.
    var isWholeNumber: Bool { kind == .number && withRawBytes { $0.allSatisfy(\.isDecimalDigit) } }

    /// The text of a field; nil of any other value. The copy is never wiped: for card data use
    /// ``withFieldBytes(_:)``.
    var fieldText: String? { string ?? (isWholeNumber ? numberText : nil) }

    /// Lends the UTF-8 bytes of a field's text; nil, without a call, if the value is none.
    func withFieldBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R? {
        isWholeNumber ? withRawBytes(body) : withStringBytes(body)
    }

    /// A field's text without a `String` in between; nil if the value is none.
    var secretText: SecretText? { withFieldBytes { SecretText(utf8: $0) } }
}

extension FieldRule {
    /// A value as it is shown again: as the text that it stands for, where the rule is one.
    func shown(_ value: JSONNode) -> JSONValue {
        isText && value.isWholeNumber ? .string(value.fieldText ?? "") : value.value
    }
}
