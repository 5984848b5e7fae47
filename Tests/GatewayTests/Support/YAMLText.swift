import JSON
import Yams

/// A YAML text converted to JSON, where it has a JSON form.
enum YAMLText {
    /// Why a text is not JSON written in YAML.
    struct NotJSON: Error {
        let line: Int
        let reason: String
    }

    /// Reads a text. Words that YAML 1.1 takes for truth values and YAML 1.2 doesn't, such as `no`, are refused: readers
    /// disagree on them.
    static func json(_ text: String) throws -> JSONValue {
        guard let node = try Yams.compose(yaml: text) else { return .null }
        return try json(node)
    }

    private static func json(_ node: Node) throws -> JSONValue {
        switch node {
        case .mapping(let mapping):
            var members = JSONObject()
            for (key, value) in mapping {
                guard let name = key.scalar?.string else { throw fault(node, "a name is wanted") }
                members[name] = try json(value)
            }
            return .object(members)
        case .sequence(let elements): return .array(try elements.map(json))
        case .scalar(let scalar): return try json(scalar, node)
        case .alias: throw fault(node, "an alias of nothing")
        }
    }

    private static func json(_ scalar: Node.Scalar, _ node: Node) throws -> JSONValue {
        switch Tag.Name(rawValue: node.tag.description) {
        case .str: return .string(scalar.string)
        case .null:
            guard scalar.string == "null" else { throw fault(node, "null is written out") }
            return .null
        case .bool:
            guard ["true", "false"].contains(scalar.string) else { throw fault(node, "quote \(scalar.string)") }
            return .bool(scalar.string == "true")
        case .int, .float:
            guard let number = JSONNumber(scalar.string) else { throw fault(node, "no number of JSON") }
            return .number(number)
        default: throw fault(node, "no value of JSON: \(node.tag)")
        }
    }

    private static func fault(_ node: Node, _ reason: String) -> NotJSON {
        NotJSON(line: node.mark?.line ?? 0, reason: reason)
    }
}
