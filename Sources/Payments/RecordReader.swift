internal import JSON
internal import Values

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
enum RecordFormat {
    /// The form that is written. Form 1 knew AUTHORIZE and PAY alone: its transactions say neither what was approved, which
    /// is then what their order has authorized, nor on which transaction they build, which is then none.
    static let current: Int64 = 2
    /// The forms that are read.
    static let readable: ClosedRange<Int64> = 1...current
    /// What a record may cost to read. Echoed members may be nested as deep as a request's, plus the record's own level.
    static let limits = JSONLimits(bytesMax: 1 << 24, depthMax: 128, valuesMax: 1 << 20)
}

/// Reads the members of a record, strictly: what is there must be what was written.
struct RecordReader {
    private let node: JSONNode
    /// The form that the record was written in.
    let format: Int64

    /// Reads a record in a known form.
    init(record bytes: [UInt8]) throws(RecordFault) {
        guard let root = try? JSONDocument(bytes, limits: RecordFormat.limits).root, root.kind == .object else {
            throw .notObject
        }
        try self.init(root)
    }

    /// Reads a record, which is an object.
    init(_ record: JSONNode) throws(RecordFault) {
        node = record
        guard let format = record["format"]?.numberText.flatMap({ Int64($0) }) else { throw .member("format") }
        guard RecordFormat.readable.contains(format) else { throw .format }
        self.format = format
    }

    private init(object node: JSONNode, of record: RecordReader) {
        self.node = node
        format = record.format
    }

    func string(_ name: String) throws(RecordFault) -> String {
        guard let string = node[name]?.string else { throw .member(name) }
        return string
    }

    func stringIfPresent(_ name: String) throws(RecordFault) -> String? {
        guard node[name] != nil else { return nil }
        return try string(name)
    }

    func integer(_ name: String) throws(RecordFault) -> Int64 {
        guard let integer = node[name]?.numberText.flatMap({ Int64($0) }) else { throw .member(name) }
        return integer
    }

    /// An integer of at least 0.
    func count(_ name: String) throws(RecordFault) -> Int64 {
        let count = try integer(name)
        guard count >= 0 else { throw .member(name) }
        return count
    }

    func countIfPresent(_ name: String) throws(RecordFault) -> Int64? {
        guard node[name] != nil else { return nil }
        return try count(name)
    }

    func instant(_ name: String) throws(RecordFault) -> Instant {
        Instant(millisecondsSinceEpoch: try integer(name))
    }

    func amount(_ name: String, _ currency: Currency) throws(RecordFault) -> Amount {
        guard let amount = Amount(exactly: try integer(name), currency) else { throw .member(name) }
        return amount
    }

    /// A member of a closed list.
    func element<Element: RawRepresentable>(_ name: String) throws(RecordFault) -> Element
    where Element.RawValue == String {
        guard let element = Element(rawValue: try string(name)) else { throw .member(name) }
        return element
    }

    func elementIfPresent<Element: RawRepresentable>(_ name: String) throws(RecordFault) -> Element?
    where Element.RawValue == String {
        guard node[name] != nil else { return nil }
        return try element(name) as Element
    }

    func object(_ name: String) throws(RecordFault) -> RecordReader {
        guard let object = node[name], object.kind == .object else { throw .member(name) }
        return RecordReader(object: object, of: self)
    }

    func objectIfPresent(_ name: String) throws(RecordFault) -> RecordReader? {
        guard node[name] != nil else { return nil }
        return try object(name)
    }

    func expiry(_ name: String) throws(RecordFault) -> CardExpiry {
        let object = try object(name)
        guard let month = Int(exactly: try object.integer("month")),
            let year = Int(exactly: try object.integer("year")),
            let expiry = CardExpiry(month: month, year: year)
        else { throw .member(name) }
        return expiry
    }

    func expiryIfPresent(_ name: String) throws(RecordFault) -> CardExpiry? {
        guard node[name] != nil else { return nil }
        return try expiry(name)
    }

    func value(_ name: String) throws(RecordFault) -> JSONValue {
        guard let value = node[name] else { throw .member(name) }
        return value.value
    }
}

extension JSONObject {
    /// Adds a member unless it is absent.
    mutating func set(_ name: String, _ text: String?) { self[name] = text.map(JSONValue.string) }

    /// Adds an integer.
    mutating func set(_ name: String, _ integer: some FixedWidthInteger) { self[name] = .number(JSONNumber(integer)) }

    /// Adds an expiry unless it is absent.
    mutating func set(_ name: String, _ expiry: CardExpiry?) {
        self[name] = expiry.map { ["month": .number(JSONNumber($0.month)), "year": .number(JSONNumber($0.year))] }
    }
}

extension JSONWriter {
    /// Writes an expiry unless it is absent.
    mutating func member(_ name: StaticString, _ expiry: CardExpiry?) {
        guard let expiry else { return }
        member(name)
        beginObject()
        member("month", Int64(expiry.month))
        member("year", Int64(expiry.year))
        endObject()
    }
}
