internal import JSON
internal import Values

/// The range of numbers of a merchant's messages.
struct OutboxBounds {
    /// The lowest number; every message has this number or a greater one.
    var first: Int64 = 0
    /// The next free number; every message has a smaller one.
    var next: Int64 = 0
    /// The number of times that the bounds were written; 0 if they never were.
    var revision: Int64 = 0
}

extension OutboxBounds {
    /// Reads the plaintext of a record. Earlier versions wrote further members, for messages that could not be read.
    init(record: SecretBytes, revision: Int64) throws(RecordFault) {
        let reader = try RecordReader(record: record.withUnsafeBytes { Array($0) })
        first = try reader.count("first")
        next = try reader.count("next")
        guard first <= next else { throw .member("next") }
        self.revision = revision
    }

    /// The record as plaintext for sealing.
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
