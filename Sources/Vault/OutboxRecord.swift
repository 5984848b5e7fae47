internal import JSON
internal import Values

/// A message as it is sealed.
struct OutboxRecord {
    /// Nil in a message of an earlier version.
    let id: String?
    let text: [UInt8]
    let added: Instant
    let due: Instant
    let attempts: Int64
}

extension OutboxRecord {
    /// Reads an opened text.
    init(record: [UInt8]) throws(RecordFault) {
        let reader = try RecordReader(record: record)
        added = try reader.instant("added")
        attempts = try reader.count("attempts")
        due = try reader.instant("due")
        id = try reader.stringIfPresent("id")
        text = Array(try reader.string("text").utf8)
    }

    /// The text to seal.
    var record: [UInt8] {
        var record = JSONWriter()
        record.beginObject()
        record.member("added", added.millisecondsSinceEpoch)
        record.member("attempts", attempts)
        record.member("due", due.millisecondsSinceEpoch)
        record.member("format", RecordFormat.current)
        record.member("id", id)
        record.member("text", String(decoding: text, as: UTF8.self))
        record.endObject()
        return record.bytes
    }
}
