internal import HTTP
internal import JSON
internal import Payments
internal import Values

/// The members of a request. Null counts as absent; unknown members are ignored unless they are refused explicitly.
struct HostedFields {
    private let node: JSONNode
    private let path: String

    private static let limits = JSONLimits(bytesMax: 1 << 16, depthMax: 6, valuesMax: 1 << 11)
    /// The default maximum length of a string, in bytes.
    static let textBytesMax = 256

    /// Reads a request's content, which must be one JSON object.
    init(_ content: WipedBuffer) throws(HostedFault) {
        let document: JSONDocument
        do throws(JSONFault) {
            document = try content.withUnsafeBytes { (bytes) throws(JSONFault) in
                try JSONDocument(bytes, limits: Self.limits)
            }
        } catch {
            throw HostedFault("The content is not JSON: \(error)")
        }
        try self.init(document.root, at: "")
    }

    /// Reads an object at a path of the content.
    init(_ node: JSONNode, at path: String) throws(HostedFault) {
        guard node.kind == .object else {
            throw HostedFault(path.isEmpty ? "The content must be an object" : "\(path): expected an object")
        }
        self.node = node
        self.path = path
    }

    /// Refuses all members except these.
    func expect(_ names: [String]) throws(HostedFault) {
        guard node.members.allSatisfy({ names.contains($0.name) }) else {
            throw HostedFault(
                (path.isEmpty ? "" : path + ": ") + "a member is unknown; there is \(names.joined(separator: ", "))")
        }
    }

    /// A fault of a member.
    func fault(_ name: String, _ message: String) -> HostedFault {
        .member(path.isEmpty ? name : "\(path).\(name)", message)
    }

    /// A member, unless it is absent or null.
    subscript(name: String) -> JSONNode? {
        guard let value = node[name], !value.isNull else { return nil }
        return value
    }

    /// A string of 1 to `max` bytes; nil if absent.
    func string(_ name: String, max: Int = textBytesMax) throws(HostedFault) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.string else { throw fault(name, "expected a string") }
        guard (1...max).contains(text.utf8.count) else { throw fault(name, "expected 1 to \(max) bytes") }
        return text
    }

    /// A string that must be present.
    func requiredString(_ name: String) throws(HostedFault) -> String {
        guard let text = try string(name) else { throw fault(name, "missing") }
        return text
    }

    /// A boolean; false if absent.
    func bool(_ name: String) throws(HostedFault) -> Bool {
        guard let value = self[name] else { return false }
        guard let bool = value.bool else { throw fault(name, "expected true or false") }
        return bool
    }

    /// An amount in a currency, given as a string.
    func amount(_ name: String, in currency: Currency) throws(HostedFault) -> Amount {
        let text = try requiredString(name)
        do throws(Amount.Malformed) { return try Amount(text, currency) } catch {
            switch error {
            case .notDecimal: throw fault(name, "not a plain decimal such as 12.50")
            case .length: throw fault(name, "longer than \(Amount.charactersMax) characters")
            case .decimals(let max): throw fault(name, "\(currency.code) has at most \(max) decimals")
            case .exceedsMaximum: throw fault(name, "more than \(Amount.unitsMax)")
            }
        }
    }
}
