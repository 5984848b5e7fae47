internal import HTTP
internal import JSON
internal import Values

/// The members of a request to the control API. Unknown members are refused; null counts as absent.
struct ControlFields {
    private let node: JSONNode?
    private let path: String

    /// Reads a request's content: one object with no members but these. Empty content counts as an empty object.
    init(_ content: WipedBuffer, _ names: [String], limits: JSONLimits = usualLimits) throws(ControlFault) {
        guard !content.isEmpty else {
            self.init()
            return
        }
        try self.init(Self.document(content, limits: limits).root, at: "", names)
    }

    private init() {
        node = nil
        path = ""
    }

    /// Reads a JSON text.
    static func document(
        _ content: WipedBuffer, limits: JSONLimits = usualLimits
    ) throws(ControlFault) -> JSONDocument {
        do throws(JSONFault) {
            return try content.withUnsafeBytes { (bytes) throws(JSONFault) in try JSONDocument(bytes, limits: limits) }
        } catch {
            throw ControlFault("Not JSON: \(error)")
        }
    }

    /// The limits of most requests' content.
    static let usualLimits = JSONLimits(bytesMax: 1 << 16, depthMax: 4, valuesMax: 1 << 10)

    /// Reads an object at a path of the content.
    init(_ node: JSONNode, at path: String, _ names: [String]) throws(ControlFault) {
        guard node.kind == .object else {
            throw path.isEmpty ? ControlFault("Expected an object") : ControlFault(field: path, "Expected an object")
        }
        for (name, _) in node.members where !names.contains(name) {
            throw ControlFault(
                field: Self.join(path, name), "Unknown; there is \(names.sorted().joined(separator: ", "))")
        }
        self.node = node
        self.path = path
    }

    private static func join(_ path: String, _ name: String) -> String {
        (path.isEmpty ? "" : path + ".") + String(name.prefix(64))
    }

    /// A fault of a member.
    func fault(_ name: String, _ explanation: String) -> ControlFault {
        ControlFault(field: Self.join(path, name), explanation)
    }

    /// A member, unless it is absent or null.
    subscript(name: String) -> JSONNode? {
        guard let value = node?[name], !value.isNull else { return nil }
        return value
    }

    /// A string of 1 to `max` bytes; nil if absent.
    func string(_ name: String, max: Int = 256) throws(ControlFault) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.string else { throw fault(name, "Expected a string") }
        guard (1...max).contains(text.utf8.count) else { throw fault(name, "Expected 1 to \(max) characters") }
        return text
    }

    /// A string that must be present.
    func requiredString(_ name: String) throws(ControlFault) -> String {
        guard let text = try string(name) else { throw fault(name, "Missing") }
        return text
    }

    /// A decimal number, as a string or a JSON number.
    func decimal(_ name: String) throws(ControlFault) -> String {
        guard let value = self[name] else { throw fault(name, "Missing") }
        guard let text = value.string ?? value.numberText else { throw fault(name, "Expected a decimal") }
        return text
    }

    /// A whole number in a range; nil if absent.
    func integer<Integer: FixedWidthInteger & Sendable>(
        _ name: String, in range: ClosedRange<Integer>
    ) throws(ControlFault) -> Integer? {
        guard let value = self[name] else { return nil }
        guard let number = value.numberText.flatMap({ Integer($0) }), range.contains(number) else {
            throw fault(name, "Expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// An instant; nil if absent.
    func instant(_ name: String) throws(ControlFault) -> Instant? {
        guard let text = try string(name) else { return nil }
        guard let instant = Instant(rfc3339: text) else {
            throw fault(name, "Expected an instant in UTC such as 2021-09-01T19:03:10Z")
        }
        return instant
    }

    /// A case of an enumeration; nil if absent.
    func word<Word: RawRepresentable & CaseIterable>(_ name: String, _ type: Word.Type) throws(ControlFault) -> Word?
    where Word.RawValue == String {
        guard let text = try string(name) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw fault(name, "Expected one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return word
    }
}
