import JSON
import TestSupport
import Testing

/// What client generators don't take in a description, however lawful it is: each of these once broke a generated client.
/// `Tests/Clients` generates clients for real; this is what can be said without them.
struct OpenAPIGeneratorTests {
    private let description: OpenAPIDescription

    init() throws { description = try OpenAPIDescription.ofRepository.get() }

    @Test func `the description has nothing that breaks client generators`() {
        #expect(Self.faults(in: description.document, at: "#") == [])
    }

    @Test(arguments: [
        #"{"required":true,"schema":{"default":100,"type":"integer"}}"#, #"{"links":{"next":{"requestBody":{"a":1}}}}"#,
        #"{"additionalProperties":{"type":"null"}}"#, #"{"anyOf":[{"required":["a"]},{"required":["b"]}]}"#,
        #"{"type":["object","array","null"]}"#, #"{"const":"A"}"#, #"{"enum":["A","B"]}"#,
    ])
    func `what breaks client generators is found`(schema: String) throws {
        #expect(Self.faults(in: ["a": [try JSONValue(parsing: schema)]], at: "#").count == 1)
    }

    private static func faults(in value: JSONValue, at place: String) -> [String] {
        switch value {
        case .array(let elements):
            return elements.enumerated().flatMap { faults(in: $1, at: "\(place)/\($0)") }
        case .object(let members):
            return faults(of: value).map { "\(place): \($0)" }
                // What examples hold are values and no schemas.
                + members.filter { $0.name != "example" && $0.name != "examples" }
                .flatMap { faults(in: $0.value, at: "\(place)/\($0.name)") }
        default: return []
        }
    }

    private static func faults(of object: JSONValue) -> [String] {
        var faults: [String] = []
        // openapi-python-client writes arguments without a default after it.
        if object["required"] == true, object["schema"]?["default"] != nil {
            faults.append("default of a required parameter")
        }
        // openapi-generator takes nothing but a string, which would be sent unchanged.
        if case .object(let links) = object["links"] {
            faults += links.filter { $0.value["requestBody"] != nil }.map { "requestBody of link \($0.name)" }
        }
        // openapi-generator imports a module ./Null.
        if object["additionalProperties"] == ["type": "null"] { faults.append("additionalProperties of null") }
        // openapi-generator forgets the members beside it.
        for keyword in ["allOf", "anyOf", "oneOf"] {
            guard case .array(let schemas) = object[keyword] else { continue }
            if schemas.contains(where: { $0["required"] != nil && $0["type"] == nil && $0["properties"] == nil }) {
                faults.append("\(keyword) of required")
            }
        }
        // openapi-python-client removes the schema, and all that refers to it.
        if case .array(let types) = object["type"], types.contains("object"), types.contains("array") {
            faults.append("both object and array")
        }
        // openapi-generator writes `any`. A nullable enumeration stays without a type: openapi-python-client would make
        // three classes of it.
        let words: [JSONValue] = if case .array(let words) = object["enum"] { words } else { [] }
        if object["type"] == nil, object["const"]?.text != nil || words.allSatisfy({ $0.text != nil }) && !words.isEmpty
        {
            faults.append("words without a type")
        }
        return faults
    }
}
