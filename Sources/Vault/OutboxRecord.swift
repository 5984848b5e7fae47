internal import JSON
internal import Values

/// A message as it is sealed.
struct OutboxRecord {
    /// Nil in a message of an earlier version.
    let id: String?
    let kind: OutboxKind
    /// The sequence that the message is in, if any.
    let sequence: String?
    let text: [UInt8]
    let added: Instant
    /// When it may be taken: for the first time, again after a failed attempt, or because the gateway that took it has
    /// disappeared.
    let due: Instant
    /// How often it was taken.
    let attempts: Int64
    /// Whether it was taken and not put back.
    var isTaken = false
}

extension OutboxRecord {
    /// Whether the first attempt to send it has not ended, as far as is known.
    var awaitsFirstAttempt: Bool { attempts == 0 || (attempts == 1 && isTaken) }

    /// The message once it was taken.
    func taken(until due: Instant) -> OutboxRecord {
        OutboxRecord(
            id: id, kind: kind, sequence: sequence, text: text, added: added, due: due, attempts: attempts + 1,
            isTaken: true)
    }
}

extension OutboxRecord {
    /// Reads an opened text.
    init(record: [UInt8]) throws(RecordFault) {
        let reader = try RecordReader(record: record)
        added = try reader.instant("added")
        attempts = try reader.count("attempts")
        due = try reader.instant("due")
        id = try reader.stringIfPresent("id")
        isTaken = try reader.countIfPresent("taken") == 1
        kind = OutboxKind(recorded: try reader.stringIfPresent("kind"))
        sequence = try reader.stringIfPresent("sequence")
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
        record.member("kind", kind.name)
        record.member("sequence", sequence)
        if isTaken { record.member("taken", 1) }
        record.member("text", String(decoding: text, as: UTF8.self))
        record.endObject()
        return record.bytes
    }
}

/// A sequence among a merchant's messages of all kinds.
struct OutboxSequence: Hashable {
    private let kind: OutboxKind
    private let name: String

    /// The sequence of a message; nil if it is in none.
    init?(of record: OutboxRecord) {
        guard let name = record.sequence else { return nil }
        kind = record.kind
        self.name = name
    }
}
