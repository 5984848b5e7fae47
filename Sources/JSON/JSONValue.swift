/// A mutable JSON value.
///
/// Its strings are Swift strings, which are never wiped: use ``JSONDocument`` for card data.
public enum JSONValue: Sendable {
    /// The literal `null`.
    case null
    /// The literal `true` or `false`.
    case bool(Bool)
    /// A number, represented by its JSON text.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)

    /// Parses a JSON text.
    ///
    /// - Throws: the same faults as ``JSONDocument``.
    public init(parsing bytes: [UInt8], limits: JSONLimits = .default) throws(JSONFault) {
        self = try JSONDocument(bytes, limits: limits).root.value
    }

    /// Parses a JSON text.
    ///
    /// - Throws: the same faults as ``JSONDocument``.
    public init(parsing text: String, limits: JSONLimits = .default) throws(JSONFault) {
        self = try JSONDocument(text, limits: limits).root.value
    }

    /// The value of an object's member; nil if there is no such member, or this value is not an object.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// The value with null members removed at every level. Null elements of arrays are kept, because removing them
    /// would change the indices of others. A value that is itself null is unchanged.
    public func removingNulls() -> JSONValue {
        switch self {
        case .null, .bool, .number, .string: self
        case .array(let elements): .array(elements.map { $0.removingNulls() })
        case .object(let members): .object(members.removingNulls())
        }
    }
}

extension JSONValue: Equatable {
    /// Whether both values are equal: strings by their bytes, numbers by their JSON text, and objects regardless of the
    /// order of their members.
    public static func == (one: JSONValue, other: JSONValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.string(let one), .string(let other)): one.compareUTF8(with: other) == 0
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        case (.null, _), (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _): false
        }
    }
}

// Not expressible by `nil`, which would look the same for an absent member and a null one.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// Creates a number from an integer.
    public init(integerLiteral value: Int64) {
        self = .number(JSONNumber(value))
    }

    /// Creates a string.
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }

    /// Creates an object.
    ///
    /// - Precondition: the names are unique.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(JSONObject(members.lazy.map { (name: $0.0, value: $0.1) }))
    }
}

extension JSONValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The value's kind and size. The content is omitted, because a request's values may be card data.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool: "bool"
        case .number: "number"
        case .string: "string"
        case .array(let elements): "array of \(elements.count)"
        case .object(let members): "object of \(members.count)"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows only the description to `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["value": description]) }
}

extension JSONNode {
    /// A copy of the node and all its descendants. The copy's strings are never wiped.
    public var value: JSONValue {
        switch kind {
        case .null: .null
        case .bool: .bool(bool == true)
        case .number: .number(JSONNumber(unchecked: unescaped))
        case .string: .string(unescaped)
        case .array: .array(elements.map(\.value))
        case .object: .object(JSONObject(members.lazy.map { (name: $0.name, value: $0.value.value) }))
        }
    }
}
