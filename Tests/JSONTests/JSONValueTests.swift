import JSON
import Testing
import Values

struct JSONValueTests {
    private func text(_ value: JSONValue) -> String { String(decoding: value.serialized(), as: UTF8.self) }

    @Test func `a literal is written without white space and in order at every level`() {
        let value: JSONValue = [
            "version": "100", "result": "SUCCESS",
            "order": ["id": "o-1", "amount": .number(100), "A": [true, .null, 1, "x"]],
            "Z": [:], "": [],
        ]
        #expect(
            text(value)
                == #"{"":[],"Z":{},"order":{"A":[true,null,1,"x"],"amount":100,"id":"o-1"},"result":"SUCCESS","version":"100"}"#
        )
    }

    @Test(arguments: [
        // Each list is in ascending order of code points.
        ["", "\u{0}", "\u{1}", " ", "!", "0", "A", "Z", "_", "a", "aa", "b"],
        ["prefix00", "prefix000", "prefix01", "prefix1", "prefix1\u{0}", "prefix10"],
        ["a\u{0}", "a\u{0}\u{0}", "a\u{1}", "ab"], ["transactionIdentifier", "transactionReference", "transactions"],
        // Where normalization, locales or UTF-16 would order otherwise.
        ["Z", "e", "e\u{301}", "f", "\u{E9}"], ["A\u{30A}", "\u{C5}", "\u{212B}"],
        ["\u{FB01}", "\u{FFFD}", "\u{1F600}", "\u{10FFFF}"],
        ["\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10000}"],
    ])
    func `members are written in ascending order of code points`(names: [String]) throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20 {
            let members = names.shuffled(using: &generator).map { (name: $0, value: JSONValue.null) }
            let value = JSONValue.object(JSONObject(members))
            let written = try JSONDocument(value.serialized()).root.members.map { Array($0.name.utf8) }
            #expect(written == names.map { Array($0.utf8) })

            var object = JSONObject()
            for member in members { object[member.name] = member.value }
            #expect(JSONValue.object(object) == value)
        }
    }

    @Test(arguments: [
        ("", #""""#), ("\"\\", #""\"\\""#), ("\u{8}\u{C}\n\r\t", #""\b\f\n\r\t""#),
        ("\0\u{1}\u{B}\u{1F}", #""\u0000\u0001\u000B\u001F""#),
        ("/", #""/""#), ("\u{7F}\u{2028}é€😀", "\"\u{7F}\u{2028}é€😀\""), ("a\"b", #""a\"b""#), ("\"", #""\"""#),
        ("<&>'", #""<&>'""#),
        ("a long string without escapes", "\"a long string without escapes\""),
        (String(repeating: "\u{1}", count: 2000), "\"" + String(repeating: #"\u0001"#, count: 2000) + "\""),
        ("a long string\nwith \"some\"", #""a long string\nwith \"some\"""#),
    ])
    func `a string is written with the fewest escapes`(string: String, expected: String) throws {
        #expect(text(.string(string)) == expected)
        #expect(text(.object([string: 1])) == "{\(expected):1}")
        #expect(try JSONDocument(expected).root.string == string)
    }

    @Test func `every ASCII character survives the way out and in`() throws {
        let string = String(decoding: UInt8(0)..<0x80, as: UTF8.self)
        #expect(try JSONDocument(JSONValue.string(string).serialized()).root.string == string)
    }

    @Test(
        arguments: [
            (JSONNumber(Int64.min), "-9223372036854775808"), (JSONNumber(UInt64.max), "18446744073709551615"),
            (JSONNumber(0), "0"), (-7, "-7"),
        ] as [(JSONNumber, String)])
    func `an integer is written in full`(number: JSONNumber, expected: String) {
        #expect(text(.number(number)) == expected)
    }

    @Test func `numbers are equal by their text`() throws {
        let number = try #require(JSONNumber("100.00"))
        #expect(number == JSONNumber("100.00"))
        #expect(number != 100)
        #expect(text(.number(number)) == "100.00")
        #expect(try JSONValue(parsing: "1.0") != JSONValue(parsing: "1"))
        #expect(try JSONValue(parsing: "1e2") != JSONValue(parsing: "1E2"))
    }

    @Test(arguments: [
        ("null", "false"), ("0", "null"), ("\"1\"", "1"), ("[]", "{}"), ("[1]", "[1,1]"), ("[1,2]", "[2,1]"),
        (#"{"a":1}"#, #"{"a":2}"#),
        (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1}"#, #"{"a":1,"b":1}"#), ("\"\u{E9}\"", "\"e\u{301}\""),
        ("{\"\u{E9}\":1}", "{\"e\u{301}\":1}"),
        (#"{"a":null}"#, "{}"), ("true", "false"),
    ])
    func `values that are written differently are different`(one: String, other: String) throws {
        #expect(try JSONValue(parsing: one) != JSONValue(parsing: other))
        #expect(try JSONValue(parsing: one).serialized() != JSONValue(parsing: other).serialized())
    }

    @Test func `the order and the escapes of the source do not count`() throws {
        let one = try JSONValue(parsing: #"{"a":"\u0041\/","b":[{"y":1,"x":2}]}"#)
        let other = try JSONValue(parsing: #" { "b" : [ { "x" : 2 , "y" : 1 } ] , "\u0061" : "A/" } "#)
        #expect(one == other)
        #expect(one.serialized() == other.serialized())
        #expect(text(one) == #"{"a":"A/","b":[{"x":2,"y":1}]}"#)
    }

    @Test(arguments: [
        (#"{"a":null,"b":1}"#, #"{"b":1}"#), (#"{"a":{"b":null}}"#, #"{"a":{}}"#),
        (#"[null,{"a":null},[null]]"#, "[null,{},[null]]"),
        ("null", "null"),
        (#"{"a":[{"b":null,"c":[null]}],"d":false,"e":""}"#, #"{"a":[{"c":[null]}],"d":false,"e":""}"#),
    ])
    func `null members vanish at every level and null elements stay`(source: String, expected: String) throws {
        #expect(text(try JSONValue(parsing: source).removingNulls()) == expected)
    }

    @Test func `a member is set, replaced and removed by name`() {
        var object: JSONObject = ["b": 1]
        object["a"] = "x"
        object["c"] = .null
        object["b"] = 2
        #expect(object["b"] == 2)
        #expect(object["d"] == nil)
        #expect(object.map(\.name) == ["a", "b", "c"])
        object["a"] = nil
        object["d"] = nil
        #expect(JSONValue.object(object) == ["b": 2, "c": .null])
        #expect(object.count == 2)
        #expect(JSONValue.object(object)["b"] == 2)
        #expect(JSONValue.array([1])["b"] == nil)
    }

    @Test func `neither a description nor a dump tells what a value holds`() throws {
        let value = try JSONValue(parsing: #"{"number":"5123450000000008","more":["5123",5123]}"#)
        var dumped = "\(value) \(String(reflecting: value)) \([value])"
        dump(value, to: &dumped)
        if case .object(let members) = value {
            dumped += "\(members) \(String(reflecting: members))"
            dump(members, to: &dumped)
        }
        if case .array(let elements) = value["more"] { dump(elements, to: &dumped) }
        #expect(!dumped.contains("5123"))
        #expect(value.description == "object of 2")
    }

    @Test func `a repeated name is our own mistake`() async {
        await #expect(processExitsWith: .failure) { _ = JSONValue(dictionaryLiteral: ("a", 1), ("a", 2)) }
    }

    @Test(
        arguments: [
            (.null, "null"), (true, "bool"), (1, "number"), ("card", "string"), (["card"], "array of 1"),
            (["card": "card"], "object of 1"), ([:], "object of 0"),
        ] as [(JSONValue, String)])
    func `a description tells the kind and the size and nothing else`(value: JSONValue, description: String) {
        #expect(value.description == description)
        #expect(String(reflecting: value) == description)
    }

    @Test func `an object is empty if it has no members`() {
        var object = JSONObject()
        #expect(object.isEmpty)
        object[""] = .null
        #expect(!object.isEmpty)
        object[""] = nil
        #expect(object.isEmpty)
    }
}
