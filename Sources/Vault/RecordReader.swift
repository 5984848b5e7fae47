public import JSON
public import Values

/// Why a durable record can't be read. It names a member, never a value.
public enum RecordFault: Error, Equatable, Sendable {
    /// Not one JSON object.
    case notObject
    /// Written in a form that this program doesn't know.
    case format
    /// A member is absent or has a value that it can't have.
    case member(String)
}

/// The form in which orders and transactions are kept: a compact JSON document.
public enum RecordFormat {
    /// The form that is written. Form 1 knew AUTHORIZE and PAY alone: its transactions say neither what was approved, which
    /// is then what their order has authorized, nor on which transaction they build, which is then none.
    public static let current: Int64 = 2
    /// The forms that are read.
    public static let readable: ClosedRange<Int64> = 1...current
    /// What a record may cost to read. Echoed members may be nested as deep as a request's, plus the record's own level.
    public static let limits = JSONLimits(bytesMax: 1 << 24, depthMax: 128, valuesMax: 1 << 20)
}

/// Reads the members of a record, strictly: what is there must be what was written.
public struct RecordReader {
    private let node: JSONNode
    /// The form that the record was written in.
    public let format: Int64

    /// Reads a record in a known form.
    public init(record bytes: [UInt8]) throws(RecordFault) {
        guard let root = try? JSONDocument(bytes, limits: RecordFormat.limits).root, root.kind == .object else {
            throw .notObject
        }
        try self.init(root)
    }

    /// Reads a record, which is an object.
    public init(_ record: JSONNode) throws(RecordFault) {
        node = record
        guard let format = record["format"]?.numberText.flatMap({ Int64($0) }) else { throw .member("format") }
        guard RecordFormat.readable.contains(format) else { throw .format }
        self.format = format
    }

    private init(object node: JSONNode, of record: RecordReader) {
        self.node = node
        format = record.format
    }

    /// A text. Throws ``RecordFault/member(_:)`` if the member is absent or of another type, as do all readers below.
    public func string(_ name: String) throws(RecordFault) -> String {
        guard let string = node[name]?.string else { throw .member(name) }
        return string
    }

    /// A text; nil without the member.
    public func stringIfPresent(_ name: String) throws(RecordFault) -> String? {
        guard node[name] != nil else { return nil }
        return try string(name)
    }

    /// An integer of 64 bits.
    public func integer(_ name: String) throws(RecordFault) -> Int64 {
        guard let integer = node[name]?.numberText.flatMap({ Int64($0) }) else { throw .member(name) }
        return integer
    }

    /// An integer of at least 0.
    public func count(_ name: String) throws(RecordFault) -> Int64 {
        let count = try integer(name)
        guard count >= 0 else { throw .member(name) }
        return count
    }

    /// An integer of at least 0; nil without the member.
    public func countIfPresent(_ name: String) throws(RecordFault) -> Int64? {
        guard node[name] != nil else { return nil }
        return try count(name)
    }

    /// An instant, written in milliseconds since 1970.
    public func instant(_ name: String) throws(RecordFault) -> Instant {
        Instant(millisecondsSinceEpoch: try integer(name))
    }

    /// A member of a closed list. Inlinable, so that callers look up no generic metadata at run time.
    @inlinable
    public func element<Element: RawRepresentable>(_ name: String) throws(RecordFault) -> Element
    where Element.RawValue == String {
        guard let element = Element(rawValue: try string(name)) else { throw .member(name) }
        return element
    }

    /// A member of a closed list; nil without the member.
    @inlinable
    public func elementIfPresent<Element: RawRepresentable>(_ name: String) throws(RecordFault) -> Element?
    where Element.RawValue == String {
        guard let text = try stringIfPresent(name) else { return nil }
        guard let element = Element(rawValue: text) else { throw .member(name) }
        return element
    }

    /// An object.
    public func object(_ name: String) throws(RecordFault) -> RecordReader {
        guard let object = node[name], object.kind == .object else { throw .member(name) }
        return RecordReader(object: object, of: self)
    }

    /// An object; nil without the member.
    public func objectIfPresent(_ name: String) throws(RecordFault) -> RecordReader? {
        guard node[name] != nil else { return nil }
        return try object(name)
    }

    /// A JSON value of any type.
    public func value(_ name: String) throws(RecordFault) -> JSONValue {
        guard let value = node[name] else { throw .member(name) }
        return value.value
    }
}

extension JSONObject {
    /// Adds a member unless it is absent.
    public mutating func set(_ name: String, _ text: String?) { self[name] = text.map(JSONValue.string) }

    /// Adds an integer.
    public mutating func set(_ name: String, _ integer: some FixedWidthInteger) {
        self[name] = .number(JSONNumber(integer))
    }
}
