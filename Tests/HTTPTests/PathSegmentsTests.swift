import HTTP
import Testing

struct PathSegmentsTests {
    @Test(arguments: ["a", "a-b_c.d~e", "a/b", "?#%", " ä€😀", "..", "", "\u{1}"])
    func `an encoded segment is read back as it was`(segment: String) throws {
        let encoded = PathSegments.encode(segment)
        #expect(encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#".utf8.contains($0) })
        guard segment != "\u{1}" else { return }
        #expect(try PathSegments("/\(encoded)").segments == [segment])
    }

    @Test(
        arguments: [
            ("/", [""], nil),
            ("/a", ["a"], nil),
            ("/a/", ["a", ""], nil),
            ("//a", ["", "a"], nil),
            ("/a%2Fb/c", ["a/b", "c"], nil),
            ("/a%252Fb", ["a%2Fb"], nil),
            ("/%c3%A4+%20", ["ä+ "], nil),
            ("/.././%2e", ["..", ".", "."], nil),
            ("/a?", ["a"], ""),
            ("/a?b=%2&c?d/e", ["a"], "b=%2&c?d/e"),
            ("/a%3Fb", ["a?b"], nil),
        ] as [(String, [String], String?)])
    func `a path is split first and decoded once`(path: String, segments: [String], query: String?) throws {
        let decoded = try PathSegments(path)
        #expect(decoded.segments == segments)
        #expect(decoded.query == query)
    }

    @Test(arguments: [
        ("", PathSegments.Malformed.notAbsolute),
        ("*", .notAbsolute),
        ("a/b", .notAbsolute),
        ("?a", .notAbsolute),
        ("/%", .badPercentEncoding),
        ("/%2", .badPercentEncoding),
        ("/%2/5", .badPercentEncoding),
        ("/%2?5", .badPercentEncoding),
        ("/%GG", .badPercentEncoding),
        ("/%+1", .badPercentEncoding),
        ("/%0xA", .badPercentEncoding),
        ("/%u0041", .badPercentEncoding),
        ("/a/%%", .badPercentEncoding),
        ("/%FF", .notUTF8),
        ("/%C3", .notUTF8),
        ("/%C0%AF", .notUTF8),
        ("/%ED%A0%80", .notUTF8),
        ("/%F4%90%80%80", .notUTF8),
        ("/%00", .controlCharacter),
        ("/a%0D%0Ab", .controlCharacter),
        ("/%7f", .controlCharacter),
        ("/%1F", .controlCharacter),
    ])
    func `a path that can't be decoded is refused`(path: String, reason: PathSegments.Malformed) {
        #expect(throws: reason) { try PathSegments(path) }
    }
}
