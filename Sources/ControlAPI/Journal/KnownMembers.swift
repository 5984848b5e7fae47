internal import JSON

/// The members that requests to the merchants' APIs may have. Of a refused request, only their values may be shown.
public struct KnownMembers: Sendable {
    fileprivate indirect enum Node: Sendable {
        /// An object with known members.
        case object([String: Node])
        /// An array of objects.
        case array(Node)
        /// An object whose member names the merchant chooses.
        case custom
        /// A value.
        case leaf
    }

    private var root: Node

    /// The members at dotted paths. In a path `name[]` is an array of objects, and `name.*` an object with any names.
    public init(paths: some Sequence<String>) {
        root = .object([:])
        for path in paths { root = Self.inserting(path.split(separator: ".")[...], into: root) }
    }

    private static func inserting(_ path: ArraySlice<Substring>, into node: Node?) -> Node {
        guard let first = path.first else { return .leaf }
        guard first != "*" else { return .custom }
        var members: [String: Node] = [:]
        if case .object(let present) = node { members = present }
        let isArray = first.hasSuffix("[]")
        let name = String(isArray ? first.dropLast(2) : first)
        if isArray {
            var element: Node?
            if case .array(let present) = members[name] { element = present }
            members[name] = .array(inserting(path.dropFirst(), into: element))
        } else {
            members[name] = inserting(path.dropFirst(), into: members[name])
        }
        return .object(members)
    }

    /// The schema of the value at one place in a request.
    struct Place {
        private let node: Node?

        /// A place where neither the value nor anything inside it is known.
        static let unknown = Place(node: nil)

        fileprivate init(node: Node?) { self.node = node }

        /// Whether a string or number at this place may be shown.
        var isValue: Bool {
            guard case .leaf = node else { return false }
            return true
        }

        /// The place of an object's member.
        subscript(name: JSONNode) -> Place {
            switch node {
            case .object(let members): Place(node: name.string.flatMap { members[$0] })
            case .custom: Place(node: .leaf)
            case .array, .leaf, nil: .unknown
            }
        }

        /// The place of an array's elements.
        var element: Place {
            guard case .array(let element) = node else { return .unknown }
            return Place(node: element)
        }
    }

    /// The place of a request's content.
    var content: Place { Place(node: root) }
}
