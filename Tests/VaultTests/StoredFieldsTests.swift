import JSON
import TestSupport
import Testing
import Values

@testable import Vault

struct StoredFieldsTests {
    private static func text(_ fields: StoredFields) -> String {
        fields.root.withRawBytes { String(decoding: $0, as: UTF8.self) }
    }

    private static func merged(_ upper: String, _ lower: String) throws -> String {
        let fields = StoredFields(try JSONDocument(upper).root, over: try JSONDocument(lower).root)
        return text(fields)
    }

    @Test(arguments: [
        ("{}", "{}", "{}"),
        (#"{"a":1}"#, "{}", #"{"a":1}"#),
        ("{}", #"{"a":1}"#, #"{"a":1}"#),
        (#"{"a":1}"#, #"{"a":2}"#, #"{"a":1}"#),
        (#"{"a":1}"#, #"{"b":2}"#, #"{"a":1,"b":2}"#),
        (#"{"a":{"b":1}}"#, #"{"a":{"b":2,"c":3},"d":4}"#, #"{"a":{"b":1,"c":3},"d":4}"#),
        (#"{"a":{"b":{"c":1}}}"#, #"{"a":{"b":{"d":2}}}"#, #"{"a":{"b":{"c":1,"d":2}}}"#),
        (#"{"a":{}}"#, #"{"a":{"b":1}}"#, #"{"a":{"b":1}}"#),
        (#"{"a":null}"#, #"{"a":1}"#, #"{"a":1}"#),
        (#"{"a":{"b":null}}"#, #"{"a":{"b":1,"c":null}}"#, #"{"a":{"b":1}}"#),
        (#"{"a":null}"#, #"{"a":null}"#, "{}"),
        (#"{"a":"x"}"#, #"{"a":{"b":1}}"#, #"{"a":"x"}"#),
        (#"{"a":{"b":1}}"#, #"{"a":"x"}"#, #"{"a":{"b":1}}"#),
        (#"{"a":[1,{"b":null}]}"#, #"{"a":[2,3,4]}"#, #"{"a":[1,{"b":null}]}"#),
        (#" { "a" : 100.00 } "#, #"{ "b" : "x y" }"#, #"{"a":100.00,"b":"x y"}"#),
        (#"{"\u0061\n":1}"#, #"{"a\u000A":2,"\"":"\u00e9"}"#, #"{"a\n":1,"\"":"\u00e9"}"#),
        (#"{"\u00e9":1}"#, #"{"e\u0301":2}"#, "{\"\u{e9}\":1,\"e\u{301}\":2}"),
    ])
    func `the upper object's values win, member by member`(upper: String, lower: String, result: String) throws {
        #expect(Array(try Self.merged(upper, lower).utf8) == Array(result.utf8))
    }

    @Test func `a merge says what a plain model says`() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let (upper, lower) = (Self.object(&generator, depth: 3), Self.object(&generator, depth: 3))
            let merged = StoredFields(
                try StoredFields.of(.object(upper)).root, over: try StoredFields.of(.object(lower)).root)
            #expect(merged.root.value == Self.model(upper, lower))
        }
    }

    private static func object(_ generator: inout SeededGenerator, depth: Int) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            let name = ["a", "b", "c\n", "\"", "é"][Int.random(in: 0..<5, using: &generator)]
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: object[name] = .null
            case 1: object[name] = .string(String(repeating: "x", count: Int.random(in: 0...3, using: &generator)))
            default:
                object[name] =
                    depth == 0 ? 7 : .object(Self.object(&generator, depth: depth - 1))
            }
        }
        return object
    }

    private static func model(_ upper: JSONObject, _ lower: JSONObject) -> JSONValue {
        var merged = JSONObject()
        for (name, value) in lower where value != .null {
            if case .object(let inner) = value {
                merged[name] = model(JSONObject(), inner)
            } else {
                merged[name] = value
            }
        }
        for (name, value) in upper where value != .null {
            if case .object(let inner) = value {
                var beneath = JSONObject()
                if case .object(let object) = lower[name] { beneath = object }
                merged[name] = model(inner, beneath)
            } else {
                merged[name] = value
            }
        }
        return .object(merged)
    }

    private static let card = "sourceOfFunds.provided.card"

    private static func card(_ members: JSONValue) -> JSONValue { ["sourceOfFunds": ["provided": ["card": members]]] }

    @Test(arguments: [
        (card(["number": "1"]), card(["expiry": "2", "devicePayment": ["paymentToken": "3"]]), ["expiry", "number"]),
        (card(["devicePayment": ["paymentToken": "3"]]), card(["number": "1", "expiry": "2"]), ["devicePayment"]),
        (card(["securityCode": "1"]), card(["number": "1", "expiry": "2"]), ["expiry", "number", "securityCode"]),
        (card(["expiry": "1"]), card(["devicePayment": ["paymentToken": "3"]]), ["devicePayment", "expiry"]),
        (card(["number": .null]), card(["devicePayment": ["paymentToken": "3"]]), ["devicePayment"]),
    ])
    func `what belongs to two accounts is kept apart`(upper: JSONValue, lower: JSONValue, names: [String]) throws {
        let top = try StoredFields.of(upper).root
        let merged = StoredFields(
            top, over: try StoredFields.of(lower).root, keeping: StoredFields.keepsOneAccount(top))
        #expect(merged.value(at: Self.card)?.members.map(\.name).sorted() == names)
    }

    @Test func `what is removed is gone, and nothing else`() throws {
        let fields = try StoredFields.of(Self.card(["number": "1", "securityCode": "2"]))
        let rest = fields.removing([Self.card + ".securityCode", Self.card + ".expiry"])
        #expect(rest.root.value == Self.card(["number": "1"]))
        #expect(fields.value(at: Self.card + ".securityCode")?.string == "2")
        #expect(fields.value(at: Self.card + ".expiry") == nil)
        #expect(fields.value(at: Self.card + ".number.x") == nil)
    }

    /// Records are sealed on disks, so their form must not change.
    @Test func `a record is the unchanged fields, before the other members in order`() throws {
        let document = try JSONDocument(#"{ "b": {"n": 1.50, "t": "a\/b\u0041\n"}, "a\u0022": [ 1, null ] }"#)
        let fields = StoredFields(document.root)
        let record = fields.record(["version": "v\"\u{1F}\n", "count": 3])
        #expect(
            record.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
                == #"{"fields":{"b":{"n":1.50,"t":"a\/b\u0041\n"},"a\"":[ 1, null ]},"#
                + #""count":3,"format":2,"version":"v\"\u001F\n"}"#)
        let (read, _) = try StoredFields.read(record)
        #expect(Self.text(read) == Self.text(fields))
    }
}
