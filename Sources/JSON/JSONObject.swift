import Glibc

/// The members of an object that is being built, each name once, in ascending order of code points.
///
/// Names are compared by their bytes. Swift's `String` would take U+00E9 and U+0065 U+0301 for the same name, and
/// JSON does not.
public struct JSONObject: Sendable, ExpressibleByDictionaryLiteral {
    struct Member: Sendable {
        let name: JSONName
        var value: JSONValue
    }

    private(set) var sorted: [Member]

    /// An object without members.
    public init() {
        sorted = []
    }

    /// An object of these members, in any order.
    ///
    /// - Precondition: no name occurs twice.
    public init(_ members: some Sequence<(name: String, value: JSONValue)>) {
        self.init(members: members.map { Member(name: JSONName($0.name), value: $0.value) })
    }

    /// An object of these members, in any order.
    ///
    /// - Precondition: no name occurs twice.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self.init(members: members.map { Member(name: JSONName($0.0), value: $0.1) })
    }

    init(members: [Member]) {
        sorted = members
        guard !isAscending else { return }
        sorted.sort { $0.name < $1.name }
        precondition(isAscending, "a name occurs twice in an object")
    }

    /// Whether each name comes before the next.
    private var isAscending: Bool {
        sorted.indices.dropFirst().allSatisfy { sorted[$0 - 1].name < sorted[$0].name }
    }

    /// How many members there are.
    public var count: Int { sorted.count }

    /// Whether there are no members.
    public var isEmpty: Bool { sorted.isEmpty }

    /// A member's value; nil if there is none. Setting nil removes the member; JSON's null is ``JSONValue/null``.
    ///
    /// Finding takes logarithmic time; adding and removing move the members that follow.
    public subscript(name: String) -> JSONValue? {
        get {
            let name = JSONName(name)
            let index = firstIndex(notBelow: name)
            return index < sorted.count && sorted[index].name == name ? sorted[index].value : nil
        }
        set {
            let name = JSONName(name)
            let index = firstIndex(notBelow: name)
            let exists = index < sorted.count && sorted[index].name == name
            switch newValue {
            case .some(let value) where exists: sorted[index].value = value
            case .some(let value): sorted.insert(Member(name: name, value: value), at: index)
            case nil where exists: sorted.remove(at: index)
            case nil: break
            }
        }
    }

    /// The members whose value is not null, themselves without null members.
    func removingNulls() -> JSONObject {
        var kept = JSONObject()
        for member in sorted where member.value != .null {
            kept.sorted.append(Member(name: member.name, value: member.value.removingNulls()))
        }
        return kept
    }

    private func firstIndex(notBelow name: JSONName) -> Int {
        var lower = 0
        var upper = sorted.count
        while lower < upper {
            let middle = (lower + upper) / 2
            if sorted[middle].name < name {
                lower = middle + 1
            } else {
                upper = middle
            }
        }
        return lower
    }
}

extension JSONObject: Sequence {
    /// Starts at the member whose name comes first.
    public func makeIterator() -> AnyIterator<(name: String, value: JSONValue)> {
        var members = sorted.makeIterator()
        return AnyIterator { members.next().map { ($0.name.text, $0.value) } }
    }
}

extension JSONObject: Equatable {
    /// Whether both hold the same names with equal values.
    public static func == (one: JSONObject, other: JSONObject) -> Bool {
        one.sorted.elementsEqual(other.sorted) { $0.name == $1.name && $0.value == $1.value }
    }
}

/// A name with its first eight bytes at hand. UTF-8 sorts as its code points do.
struct JSONName: Comparable, Sendable {
    let text: String
    private let prefix: UInt64

    init(_ text: String) {
        self.text = text
        prefix = text.withUTF8Bytes { bytes in
            var prefix: UInt64 = 0
            withUnsafeMutableBytes(of: &prefix) { $0.copyMemory(from: .init(rebasing: bytes.prefix(8))) }
            return UInt64(bigEndian: prefix)
        }
    }

    static func < (one: JSONName, other: JSONName) -> Bool {
        guard one.prefix == other.prefix else { return one.prefix < other.prefix }
        return one.text.compareUTF8(with: other.text) < 0
    }

    static func == (one: JSONName, other: JSONName) -> Bool {
        one.prefix == other.prefix && one.text.compareUTF8(with: other.text) == 0
    }
}

extension String {
    /// Lends the string's UTF-8.
    func withUTF8Bytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        // The strings of this platform are UTF-8 in one piece, so that nothing is copied.
        var text = self
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    /// Below, at or above zero as this string's UTF-8 sorts before, with or behind the other's.
    func compareUTF8(with other: String) -> Int {
        withUTF8Bytes { bytes in
            other.withUTF8Bytes { otherBytes in
                if let start = bytes.baseAddress, let otherStart = otherBytes.baseAddress {
                    let order = memcmp(start, otherStart, min(bytes.count, otherBytes.count))
                    if order != 0 { return Int(order) }
                }
                return bytes.count - otherBytes.count
            }
        }
    }
}
