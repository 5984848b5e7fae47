public import JSON
public import Values

/// Why a durable record can't be read. It names a member, never a value.
public enum RecordFault: Error, Equatable, Sendable {
    /// The record is not one JSON object.
    case notObject
    /// The record's format version is unknown to this program.
    case format
    /// A member is absent or has an invalid value.
    case member(String)
}

/// The format in which orders and transactions are stored: a compact JSON document.
public enum RecordFormat {
    /// The format version that is written. Version 1 supported only AUTHORIZE and PAY. Its transactions lack the
    /// approved amount, which is then the amount that their order authorized, and the preceding transaction, of which
    /// there is then none.
    public static let current: Int64 = 2
    /// The format versions that can be read.
    public static let readable: ClosedRange<Int64> = 1...current
    /// The limits on reading a record. Echoed members may be nested as deeply as a request's, plus the record's own
    /// level.
    public static let limits = JSONLimits(bytesMax: 1 << 24, depthMax: 128, valuesMax: 1 << 20)
}

/// Reads the members of a record, strictly: any value that the writer could not have written is a fault.
public struct RecordReader {
    private let node: JSONNode
    /// The record's format version.
    public let format: Int64

    /// Reads a record with a known format version.
    public init(record bytes: [UInt8]) throws(RecordFault) {
        guard let root = try? JSONDocument(bytes, limits: RecordFormat.limits).root, root.kind == .object else {
            throw .notObject
        }
        try self.init(root)
    }

    /// Creates a reader of a record, which must be an object.
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

    /// Reads a string. Throws ``RecordFault/member(_:)`` if the member is absent or of another type, as do all readers
    /// below.
    public func string(_ name: String) throws(RecordFault) -> String {
        guard let string = node[name]?.string else { throw .member(name) }
        return string
    }

    /// Reads a string; nil if the member is absent.
    public func stringIfPresent(_ name: String) throws(RecordFault) -> String? {
        guard node[name] != nil else { return nil }
        return try string(name)
    }

    /// Reads a 64-bit integer.
    public func integer(_ name: String) throws(RecordFault) -> Int64 {
        guard let integer = node[name]?.numberText.flatMap({ Int64($0) }) else { throw .member(name) }
        return integer
    }

    /// Reads a non-negative integer.
    public func count(_ name: String) throws(RecordFault) -> Int64 {
        let count = try integer(name)
        guard count >= 0 else { throw .member(name) }
        return count
    }

    /// Reads a non-negative integer; nil if the member is absent.
    public func countIfPresent(_ name: String) throws(RecordFault) -> Int64? {
        guard node[name] != nil else { return nil }
        return try count(name)
    }

    /// Reads an instant, written in milliseconds since 1970-01-01T00:00:00Z.
    public func instant(_ name: String) throws(RecordFault) -> Instant {
        Instant(millisecondsSinceEpoch: try integer(name))
    }

    /// Reads an enumeration's raw value. Inlinable, so that callers look up no generic metadata at run time.
    @inlinable
    public func element<Element: RawRepresentable>(_ name: String) throws(RecordFault) -> Element
    where Element.RawValue == String {
        guard let element = Element(rawValue: try string(name)) else { throw .member(name) }
        return element
    }

    /// Reads an enumeration's raw value; nil if the member is absent.
    @inlinable
    public func elementIfPresent<Element: RawRepresentable>(_ name: String) throws(RecordFault) -> Element?
    where Element.RawValue == String {
        guard let text = try stringIfPresent(name) else { return nil }
        guard let element = Element(rawValue: text) else { throw .member(name) }
        return element
    }

    /// Reads an object.
    public func object(_ name: String) throws(RecordFault) -> RecordReader {
        guard let object = node[name], object.kind == .object else { throw .member(name) }
        return RecordReader(object: object, of: self)
    }

    /// Reads an object; nil if the member is absent.
    public func objectIfPresent(_ name: String) throws(RecordFault) -> RecordReader? {
        guard node[name] != nil else { return nil }
        return try object(name)
    }

    /// Reads a JSON value of any type.
    public func value(_ name: String) throws(RecordFault) -> JSONValue {
        guard let value = node[name] else { throw .member(name) }
        return value.value
    }
}

extension JSONObject {
    /// Adds a string member; adds nothing if the text is nil.
    public mutating func set(_ name: String, _ text: String?) { self[name] = text.map(JSONValue.string) }

    /// Adds an integer member.
    public mutating func set(_ name: String, _ integer: some FixedWidthInteger) {
        self[name] = .number(JSONNumber(integer))
    }
}
