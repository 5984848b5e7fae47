internal import JSON
internal import Payments
internal import Values

/// Writes a reply about a transaction or an order, member by member, in ascending order of their names at every
/// level.
///
/// The request's echoed members are merged with the written ones. Members that are objects in both are merged; for
/// any other member in both, the request's value is used. Members that the version lacks are omitted.
struct ReplyWriter: ~Copyable {
    private var text = JSONWriter()
    private var level: Level
    /// The state of the enclosing objects, the innermost last.
    private var outer: [Level] = []

    /// The state of the object that is being written.
    private struct Level {
        /// The request's members that are not written yet, in descending order.
        var said: [(name: String, value: JSONValue)]
        let gates: ReplyGates

        init(_ said: JSONObject?, _ gates: ReplyGates) {
            self.said = if let said, !said.isEmpty { said.reversed() } else { [] }
            self.gates = gates
        }
    }

    /// Begins a reply.
    ///
    /// - Parameter said: the request's echoed members.
    init(_ said: JSONValue, _ gates: ReplyGates) {
        level = Level(said.members, gates)
        text.beginObject()
    }

    /// Ends the reply, and returns it in UTF-8.
    consuming func finish() -> [UInt8] {
        writeRestOfSaid()
        text.endObject()
        return text.bytes
    }

    /// Writes a member with a string, unless it is nil.
    mutating func member(_ name: StaticString, _ text: String?) {
        if let text, begin(name) { self.text.member(name, text) }
    }

    /// Writes a member with an integer.
    mutating func member(_ name: StaticString, _ integer: Int64) {
        if begin(name) { text.member(name, integer) }
    }

    /// Writes a member with an amount: a number with all decimals of its currency.
    mutating func member(_ name: StaticString, _ amount: Amount) {
        member(name, minorUnits: amount.minorUnits, amount.currency)
    }

    /// Writes a member with a count of minor units, as an amount.
    mutating func member(_ name: StaticString, minorUnits: Int64, _ currency: Currency) {
        precondition(minorUnits >= 0, "money is counted from 0")
        if begin(name) { text.member(name, minorUnits, fractionDigits: currency.exponent) }
    }

    /// Writes a member with an instant: `YYYY-MM-DDThh:mm:ss.SSSZ`.
    mutating func member(_ name: StaticString, _ instant: Instant) { member(name, instant.description) }

    /// Writes a member with a month and year, unless they are nil.
    mutating func member(_ name: StaticString, _ expiry: CardExpiry?) {
        guard let expiry else { return }
        guard beginObject(name) else { return }
        member("month", String(expiry.month))
        member("year", expiry.year < 10 ? "0\(expiry.year)" : "\(expiry.year)")
        endObject()
    }

    /// Writes a member with a value, without applying gates below it, unless it is nil.
    mutating func member(_ name: StaticString, _ value: JSONValue?) {
        guard let value, begin(name) else { return }
        text.member(name)
        text.write(value)
    }

    /// Begins a member that is an object.
    ///
    /// - Returns: true if the caller must write the members and end the object; false if the version lacks the member
    ///   or the request has another value in its place.
    mutating func beginObject(_ name: StaticString) -> Bool {
        writeSaid(before: name)
        var inner: JSONObject?
        if let said = level.said.last, name.hasSameBytes(as: said.name), case .object(let members) = said.value {
            inner = members
            level.said.removeLast()
        }
        guard begin(name) else { return false }
        text.member(name)
        open(Level(inner, level.gates.below(name)))
        return true
    }

    /// Ends the innermost object.
    mutating func endObject() {
        writeRestOfSaid()
        text.endObject()
        guard let last = outer.popLast() else { preconditionFailure("what ends has begun") }
        level = last
    }

    /// Begins a member that is an array.
    ///
    /// - Returns: true if the caller must write the elements and end the array.
    mutating func beginArray(_ name: StaticString) -> Bool {
        guard begin(name) else { return false }
        text.member(name)
        text.beginArray()
        return true
    }

    /// Begins an element of an array: an object with another request's echoed members and gates of its own.
    mutating func beginElement(_ said: JSONValue, _ gates: ReplyGates) { open(Level(said.members, gates)) }

    /// Ends the innermost array.
    mutating func endArray() { text.endArray() }
}

extension ReplyWriter {
    private mutating func open(_ inner: Level) {
        outer.append(level)
        level = inner
        text.beginObject()
    }

    private mutating func writeRestOfSaid() {
        while let said = level.said.popLast() { writeSaid(said.name, said.value, level.gates) }
    }

    /// Advances to a name, and returns whether the caller must write its value: the version has the member, and the
    /// request has no value for it.
    private mutating func begin(_ name: StaticString) -> Bool {
        writeSaid(before: name)
        if let said = level.said.last, name.hasSameBytes(as: said.name) {
            writeSaid(said.name, said.value, level.gates)
            level.said.removeLast()
            return false
        }
        return level.gates.isOpen || !level.gates.exclude(name)
    }

    private mutating func writeSaid(before name: StaticString) {
        while let said = level.said.last, name.isBehind(said.name) {
            writeSaid(said.name, said.value, level.gates)
            level.said.removeLast()
        }
    }

    private mutating func writeSaid(_ name: String, _ value: JSONValue, _ gates: ReplyGates) {
        guard !gates.exclude(name) else { return }
        text.write(name: name)
        let inner = gates.below(name)
        guard case .object(let members) = value, !inner.isOpen else { return text.write(value) }
        text.beginObject()
        for (name, value) in members { writeSaid(name, value, inner) }
        text.endObject()
    }
}

extension JSONValue {
    fileprivate var members: JSONObject? {
        guard case .object(let members) = self else { return nil }
        return members
    }
}

extension StaticString {
    /// Whether a string has the same bytes.
    func hasSameBytes(as other: String) -> Bool {
        utf8CodeUnitCount == other.utf8.count && withUTF8Buffer { $0.elementsEqual(other.utf8) }
    }

    /// Whether a string precedes this one in the order of members.
    fileprivate func isBehind(_ other: String) -> Bool {
        withUTF8Buffer { other.utf8.lexicographicallyPrecedes($0) }
    }
}
