internal import JSON
internal import Payments
internal import Values

/// Writes a reply about a transaction or an order, member by member, in ascending order of their names at every level.
///
/// Among the members that it is given it puts those that the request said: where both have an object, the two become one;
/// of other members that both have, the request's stays. What the version doesn't have it leaves out.
struct ReplyWriter: ~Copyable {
    private var text = JSONWriter()
    private var level: Level
    /// What concerns the objects around it, the innermost last.
    private var outer: [Level] = []

    /// What concerns the object that is being written.
    private struct Level {
        /// What the request said that isn't written yet, the last one first.
        var said: [(name: String, value: JSONValue)]
        let gates: ReplyGates

        init(_ said: JSONObject?, _ gates: ReplyGates) {
            self.said = if let said, !said.isEmpty { said.reversed() } else { [] }
            self.gates = gates
        }
    }

    /// Begins a reply.
    ///
    /// - Parameter said: what the request said.
    init(_ said: JSONValue, _ gates: ReplyGates) {
        level = Level(said.members, gates)
        text.beginObject()
    }

    /// Ends the reply, and gives it in UTF-8.
    consuming func finish() -> [UInt8] {
        writeRestOfSaid()
        text.endObject()
        return text.bytes
    }

    /// Writes a member with a text, unless that is nil.
    mutating func member(_ name: StaticString, _ text: String?) {
        if let text, begin(name) { self.text.member(name, text) }
    }

    /// Writes a member with an integer.
    mutating func member(_ name: StaticString, _ integer: Int64) {
        if begin(name) { text.member(name, integer) }
    }

    /// Writes a member with an amount: a number with all the decimals of its currency.
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

    /// Writes a member with a value that was built, of which the version has everything, unless it is nil.
    mutating func member(_ name: StaticString, _ value: JSONValue?) {
        guard let value, begin(name) else { return }
        text.member(name)
        text.write(value)
    }

    /// Begins a member that is an object.
    ///
    /// - Returns: whether its members are the caller's to write, who then ends it: the version has it, and the request said
    ///   nothing else in its place.
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
    /// - Returns: whether its elements are the caller's to write, who then ends it.
    mutating func beginArray(_ name: StaticString) -> Bool {
        guard begin(name) else { return false }
        text.member(name)
        text.beginArray()
        return true
    }

    /// Begins an element of an array: an object of which another request said something, with gates of its own.
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

    /// Comes to a name, and tells whether its value is the caller's to write: the version has it, and the request didn't say
    /// it.
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
    /// Whether a text has the bytes of this one.
    func hasSameBytes(as other: String) -> Bool {
        utf8CodeUnitCount == other.utf8.count && withUTF8Buffer { $0.elementsEqual(other.utf8) }
    }

    /// Whether a text comes before this one by the order of members.
    fileprivate func isBehind(_ other: String) -> Bool {
        withUTF8Buffer { other.utf8.lexicographicallyPrecedes($0) }
    }
}
