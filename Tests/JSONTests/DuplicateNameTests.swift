import JSON
import Testing

struct DuplicateNameTests {
    @Test(arguments: [
        (#"{"a":1,"a":2}"#, 7, "a"), (#"{"a":1,"a":1}"#, 7, "a"), (#"{"a":1,"\u0061":2}"#, 7, "a"),
        (#"{"\u0061":1,"a":2}"#, 12, "a"),
        (#"{"\u0061":1,"\u0061":2}"#, 12, "a"), (#"{"":1,"b":2,"":3}"#, 12, ""), (#"{"/":1,"\/":2}"#, 7, "/"),
        (#"{"é":1,"\u00E9":2}"#, 8, "é"), (#"{"😀":1,"\ud83d\ude00":2}"#, 10, "😀"),
        (#"{"\n":1,"\u000a":2}"#, 8, #"\u000A"#),
        (#"{"a":{"b":1,"c":[2],"b":3}}"#, 20, "a.b"), (#"[1,{"x":[{},{"k":1,"j":{},"k":2}]}]"#, 26, "[1].x[1].k"),
        (#"{"order":{"id":1},"x":2,"order":{"id":1}}"#, 24, "order"), (#"{"a":1,"b":2,"b":3,"a":4}"#, 13, "b"),
        (#"{"a":{"a":1,"a":2},"a":3}"#, 12, "a.a"),
    ])
    func `a repeated name is refused where it stands the second time`(text: String, offset: Int, path: String) {
        let fault = #expect(throws: JSONFault.self) { try JSONDocument(text) }
        #expect(fault?.reason == .duplicateName)
        #expect(fault?.offset == offset)
        #expect(fault?.path == path)
    }

    @Test(arguments: [
        #"{"a":1,"A":2}"#, #"{"a":1,"a ":2}"#, #"{"a":{"a":{"a":1}}}"#, #"{"x":[{"a":1},{"a":1}]}"#,
        #"{"a":"a","b":"a"}"#,
        #"{"a":1,"a\u0000":2}"#, #"{"":1," ":2}"#, #"{"\u0061":1,"\u0062":2}"#, #"{"a":1,"\\u0061":2}"#,
        // Equal to Swift's String, and different names to JSON.
        "{\"\u{E9}\":1,\"e\u{301}\":2}", "{\"\u{212B}\":1,\"\u{C5}\":2,\"A\u{30A}\":3}",
    ])
    func `names that differ in one byte are different`(text: String) throws {
        let root = try JSONDocument(text).root
        #expect(try JSONValue(parsing: root.value.serialized()) == root.value)
        #expect(Array(root.members).count == root.count)
    }

    @Test(arguments: [2, 11, 12, 13, 14, 31, 32, 33, 100])
    func `a repeated name is found in objects of every size and at every place`(count: Int) {
        for repeated in 0..<(count - 1) {
            for name in ["name\(repeated)", "\\u006eame\(repeated)"] {
                let members = (0..<(count - 1)).map { "\"name\($0)\":{\"name\($0)\":[]}" } + ["\"\(name)\":0"]
                let fault = #expect(throws: JSONFault.self) {
                    try JSONDocument("{" + members.joined(separator: ",") + "}")
                }
                #expect(fault?.path == "name\(repeated)")
            }
        }
    }

    @Test func `a long name is cut and its controls are escaped in the path`() {
        let name = String(repeating: "n", count: 100_000)
        let fault = #expect(throws: JSONFault.self) { try JSONDocument("{\"\(name)\":1,\"\(name)\":2}") }
        #expect(fault?.path == String(repeating: "n", count: 64) + "…")
        let control = #expect(throws: JSONFault.self) {
            try JSONDocument("{\"a\\n\u{2028}\u{7F}\":1,\"a\\n\u{2028}\u{7F}\":2}")
        }
        #expect(control?.path == #"a\u000A\u2028\u007F"#)
    }
}
