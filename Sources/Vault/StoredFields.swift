public import JSON
internal import Values

/// Fields of a request as a session or token holds them: one JSON object, in memory that is wiped.
public struct StoredFields: Sendable {
    /// The object.
    public let root: JSONNode

    /// No fields.
    public static let none: StoredFields = {
        guard let document = try? JSONDocument("{}") else { preconditionFailure("an empty object is JSON") }
        return StoredFields(root: document.root)
    }()

    init(root: JSONNode) { self.root = root }

    /// Which of two objects a member comes from.
    public enum Layer: Sendable {
        /// The one whose values win.
        case upper
        /// The one whose values are taken where the upper has none.
        case lower
    }

    /// One object laid over another: member by member at every level, the upper's value wherever it has one. A null is no
    /// value, and no member of the result is null, but for those in arrays.
    ///
    /// - Parameters:
    ///   - upper: an object.
    ///   - lower: an object.
    ///   - keeps: whether a member is taken, by its layer and its dotted path.
    public init(
        _ upper: JSONNode, over lower: JSONNode = StoredFields.none.root,
        keeping keeps: @escaping (Layer, String) -> Bool = { _, _ in true }
    ) {
        precondition(upper.kind == .object && lower.kind == .object, "fields are members of an object")
        var merge = FieldMerge(keeps: keeps)
        merge.write(upper, over: lower, path: "")
        let document = merge.writer.withBytes { try? JSONDocument($0, limits: RecordFormat.limits) }
        guard let document else {
            preconditionFailure("of two documents within the limits comes one within twice them")
        }
        root = document.root
    }

    /// The fields without those of the paths.
    public func removing(_ paths: Set<String>) -> StoredFields {
        StoredFields(root) { _, path in !paths.contains(path) }
    }

    /// How many bytes of JSON they are.
    public var byteCount: Int { root.withRawBytes { $0.count } }

    /// The value at a dotted path, unless it is absent or null.
    public func value(at path: String) -> JSONNode? {
        var node = root
        for name in path.split(separator: ".") {
            guard let member = node[String(name)], !member.isNull else { return nil }
            node = member
        }
        return node
    }

    /// The text that is sealed: the fields among the members that say what else is known, a record like any other.
    func record(_ members: JSONObject) -> SecretBytes {
        var members = members
        members.set("format", RecordFormat.current)
        var record = JSONWriter(capacity: byteCount + 1024)
        record.beginObject()
        record.member("fields")
        record.write(raw: root)
        for (name, value) in members {
            record.write(name: name)
            record.write(value)
        }
        record.endObject()
        return record.withBytes { SecretBytes(copying: $0) }
    }

    /// Reads a text that was opened: its fields, and what reads the other members.
    static func read(_ record: SecretBytes) throws(RecordFault) -> (fields: StoredFields, reader: RecordReader) {
        let document = record.withUnsafeBytes { try? JSONDocument($0, limits: RecordFormat.limits) }
        guard let root = document?.root, root.kind == .object else { throw .notObject }
        guard let fields = root["fields"], fields.kind == .object else { throw .member("fields") }
        return (StoredFields(root: fields), try RecordReader(root))
    }
}
