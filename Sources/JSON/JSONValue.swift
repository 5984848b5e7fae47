/// A JSON value that is being built or changed.
///
/// Strings are Swift strings and are never wiped: card data belongs in a ``JSONDocument``.
public enum JSONValue: Sendable {
    /// The literal `null`.
    case null
    /// The literal `true` or `false`.
    case bool(Bool)
    /// A number, kept as its text.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)

    /// The value of a JSON text.
    ///
    /// - Throws: what ``JSONDocument`` throws.
    public init(parsing bytes: [UInt8], limits: JSONLimits = .default) throws(JSONFault) {
        self = try JSONDocument(bytes, limits: limits).root.value
    }

    /// The value of a JSON text.
    ///
    /// - Throws: what ``JSONDocument`` throws.
    public init(parsing text: String, limits: JSONLimits = .default) throws(JSONFault) {
        self = try JSONDocument(text, limits: limits).root.value
    }

    /// The value of an object's member; nil if there is none, or the value is not an object.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// The value without the members, at every level, whose value is null. Null elements of arrays stay, as the others'
    /// places would change, and so does a value that is itself null.
    public func removingNulls() -> JSONValue {
        switch self {
        case .null, .bool, .number, .string: self
        case .array(let elements): .array(elements.map { $0.removingNulls() })
        case .object(let members): .object(members.removingNulls())
        }
    }
}

extension JSONValue: Equatable {
    /// Whether both are written alike: strings are equal by their bytes and numbers by their text, objects whatever order
    /// their members came in.
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

// Not by `nil`: a member that is absent and one that is null must not look alike.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// The literal `true` or `false`.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// An integer.
    public init(integerLiteral value: Int64) {
        self = .number(JSONNumber(value))
    }

    /// A string.
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    /// An array.
    public init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }

    /// An object.
    ///
    /// - Precondition: no name occurs twice.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(JSONObject(members.lazy.map { (name: $0.0, value: $0.1) }))
    }
}

extension JSONValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The value's kind and size, and nothing that it holds: a request's values may be card data.
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

    /// What `dump` walks: the same.
    public var customMirror: Mirror { Mirror(self, children: ["value": description]) }
}

extension JSONNode {
    /// A copy of the node and all below it. The copy's strings are never wiped.
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
