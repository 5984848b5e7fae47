internal import JSON
internal import Values

/// The numbers between which a merchant's messages are.
struct OutboxBounds {
    /// No message has a smaller number.
    var first: Int64 = 0
    /// No message has this number or a greater one.
    var next: Int64 = 0
    /// How often the bounds were written; 0 if they never were.
    var revision: Int64 = 0
}

extension OutboxBounds {
    /// Reads an opened text. Earlier versions wrote further members, for messages that could not be read.
    init(record: SecretBytes, revision: Int64) throws(RecordFault) {
        let reader = try RecordReader(record: record.withUnsafeBytes { Array($0) })
        first = try reader.count("first")
        next = try reader.count("next")
        guard first <= next else { throw .member("next") }
        self.revision = revision
    }

    /// The text to seal.
    var record: [UInt8] {
        var record = JSONWriter()
        record.beginObject()
        record.member("first", first)
        record.member("format", RecordFormat.current)
        record.member("next", next)
        record.endObject()
        return record.bytes
    }
}
