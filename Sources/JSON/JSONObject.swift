import Glibc

/// The members of an object under construction, with unique names, in ascending order of code points.
///
/// Names are compared by their bytes. Swift's `String` treats U+00E9 and U+0065 U+0301 as equal, but JSON does not.
public struct JSONObject: Sendable, ExpressibleByDictionaryLiteral {
    struct Member: Sendable {
        let name: JSONName
        var value: JSONValue
    }

    private(set) var sorted: [Member]

    /// Creates an object without members.
    public init() {
        sorted = []
    }

    /// Creates an object with members in any order.
    ///
    /// - Precondition: the names are unique.
    public init(_ members: some Sequence<(name: String, value: JSONValue)>) {
        self.init(members: members.map { Member(name: JSONName($0.name), value: $0.value) })
    }

    /// Creates an object with members in any order.
    ///
    /// - Precondition: the names are unique.
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

    /// The number of members.
    public var count: Int { sorted.count }

    /// Whether there are no members.
    public var isEmpty: Bool { sorted.isEmpty }

    /// A member's value; nil if there is none. Setting nil removes the member; JSON's null is ``JSONValue/null``.
    ///
    /// Lookup takes logarithmic time; adding and removing move the members that follow.
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

    /// The members whose value is not null, with null members removed at every level.
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
    /// Creates an iterator that starts at the first member in order of names.
    public func makeIterator() -> AnyIterator<(name: String, value: JSONValue)> {
        var members = sorted.makeIterator()
        return AnyIterator { members.next().map { ($0.name.text, $0.value) } }
    }
}

extension JSONObject: Equatable {
    /// Whether both objects have the same names with equal values.
    public static func == (one: JSONObject, other: JSONObject) -> Bool {
        one.sorted.elementsEqual(other.sorted) { $0.name == $1.name && $0.value == $1.value }
    }
}

/// A name with its first eight bytes stored inline for fast comparison. UTF-8 sorts in the order of its code points.
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
    /// Calls the body with the string's UTF-8. The bytes are valid only during the call.
    func withUTF8Bytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        // Strings on this platform are contiguous UTF-8, so nothing is copied.
        var text = self
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    /// Compares UTF-8: negative, zero or positive if this string sorts before, equal to or after the other.
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
