import HTTPTypes
import JSON
import Testing

struct SyntaxTests {
    @Test(arguments: [
        ("", "Unexpected end at [character 1 line 1]"),
        (" ", "Unexpected end at [character 2 line 1]"),
        (#"{"apiOpera": a}"#, "Unexpected character 'a' at [character 14 line 1]"),
        (#"{"a":1,}"#, "Unexpected character '}' at [character 8 line 1]"),
        (#"{"a":[1,]}"#, "Unexpected character ']' at [character 9 line 1]"),
        ("{'a':1}", "Unexpected character ''' at [character 2 line 1]"),
        ("{\"a\":\n  NaN}", "Unexpected character 'N' at [character 3 line 2]"),
        ("{\"a\":1}//", "Unexpected text after the end at [character 8 line 1]"),
        ("{}{}", "Unexpected text after the end at [character 3 line 1]"),
        (#"{"a":"#, "Unexpected end at [character 6 line 1]"),
        (#"{"a":"b"#, "Unexpected end at [character 8 line 1]"),
        (#"{"a":01}"#, "Invalid number at [character 7 line 1]"),
        (#"{"a":1.}"#, "Invalid number at [character 8 line 1]"),
        (#"{"a":"\x"}"#, "Invalid escape sequence at [character 8 line 1]"),
        (#"{"a":"\ud800"}"#, "Invalid escape sequence at [character 7 line 1]"),
        ("{\"a\":\"\t\"}", "Unescaped control character at [character 7 line 1]"),
        (#"{"a":{"b":1,"\u0062":2}}"#, "Repeated name 'a.b' at [character 13 line 1]"),
        ("\u{FEFF}{}", "Unexpected character at [character 1 line 1]"),
    ])
    func `content that is not strict JSON is refused where it breaks the rule`(body: String, finding: String)
        async throws
    {
        let response = await (try TestAPI()).send(.put, body: body)
        #expect(response.refusal == "400 | - | - | Json encoded payload error: \(finding)")
    }

    @Test func `content that is not UTF-8 is refused`() async throws {
        for bytes: [UInt8] in [[0xC3, 0x28], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF]] {
            let response = await (try TestAPI()).send(.put, bytes: Array(#"{"a":""#.utf8) + bytes + Array(#""}"#.utf8))
            #expect(
                response.refusal == "400 | - | - | Json encoded payload error: Invalid UTF-8 at [character 7 line 1]")
        }
    }

    @Test func `content that is nested too deeply is refused`() async throws {
        let bomb = String(repeating: #"{"a":"#, count: 10_000)
        let response = await (try TestAPI()).send(.put, body: bomb)
        #expect(
            response.refusal
                == "400 | - | - | Json encoded payload error: The payload is nested too deeply "
                + "at [character 161 line 1]"
        )
    }

    @Test func `content that is too large or has too many values is refused`() async throws {
        let large = #"{"a":""# + String(repeating: "x", count: 1 << 20) + #""}"#
        #expect(
            await (try TestAPI()).send(.put, body: large).string("error.explanation")?.contains("too large") == true)
        let many = "[" + String(repeating: "0,", count: 1 << 16) + "0]"
        #expect(
            await (try TestAPI()).send(.put, body: many).string("error.explanation")?.contains("too many") == true)
    }

    @Test(arguments: ["[]", "3", "null", #""text""#, "true"])
    func `content that is JSON and no object is refused`(body: String) async throws {
        let response = await (try TestAPI()).send(.put, body: body)
        #expect(response.refusal == "400 | - | - | Json encoded payload error: Expected an object")
    }

    @Test func `syntax is judged before the password`() async throws {
        let response = await (try TestAPI()).send(.put, body: "{", authorization: [])
        #expect(response.status == 400)
    }
}
