internal import JSON
internal import Values

/// A message in its sealed form.
struct OutboxRecord {
    /// The message's identifier; nil in a message of an earlier version.
    let id: String?
    let kind: OutboxKind
    /// The message's sequence, if any.
    let sequence: String?
    let text: [UInt8]
    let added: Instant
    /// The earliest instant at which the message may be taken: for the first time, again after a failed attempt, or
    /// because the gateway that took it has disappeared.
    let due: Instant
    /// The number of times that the message was taken.
    let attempts: Int64
    /// Whether the message is taken, that is, it was not put back yet.
    var isTaken = false
}

extension OutboxRecord {
    /// Whether the first attempt to send the message has not ended, as far as is known.
    var awaitsFirstAttempt: Bool { attempts == 0 || (attempts == 1 && isTaken) }

    /// The message after it is taken.
    func taken(until due: Instant) -> OutboxRecord {
        OutboxRecord(
            id: id, kind: kind, sequence: sequence, text: text, added: added, due: due, attempts: attempts + 1,
            isTaken: true)
    }
}

extension OutboxRecord {
    /// Reads the plaintext of a record.
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

    /// The record as plaintext for sealing.
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

/// A sequence of a merchant's messages, identified by the messages' kind and a name.
struct OutboxSequence: Hashable {
    private let kind: OutboxKind
    private let name: String

    /// The sequence of a message; nil if the message is in no sequence.
    init?(of record: OutboxRecord) {
        guard let name = record.sequence else { return nil }
        kind = record.kind
        self.name = name
    }
}
