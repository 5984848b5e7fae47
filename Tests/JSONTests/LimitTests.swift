import JSON
import Testing

struct LimitTests {
    @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
    func `the depth may reach the limit and not pass it`(open: String, close: String) throws {
        let limits = JSONLimits(depthMax: 5)
        func nested(_ depth: Int) -> String {
            String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
        }
        #expect(try JSONDocument(nested(5), limits: limits).root.value.serialized() == Array(nested(5).utf8))
        expectFault(.tooDeep, at: open.utf8.count * 5, in: Array(nested(6).utf8), limits: limits)
        expectFault(.tooDeep, at: open.utf8.count * 32, in: Array(nested(33).utf8))
    }

    @Test func `containers side by side are not deep`() throws {
        let text = "[" + Array(repeating: "[{}]", count: 100).joined(separator: ",") + "]"
        #expect(try JSONDocument(text, limits: JSONLimits(depthMax: 3)).root.count == 100)
    }

    @Test func `depth zero allows a scalar alone`() throws {
        #expect(try JSONDocument("1", limits: JSONLimits(depthMax: 0)).root.numberText == "1")
        expectFault(.tooDeep, at: 0, in: Array("[]".utf8), limits: JSONLimits(depthMax: 0))
    }

    @Test(arguments: ["[", "{\"a\":", "[{\"a\":", "[[],"])
    func `a depth bomb is refused at the limit, closed or not`(bomb: String) {
        let fault = #expect(throws: JSONFault.self) {
            try JSONDocument(String(repeating: bomb, count: 100_000), limits: JSONLimits(bytesMax: 1 << 24))
        }
        #expect(fault?.reason == .tooDeep)
        expectFault(
            .tooDeep, at: 32, in: Array(repeating: 0x5B, count: 100_000) + Array(repeating: 0x5D, count: 100_000))
    }

    @Test func `the ceiling of depth can be read, copied, written and freed`() throws {
        let depth = JSONLimits.depthCeiling
        let text = Array(repeating: UInt8(0x5B), count: depth) + Array(repeating: 0x5D, count: depth)
        let value = try JSONValue(parsing: text, limits: JSONLimits(depthMax: depth))
        #expect(value.removingNulls().serialized() == text)
    }

    @Test func `the length may reach the limit and not pass it`() throws {
        let limits = JSONLimits(bytesMax: 6)
        #expect(try JSONDocument("[1234]", limits: limits).root.count == 1)
        expectFault(.tooLarge, at: 6, in: Array("[12345]".utf8), limits: limits)
        expectFault(.tooLarge, at: 6, in: Array("[1234] ".utf8), limits: limits)
        let fault = Array("[12345]".utf8).withUnsafeBytes { bytes in
            #expect(throws: JSONFault.self) { try JSONDocument(bytes, limits: limits) }
        }
        #expect(fault?.reason == .tooLarge)
        let place = #expect(throws: JSONFault.self) { try JSONDocument("[1,\n23]", limits: limits) }
        #expect(place?.description == "tooLarge at [character 3 line 2]")
    }

    @Test func `the number of values may reach the limit and not pass it`() throws {
        let limits = JSONLimits(valuesMax: 4)
        #expect(try JSONDocument(#"[1,{"a":2}]"#, limits: limits).root.count == 2)
        expectFault(.tooManyValues, at: 11, in: Array(#"[1,{"a":2},3]"#.utf8), limits: limits)
        expectFault(.tooManyValues, at: 7, in: Array("[1,2,3,[]]".utf8), limits: limits)
        expectFault(.unexpectedEnd, at: 7, in: Array("[1,2,3,".utf8), limits: limits)
        expectFault(.tooManyValues, at: 131_071, in: Array(("[" + String(repeating: "1,", count: 70_000) + "1]").utf8))
    }

    @Test func `a hundred thousand members are read and distinguished`() throws {
        let limits = JSONLimits(bytesMax: 1 << 24, valuesMax: 1 << 20)
        let members = (0..<100_000).map { "\"name\($0)\":\($0)" }
        let root = try JSONDocument("{" + members.joined(separator: ",") + "}", limits: limits).root
        #expect(root.count == 100_000)
        #expect(root["name99999"]?.numberText == "99999")
        #expect(root["name100000"] == nil)

        let repeated = "{" + members.joined(separator: ",") + ",\"name500\":0}"
        let fault = #expect(throws: JSONFault.self) { try JSONDocument(repeated, limits: limits) }
        #expect(fault?.reason == .duplicateName)
        #expect(fault?.path == "name500")
        #expect(fault?.offset == repeated.utf8.count - 12)
    }

    @Test func `many escaped names are distinguished too`() throws {
        let members = (0..<20_000).map { "\"\\u006eame\($0)\":\($0)" }
        let root = try JSONDocument("{" + members.joined(separator: ",") + "}").root
        #expect(root["name19999"]?.numberText == "19999")
        expectFault(
            .duplicateName, at: members.joined(separator: ",").utf8.count + 2,
            in: Array(("{" + members.joined(separator: ",") + ",\"name7\":0}").utf8))
    }
}
