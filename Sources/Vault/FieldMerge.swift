internal import JSON

/// Writes the merge of two JSON objects, the upper over the lower.
struct FieldMerge: ~Copyable {
    let keeps: (StoredFields.Layer, String) -> Bool
    private(set) var writer = JSONWriter()

    init(keeps: @escaping (StoredFields.Layer, String) -> Bool) { self.keeps = keeps }

    /// Writes the merge of an object and, if there is one, the lower object at the same path.
    mutating func write(_ upper: JSONNode, over lower: JSONNode?, path: String) {
        writer.beginObject()
        for (name, value) in upper.members where !value.isNull {
            let path = path.isEmpty ? name : path + "." + name
            guard keeps(.upper, path) else { continue }
            writer.write(name: name)
            guard value.kind == .object else {
                writer.write(raw: value)
                continue
            }
            let beneath = lower?[name].flatMap { $0.kind == .object && keeps(.lower, path) ? $0 : nil }
            write(value, over: beneath, path: path)
        }
        if let lower { writeRest(of: lower, beneath: upper, path: path) }
        writer.endObject()
    }

    /// Writes the members of the lower object that the upper object lacks; all of them if there is no upper object.
    private mutating func writeRest(of lower: JSONNode, beneath upper: JSONNode?, path: String) {
        for (name, value) in lower.members where !value.isNull {
            // With an empty path and both objects present, these are the roots, whose members have no dot in their
            // path.
            let path = path.isEmpty && upper != nil ? name : path + "." + name
            guard keeps(.lower, path) else { continue }
            if let above = upper?[name], !above.isNull, keeps(.upper, path) { continue }
            writer.write(name: name)
            guard value.kind == .object else {
                writer.write(raw: value)
                continue
            }
            writer.beginObject()
            writeRest(of: value, beneath: nil, path: path)
            writer.endObject()
        }
    }
}
