import Foundation
import JSON

/// A Postman collection (v2.1.0) and its environment, as far as the ones in `Deploy/postman` go. What is not known here is
/// an error, so that nothing of them is passed over.
struct PostmanCollection {
    /// Why the files can't be run.
    enum Failure: Error, Equatable {
        case unknownMember(String, of: String)
        case malformed(String)
    }

    /// The merchant.
    enum Authentication: Equatable {
        case none
        case basic(username: String, password: String)
    }

    /// One request with its scripts; `{{…}}` in its texts is still to be replaced.
    struct Request {
        let name: String
        let method: String
        let url: String
        let authentication: Authentication
        let fields: [(name: String, value: String)]
        let body: String?
        let linesBefore: [String]
        let linesAfter: [String]
    }

    /// The requests in the order in which they are run.
    let requests: [Request]
    /// The variables of collection and environment, with their first values.
    let variables: [String: String]

    /// The ones of `Deploy/postman`.
    init() throws {
        let folder = BuiltProgram.repository + "/Deploy/postman/tollgate.postman_"
        let collection = try Self.json(folder + "collection.json")
        let environment = try Self.json(folder + "environment.json")
        try collection.expect(["auth", "info", "item", "variable"], "the collection")
        guard collection["info"]?["schema"]?.text?.hasSuffix("/v2.1.0/collection.json") == true else {
            throw Failure.malformed("the schema")
        }
        let authentication = try Self.authentication(collection["auth"])
        var requests: [Request] = []
        for folder in try collection.elements("item") {
            try folder.expect(["description", "item", "name"], "a folder")
            for item in try folder.elements("item") {
                requests.append(try Self.request(item, in: try folder.string("name"), authentication))
            }
        }
        self.requests = requests
        var variables: [String: String] = [:]
        for variable in try collection.elements("variable") + environment.elements("values") {
            try variable.expect(["enabled", "key", "type", "value"], "a variable")
            variables[try variable.string("key")] = try variable.string("value")
        }
        self.variables = variables
    }

    private static func json(_ path: String) throws -> JSONValue {
        try JSONValue(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    }

    private static func request(
        _ item: JSONValue, in folder: String, _ inherited: Authentication
    ) throws -> Request {
        try item.expect(["event", "name", "request"], "an item")
        let name = "\(folder): \(try item.string("name"))"
        guard let request = item["request"] else { throw Failure.malformed(name) }
        try request.expect(["auth", "body", "description", "header", "method", "url"], name)
        var body: String?
        if let content = request["body"] {
            try content.expect(["mode", "options", "raw"], name)
            guard content["mode"]?.text == "raw" else { throw Failure.malformed(name) }
            body = try content.string("raw")
        }
        let fields = try request.elements("header").map { field in
            try field.expect(["key", "value"], name)
            return (name: try field.string("key"), value: try field.string("value"))
        }
        return Request(
            name: name, method: try request.string("method"), url: try request.string("url"),
            authentication: try request["auth"].map { (own) in try authentication(own) } ?? inherited,
            fields: fields, body: body, linesBefore: try lines("prerequest", item, name),
            linesAfter: try lines("test", item, name))
    }

    private static func lines(_ listen: String, _ item: JSONValue, _ name: String) throws -> [String] {
        try item.elements("event").filter { $0["listen"]?.text == listen }.flatMap { event in
            try event.expect(["listen", "script"], name)
            guard let script = event["script"] else { throw Failure.malformed(name) }
            try script.expect(["exec", "type"], name)
            return try script.elements("exec").map { line in
                guard let text = line.text else { throw Failure.malformed(name) }
                return text
            }
        }
    }

    private static func authentication(_ value: JSONValue?) throws -> Authentication {
        guard let value else { throw Failure.malformed("no auth") }
        try value.expect(["basic", "type"], "auth")
        guard value["type"]?.text == "basic" else {
            guard value["type"]?.text == "noauth" else { throw Failure.malformed("auth") }
            return .none
        }
        let pairs = try value.elements("basic").map { (try $0.string("key"), try $0.string("value")) }
        guard pairs.map(\.0) == ["username", "password"] else { throw Failure.malformed("auth") }
        return .basic(username: pairs[0].1, password: pairs[1].1)
    }
}

extension JSONValue {
    fileprivate func expect(_ names: Set<String>, _ place: String) throws(PostmanCollection.Failure) {
        guard case .object(let members) = self else { throw .malformed(place) }
        for (name, _) in members where !names.contains(name) { throw .unknownMember(name, of: place) }
    }

    fileprivate func elements(_ name: String) throws(PostmanCollection.Failure) -> [JSONValue] {
        guard case .array(let elements) = self[name] else { throw .malformed(name) }
        return elements
    }

    fileprivate func string(_ name: String) throws(PostmanCollection.Failure) -> String {
        guard let text = self[name]?.text else { throw .malformed(name) }
        return text
    }
}
