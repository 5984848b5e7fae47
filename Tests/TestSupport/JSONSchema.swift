public import JSON

/// The schemas of one document, as far as JSON Schema 2020-12 is used there.
///
/// Strict about itself: a keyword that is not known here is an error, for a check that passes over what it doesn't
/// understand holds nothing to anything.
public struct JSONSchema: Sendable {
    /// Why a value can't be judged.
    public enum Failure: Error, Equatable {
        case unknownKeyword(String, in: String)
        case malformedKeyword(String, in: String)
        case unresolved(String)
        case tooDeep(String)
    }

    private let document: JSONValue
    private static let depthMax = 64
    private static let evaluating = ["$ref", "additionalProperties", "anyOf", "oneOf"]

    /// - Parameter document: what references of the form `#/a/b` are resolved in.
    public init(document: JSONValue) { self.document = document }

    /// What is wrong with a value, each fault with its path; empty if the value is as the schema has it.
    ///
    /// - Throws: ``Failure``, if the schema is the one at fault.
    public func faults(of value: JSONValue, by schema: JSONValue) throws(Failure) -> [String] {
        try check(value, schema, Place(value: "", schema: "#", depth: 0))
    }

    /// What a reference of the form `#/a/b` names.
    public func resolved(_ reference: String) throws(Failure) -> JSONValue {
        guard reference.hasPrefix("#/") else { throw .unresolved(reference) }
        var value = document
        for part in reference.dropFirst(2).split(separator: "/") {
            let name = String(part).replacing("~1", with: "/").replacing("~0", with: "~")
            guard let next = value[name] else { throw .unresolved(reference) }
            value = next
        }
        return value
    }
}

/// Where a check has got to, in the value and in the schema.
private struct Place {
    let value: String
    let schema: String
    let depth: Int

    func member(_ name: String, _ keyword: String) -> Place {
        let value = value.isEmpty ? name : "\(value).\(name)"
        return Place(value: value, schema: "\(schema)/\(keyword)/\(name)", depth: depth + 1)
    }

    func element(_ index: Int) -> Place {
        Place(value: "\(value)[\(index)]", schema: "\(schema)/items", depth: depth + 1)
    }

    func schema(_ name: String) -> Place { Place(value: value, schema: "\(schema)/\(name)", depth: depth + 1) }

    func fault(_ text: String) -> [String] { ["\(value.isEmpty ? "the whole" : value): \(text)"] }
}

extension JSONSchema {
    private func check(_ value: JSONValue, _ schema: JSONValue, _ place: Place) throws(Failure) -> [String] {
        guard place.depth <= Self.depthMax else { throw .tooDeep(place.schema) }
        if case .bool(let isAllowed) = schema { return isAllowed ? [] : place.fault("it must not be there") }
        guard case .object(let keywords) = schema else { throw .malformedKeyword("a schema", in: place.schema) }
        var faults: [String] = []
        for (keyword, argument) in keywords {
            switch keyword {
            // Say something to readers and nothing of values.
            case "description", "default", "discriminator": break
            case "$ref":
                guard case .string(let reference) = argument else {
                    throw .malformedKeyword(keyword, in: place.schema)
                }
                faults += try check(value, try resolved(reference), place.schema(reference))
            case "type": faults += try checkType(value, argument, place)
            case "enum":
                guard case .array(let values) = argument else { throw .malformedKeyword(keyword, in: place.schema) }
                if !values.contains(value) { faults += place.fault("\(value.text) is none of the enumeration") }
            case "const":
                if value != argument { faults += place.fault("\(value.text) is not \(argument.text)") }
            case "oneOf", "anyOf": faults += try checkAlternatives(value, keyword, argument, place)
            case "not":
                if try check(value, argument, place.schema(keyword)).isEmpty { faults += place.fault("it matches not") }
            case "if": faults += try checkCondition(value, argument, among: keywords, place)
            case "then":
                if keywords["if"] == nil { throw .malformedKeyword(keyword, in: place.schema) }
            case "required", "properties", "patternProperties", "additionalProperties", "unevaluatedProperties",
                "maxProperties":
                guard case .object(let members) = value else { break }
                faults += try checkMembers(members, keyword, argument, among: keywords, place)
            case "items", "minItems", "maxItems":
                guard case .array(let elements) = value else { break }
                faults += try checkElements(elements, keyword, argument, place)
            case "minLength", "maxLength", "pattern":
                guard case .string(let text) = value else { break }
                faults += try checkText(text, keyword, argument, place)
            case "minimum", "maximum":
                guard case .number(let number) = value else { break }
                faults += try checkNumber(number, keyword, argument, place)
            default: throw .unknownKeyword(keyword, in: place.schema)
            }
        }
        return faults
    }

    private func checkType(_ value: JSONValue, _ argument: JSONValue, _ place: Place) throws(Failure) -> [String] {
        let names: [JSONValue] = if case .array(let names) = argument { names } else { [argument] }
        for name in names {
            guard case .string(let name) = name, let isOfType = value.isOf(type: name) else {
                throw .malformedKeyword("type", in: place.schema)
            }
            if isOfType { return [] }
        }
        return place.fault("\(value.text) is of another type than \(argument.text)")
    }

    private func checkAlternatives(
        _ value: JSONValue, _ keyword: String, _ argument: JSONValue, _ place: Place
    ) throws(Failure) -> [String] {
        guard case .array(let schemas) = argument, !schemas.isEmpty else {
            throw .malformedKeyword(keyword, in: place.schema)
        }
        var matches = 0
        var closest: [String]?
        for schema in schemas {
            let faults = try check(value, schema, place.schema(keyword))
            if faults.isEmpty { matches += 1 }
            if closest.map({ faults.count < $0.count }) ?? true { closest = faults }
        }
        if matches == 0 { return place.fault("it matches none of \(keyword)") + (closest ?? []) }
        return matches > 1 && keyword == "oneOf" ? place.fault("it matches \(matches) of oneOf") : []
    }

    /// What `then` demands of a value that `if` fits. It may name members alone: then there is no member that
    /// `unevaluatedProperties` would have to pass over.
    private func checkCondition(
        _ value: JSONValue, _ condition: JSONValue, among keywords: JSONObject, _ place: Place
    ) throws(Failure) -> [String] {
        guard case .object(let consequence) = keywords["then"], consequence.map(\.name) == ["required"] else {
            throw .malformedKeyword("then", in: place.schema)
        }
        guard try check(value, condition, place.schema("if")).isEmpty else { return [] }
        return try check(value, .object(consequence), place.schema("then"))
    }

    private func checkMembers(
        _ members: JSONObject, _ keyword: String, _ argument: JSONValue, among keywords: JSONObject, _ place: Place
    ) throws(Failure) -> [String] {
        var faults: [String] = []
        switch (keyword, argument) {
        case ("required", .array(let names)):
            for case .string(let name) in names where members[name] == nil {
                faults += place.fault("\(name) is missing")
            }
        case ("properties", .object(let schemas)):
            for (name, schema) in schemas {
                guard let member = members[name] else { continue }
                faults += try check(member, schema, place.member(name, keyword))
            }
        case ("patternProperties", .object(let schemas)):
            for (pattern, schema) in schemas {
                for (name, member) in members where try matches(name, pattern, place) {
                    faults += try check(member, schema, place.member(name, keyword))
                }
            }
        case ("additionalProperties", _), ("unevaluatedProperties", _):
            // Beside one of these, other members would count as evaluated than are listed here.
            guard keyword == "additionalProperties" || Self.evaluating.allSatisfy({ keywords[$0] == nil }) else {
                throw .malformedKeyword(keyword, in: place.schema)
            }
            for (name, member) in members where try isAdditional(name, keywords, place) {
                let inner = try check(member, argument, place.member(name, keyword))
                if !inner.isEmpty { faults += place.fault("\(name) is not described") }
            }
        case ("maxProperties", .number(let number)):
            guard let count = Int(number.text) else { throw .malformedKeyword(keyword, in: place.schema) }
            if members.count > count { faults += place.fault("it has \(members.count) members") }
        default: throw .malformedKeyword(keyword, in: place.schema)
        }
        return faults
    }

    private func isAdditional(_ name: String, _ keywords: JSONObject, _ place: Place) throws(Failure) -> Bool {
        guard keywords["properties"]?[name] == nil else { return false }
        guard case .object(let patterns) = keywords["patternProperties"] else { return true }
        for (pattern, _) in patterns where try matches(name, pattern, place) { return false }
        return true
    }

    private func checkElements(
        _ elements: [JSONValue], _ keyword: String, _ argument: JSONValue, _ place: Place
    ) throws(Failure) -> [String] {
        guard keyword != "items" else {
            var faults: [String] = []
            for (index, element) in elements.enumerated() {
                faults += try check(element, argument, place.element(index))
            }
            return faults
        }
        guard case .number(let number) = argument, let count = Int(number.text) else {
            throw .malformedKeyword(keyword, in: place.schema)
        }
        let isKept = keyword == "minItems" ? elements.count >= count : elements.count <= count
        return isKept ? [] : place.fault("it has \(elements.count) elements")
    }

    private func checkText(
        _ text: String, _ keyword: String, _ argument: JSONValue, _ place: Place
    ) throws(Failure) -> [String] {
        switch (keyword, argument) {
        case ("pattern", .string(let pattern)):
            return try matches(text, pattern, place) ? [] : place.fault("\"\(text)\" does not match \(pattern)")
        case ("minLength", .number(let number)), ("maxLength", .number(let number)):
            guard let length = Int(number.text) else { throw .malformedKeyword(keyword, in: place.schema) }
            let count = text.unicodeScalars.count
            let isKept = keyword == "minLength" ? count >= length : count <= length
            return isKept ? [] : place.fault("it has \(count) characters")
        default: throw .malformedKeyword(keyword, in: place.schema)
        }
    }

    private func checkNumber(
        _ number: JSONNumber, _ keyword: String, _ argument: JSONValue, _ place: Place
    ) throws(Failure) -> [String] {
        guard case .number(let bound) = argument, let bound = Double(bound.text), let value = Double(number.text) else {
            throw .malformedKeyword(keyword, in: place.schema)
        }
        let isKept = keyword == "minimum" ? value >= bound : value <= bound
        return isKept ? [] : place.fault("\(number.text) is out of range")
    }

    private func matches(_ text: String, _ pattern: String, _ place: Place) throws(Failure) -> Bool {
        guard let expression = try? Regex(pattern) else { throw .malformedKeyword("pattern", in: place.schema) }
        return text.contains(expression.matchingSemantics(.unicodeScalar))
    }
}

extension JSONValue {
    /// The value as JSON, for a fault of what a test was answered.
    fileprivate var text: String { String(decoding: serialized().prefix(200), as: UTF8.self) }

    /// Whether the value is of a type; nil if there is no such type.
    fileprivate func isOf(type: String) -> Bool? {
        switch (type, self) {
        case ("null", .null), ("boolean", .bool), ("number", .number), ("string", .string), ("array", .array),
            ("object", .object):
            true
        case ("integer", .number(let number)): Double(number.text).map { $0 == $0.rounded() } ?? false
        case ("null", _), ("boolean", _), ("number", _), ("integer", _), ("string", _), ("array", _), ("object", _):
            false
        default: nil
        }
    }
}
