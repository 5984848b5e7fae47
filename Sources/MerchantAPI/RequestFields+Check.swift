internal import JSON

extension RequestFields {
    /// Holds an object to the table, in the order of its text, and gathers what replies repeat.
    ///
    /// A null member is absent, whatever its name: clients of the real gateway send such members for what they lack.
    ///
    /// - Returns: the echoed members at their places; empty if there are none.
    func check(_ object: JSONNode) throws(ErrorReply) -> JSONObject {
        var echoed = JSONObject()
        for (name, value) in object.members {
            guard !value.isNull else { continue }
            guard let entry = self[name] else { throw .unexpected(value.path) }
            switch entry {
            case .object(let fields):
                guard value.kind == .object else { throw .invalidSecret(value.path, "Expected an object") }
                let inner = try fields.check(value)
                if !inner.isEmpty { echoed[name] = .object(inner) }
            case .field(let rule, let isEchoed):
                let text = try rule.check(value)
                if isEchoed, let text { echoed[name] = .string(text) }
            }
        }
        return echoed
    }
}

extension FieldRule {
    /// Holds a value to the rule.
    ///
    /// - Returns: its text; nil if nothing may be copied out of the document.
    fileprivate func check(_ value: JSONNode) throws(ErrorReply) -> String? {
        switch self {
        case .amount:
            guard value.kind == .string || value.kind == .number else {
                throw .invalidSecret(value.path, "Expected a decimal number, as text or as a number")
            }
            return nil
        case .month, .year:
            guard value.kind == .string || value.kind == .number else {
                throw .invalidSecret(value.path, "Expected digits")
            }
            return nil
        case .secret:
            guard value.kind == .string else {
                throw .invalidSecret(value.path, "Expected a string, not JSON of another kind")
            }
            return nil
        case .text(let length):
            let text = try text(value, length)
            guard text.unicodeScalars.allSatisfy(\.isShowable) else {
                throw .invalidSecret(value.path, "It contains a control character")
            }
            return text
        case .pattern(let length, let pattern):
            let text = try text(value, length)
            guard pattern.matches(text) else { throw .invalid(value.path, text, pattern.expectation) }
            return text
        case .enumeration(let names, let unsupported):
            guard let text = value.string else { throw .invalidSecret(value.path, "Expected a string") }
            if names.contains(text) { return text }
            let expectation = "Expected \(names.joined(separator: ", "))"
            throw unsupported.contains(text)
                ? .unsupported(value.path, text, expectation) : .invalid(value.path, text, expectation)
        }
    }

    private func text(_ value: JSONNode, _ length: ClosedRange<Int>) throws(ErrorReply) -> String {
        guard let text = value.string else { throw .invalidSecret(value.path, "Expected a string") }
        if let fault = ErrorReply.lengthFault(text.unicodeScalars.count, length) {
            throw .invalid(value.path, text, fault)
        }
        return text
    }
}

extension Unicode.Scalar {
    fileprivate var isShowable: Bool {
        // ASCII is told apart without a look-up.
        guard value >= 0x20 else { return self == "\t" || self == "\n" || self == "\r" }
        return value < 0x7F || properties.generalCategory != .control
    }
}
