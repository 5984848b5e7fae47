internal import JSON
internal import Payments

extension RequestFields {
    /// The treatment of a field that is not in the table.
    enum Unknown {
        /// The field is refused, as by the real gateway.
        case refused
        /// The field is ignored: a session's fields may be for another operation.
        case ignored
    }

    /// Validates an object against the table, in the order of its members, and collects the members that replies
    /// echo.
    ///
    /// A null member counts as absent, whatever its name: clients of the real gateway send such members for absent
    /// values. So does an empty array in place of an object, which is PHP's encoding of an empty object.
    ///
    /// - Parameter currency: the currency of the request's amounts. Without one they are not echoed, and the caller
    ///   must refuse the request.
    /// - Returns: the echoed members at their places; empty if there are none.
    func check(
        _ object: JSONNode, in currency: Currency?, unknown: Unknown = .refused
    ) throws(ErrorReply) -> JSONObject {
        var echoed = JSONObject()
        var appended: [(name: String, to: String, charactersMax: Int)] = []
        for (name, value) in object.members where !value.isNull {
            guard let entry = self[name] else {
                guard unknown == .ignored else { throw .unexpected(value.path) }
                continue
            }
            switch entry {
            case .object(let fields):
                guard !value.isEmptyArray else { continue }
                guard value.kind == .object else { throw .invalidSecret(value.path, "Expected an object") }
                let inner = try fields.check(value, in: currency, unknown: unknown)
                if !inner.isEmpty { echoed[name] = .object(inner) }
            case .array(let fields, let elementsMax):
                let elements = try fields.checkElements(value, elementsMax, in: currency, unknown: unknown)
                if !elements.isEmpty { echoed[name] = .array(elements) }
            case .custom(let rule, let echo):
                let inner = try Self.checkCustom(value, rule, in: currency)
                if !inner.isEmpty, echo == .same { echoed[name] = .object(inner) }
            case .field(let rule, let echo):
                let repeated = try rule.check(value, in: currency)
                guard echo != .none, let repeated else { continue }
                echoed[name] = repeated
                if case .appended(let other, let charactersMax) = echo {
                    appended.append((name, other, charactersMax))
                }
            case .unsupported:
                guard unknown == .ignored || !value.holdsAnything else { throw .unsupported(value.path) }
            }
        }
        for field in appended { echoed.append(field.name, to: field.to, charactersMax: field.charactersMax) }
        return echoed
    }

    private func checkElements(
        _ array: JSONNode, _ elementsMax: Int, in currency: Currency?, unknown: Unknown
    ) throws(ErrorReply) -> [JSONValue] {
        guard array.kind == .array else { throw .invalidSecret(array.path, "Expected an array") }
        guard array.count <= elementsMax else {
            throw .invalidSecret(
                array.path, "It has \(array.count) elements, but must have less than \(elementsMax + 1)")
        }
        var echoed: [JSONValue] = []
        for element in array.elements {
            guard element.kind == .object else { throw .invalidSecret(element.path, "Expected an object") }
            echoed.append(.object(try check(element, in: currency, unknown: unknown)))
        }
        return echoed
    }

    /// - Source: Mastercard Gateway REST API v100, `order.custom`: at most 50 names of less than 100 letters and digits.
    private static func checkCustom(
        _ object: JSONNode, _ rule: FieldRule, in currency: Currency?
    ) throws(ErrorReply) -> JSONObject {
        guard !object.isEmptyArray else { return [:] }
        guard object.kind == .object else { throw .invalidSecret(object.path, "Expected an object") }
        var echoed = JSONObject()
        var count = 0
        for (name, value) in object.members where !value.isNull {
            guard (1..<100).contains(name.utf8.count), name.utf8.allSatisfy(\.isAlphanumeric) else {
                throw .unexpected(value.path)
            }
            count += 1
            guard count <= customNamesMax else {
                throw .invalidSecret(object.path, "It has more than \(customNamesMax) names")
            }
            echoed[name] = try rule.check(value, in: currency)
        }
        return echoed
    }
}

extension JSONObject {
    /// Appends a string to another member of the same object, or moves it there if that member is absent.
    fileprivate mutating func append(_ name: String, to other: String, charactersMax: Int) {
        guard case .string(let text) = self[name] else { return }
        self[name] = nil
        guard case .string(let before) = self[other] else { return self[other] = .string(text) }
        self[other] = .string(
            String(String.UnicodeScalarView("\(before), \(text)".unicodeScalars.prefix(charactersMax))))
    }
}

extension JSONNode {
    /// Whether the value is `[]`.
    fileprivate var isEmptyArray: Bool { kind == .array && count == 0 }

    /// Whether the value contains anything other than nulls and empty objects and arrays.
    var holdsAnything: Bool {
        switch kind {
        case .null: false
        case .bool, .number, .string: true
        case .array: elements.contains(where: \.holdsAnything)
        case .object: members.contains { $0.value.holdsAnything }
        }
    }
}
