public import JSON
internal import Values

/// Request fields that a session or token stores: one JSON object, in memory that is wiped.
public struct StoredFields: Sendable {
    /// The object.
    public let root: JSONNode

    /// No fields.
    public static let none: StoredFields = {
        guard let document = try? JSONDocument("{}") else { preconditionFailure("an empty object is JSON") }
        return StoredFields(root: document.root)
    }()

    init(root: JSONNode) { self.root = root }

    /// The object that a merged member comes from.
    public enum Layer: Sendable {
        /// The object whose values win.
        case upper
        /// The object whose values are used where the upper object has none.
        case lower
    }

    /// Merges two objects, member by member at every level: the result has the upper object's value wherever there is
    /// one, otherwise the lower's. Null counts as no value: the result has no null member, except inside arrays.
    ///
    /// - Parameters:
    ///   - upper: an object.
    ///   - lower: an object.
    ///   - keeps: decides whether a member is kept, by its layer and its dotted path.
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

    /// The fields without those at the given paths.
    public func removing(_ paths: Set<String>) -> StoredFields {
        StoredFields(root) { _, path in !paths.contains(path) }
    }

    /// The size of the fields in bytes of JSON.
    public var byteCount: Int { root.withRawBytes { $0.count } }

    /// The value at a dotted path; nil if it is absent or null.
    public func value(at path: String) -> JSONNode? {
        var node = root
        for name in path.split(separator: ".") {
            guard let member = node[String(name)], !member.isNull else { return nil }
            node = member
        }
        return node
    }

    /// The record as plaintext for sealing: the given members, the format version, and the fields as member `fields`.
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

    /// Reads the plaintext of a record. Returns its fields, and a reader of the other members.
    static func read(_ record: SecretBytes) throws(RecordFault) -> (fields: StoredFields, reader: RecordReader) {
        let document = record.withUnsafeBytes { try? JSONDocument($0, limits: RecordFormat.limits) }
        guard let root = document?.root, root.kind == .object else { throw .notObject }
        guard let fields = root["fields"], fields.kind == .object else { throw .member("fields") }
        return (StoredFields(root: fields), try RecordReader(root))
    }
}
