import JSON
import TestSupport
import Testing

/// The checker that holds replies to `openapi.yaml`: it finds what is wrong, and refuses what it doesn't know.
struct JSONSchemaTests {
    @Test(
        arguments: [
            (#"{"type":"string"}"#, #""a""#, #"1"#), (#"{"type":["string","null"]}"#, "null", "true"),
            (#"{"type":"integer"}"#, "1", "1.5"), (#"{"type":"number"}"#, "1.50", #""1.50""#),
            (#"{"const":0}"#, "0", "0.00"), (#"{"enum":["A",null]}"#, "null", #""B""#),
            (#"{"type":"object","required":["a"]}"#, #"{"a":null}"#, "{}"),
            (#"{"properties":{"a":{"type":"null"}}}"#, #"{"b":1}"#, #"{"a":1}"#),
            (
                #"{"properties":{"a":{}},"patternProperties":{"^b+$":{"type":"string"}},"additionalProperties":false}"#,
                #"{"a":1,"bb":"x"}"#, #"{"a":1,"c":"x"}"#
            ),
            (#"{"patternProperties":{"^b+$":{"type":"string"}}}"#, #"{"bb":"x"}"#, #"{"bb":1}"#),
            (#"{"additionalProperties":{"type":"null"}}"#, #"{"x":null}"#, #"{"x":1}"#),
            (#"{"properties":{"a":{}},"unevaluatedProperties":{"type":"null"}}"#, #"{"a":1,"x":null}"#, #"{"x":1}"#),
            (#"{"not":{"type":["string","number"]}}"#, "[]", "1"),
            (#"{"if":{"not":{"required":["a"]}},"then":{"required":["b"]}}"#, #"{"b":1}"#, #"{"c":1}"#),
            (#"{"if":{"required":["a"]},"then":{"required":["b"]}}"#, #"{"c":1}"#, #"{"a":1}"#),
            (#"{"maxProperties":1}"#, #"{"a":1}"#, #"{"a":1,"b":1}"#), (#"{"items":{"type":"string"}}"#, "[]", "[1]"),
            (#"{"minItems":1}"#, "[1]", "[]"), (#"{"maxItems":0}"#, "[]", "[1]"),
            (#"{"minLength":1}"#, #""é""#, #""""#),
            (#"{"maxLength":1}"#, #""👍""#, #""ab""#), (#"{"pattern":"^[A-Z]+$"}"#, #""AB""#, #""aB""#),
            (#"{"minimum":1}"#, "1.00", "0.99"), (#"{"maximum":1}"#, "1", "1.01"),
            (#"{"oneOf":[{"type":"string"},{"const":1}]}"#, "1", "2"),
            (#"{"oneOf":[{"type":"integer"},{"type":"string"}]}"#, "1", "1.5"),
            (#"{"oneOf":[{"type":"number"},{"minimum":5}]}"#, "1", "6"),
            (#"{"anyOf":[{"type":"string"},{"const":1}]}"#, "1", "null"),
            (##"{"$ref":"#/components/schemas/Word"}"##, #""A""#, #""a""#),
        ])
    func `a schema lets through what it should, and nothing else`(schema: String, good: String, bad: String) throws {
        let schemas = JSONSchema(document: ["components": ["schemas": ["Word": ["pattern": "^[A-Z]$"]]]])
        let schema = try JSONValue(parsing: schema)
        #expect(try schemas.faults(of: try JSONValue(parsing: good), by: schema) == [])
        #expect(try schemas.faults(of: try JSONValue(parsing: bad), by: schema) != [])
    }

    @Test(arguments: ["allOf", "contains", "unevaluatedItems", "format", "else", "multipleOf", "nullable", "minLenght"])
    func `a keyword that is not known is an error`(keyword: String) throws {
        let schemas = JSONSchema(document: [:])
        #expect(throws: JSONSchema.Failure.unknownKeyword(keyword, in: "#/properties/a")) {
            try schemas.faults(of: ["a": 1], by: ["properties": ["a": .object([keyword: true])]])
        }
    }

    @Test(arguments: [
        (#"{"additionalProperties":false,"unevaluatedProperties":false}"#, "unevaluatedProperties"),
        (#"{"anyOf":[{}],"unevaluatedProperties":false}"#, "unevaluatedProperties"),
        (#"{"if":{},"then":{"properties":{"a":{}}}}"#, "then"), (#"{"if":{}}"#, "then"),
        (#"{"then":{"required":["a"]}}"#, "then"),
    ])
    func `a keyword whose meaning others change is an error beside them`(schema: String, keyword: String) throws {
        #expect(throws: JSONSchema.Failure.malformedKeyword(keyword, in: "#")) {
            try JSONSchema(document: [:]).faults(of: ["b": 1], by: try JSONValue(parsing: schema))
        }
    }

    @Test func `a reference to nothing, and one to itself, are errors`() throws {
        let schemas = JSONSchema(document: ["a": ["$ref": "#/a"]])
        #expect(throws: JSONSchema.Failure.unresolved("#/b")) { try schemas.faults(of: 1, by: ["$ref": "#/b"]) }
        #expect(throws: JSONSchema.Failure.self) { try schemas.faults(of: 1, by: ["$ref": "#/a"]) }
    }

    @Test func `a reply that is not as described is found`() throws {
        let description = try OpenAPIDescription.ofRepository.get()
        let head = "Content-Type: application/json;charset=UTF-8\r\n\r\n"
        func check(_ method: String, _ path: String, _ status: String, _ body: String) throws {
            try description.check(
                method, path, try HTTPReply(head: "HTTP/1.1 \(status)\r\n" + head, body: Array(body.utf8)))
        }
        let path = "/api/rest/version/100/information"
        try check("GET", path, "200 OK", #"{"gatewayVersion":"1","status":"OPERATING"}"#)
        #expect(throws: OpenAPIDescription.Broken.self) { try check("GET", path, "200 OK", #"{"status":"OPERATING"}"#) }
        #expect(throws: OpenAPIDescription.Broken.self) { try check("GET", path, "401 No", #"{"result":"ERROR"}"#) }
        #expect(throws: OpenAPIDescription.Broken.self) { try check("GET", path + "x", "200 OK", "{}") }
        #expect(throws: OpenAPIDescription.Broken.self) { try check("POST", path, "201 Created", "{}") }
        #expect(throws: OpenAPIDescription.Broken.self) {
            try check(
                "GET", path, "404 Not Found\r\nTollgate-Report: 1",
                #"{"error":{"cause":"INVALID_REQUEST"},"result":"ERROR"}"#)
        }
    }
}
