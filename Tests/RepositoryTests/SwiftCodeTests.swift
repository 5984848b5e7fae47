import Testing

/// What the rules on source see of it.
struct SwiftCodeTests {
    @Test(arguments: [
        ("let a = 1  // {", "let a = 1      "), ("a /* { /* } */ { */ + b", "a                   + b"),
        (#"let a = "{\"{""#, #"let a =      ""#), (#"f("{\(g { "}" })}") }"#, #"f(    g {   " }  ") }"#),
        ("let a = /{[}]/", "let a =       "), ("let a = b / c / { d }", "let a = b / c / { d }"),
        ("let a = \"\"\"\n{\"\n\"\"\" }", "let a =    \n  \n\"\"\" }"), ("f(#/{/{/# {", "f(#       {"),
        (##"let a = #"{\("# {"##, ##"let a = #    "# {"##),
    ])
    func `comments, strings and regular expressions are blanked`(text: String, code: String) {
        #expect(String(decoding: SwiftCode(text).bytes, as: UTF8.self) == code)
    }

    @Test func `a body has the lines between its braces that hold code`() {
        let text = """
            struct A {
                let a: Int

                func f() {
                    // A comment.
                    if a > 0 {

                        g("{")
                    }
                }
                class func g() { f() }
            }
            """
        #expect(SwiftBlock.all(in: text).map(\.line) == [6, 4, 11])
        #expect(SwiftBlock.all(in: text).map(\.lines.count) == [1, 3, 0])
    }

    @Test(arguments: [
        "import struct A.B\nlet c = d {\n", "f(extension: 1) {\n", "f(.extension) {\n", "actor.run {\n",
        "class func f() {\n", "init() {\n", "var a: Int {\n",
    ])
    func `a brace without the declaration of a type opens a body`(head: String) {
        #expect(SwiftBlock.all(in: head + "    a\n}\n").map(\.lines.count) == [1])
    }

    @Test(arguments: [
        "public final class A: B {\n", "extension A where B == [C] {\n", "enum A {\n", "protocol A {\n", "actor A {\n",
    ])
    func `the brace of a type opens no body`(head: String) {
        #expect(SwiftBlock.all(in: head + "    let a = 1\n}\n").isEmpty)
    }

    @Test func `a body of one switch without default is a table`() {
        let cases = "    switch a {\n    case .b: 1\n    case .c:\n        f(\n            2)\n    }\n"
        let table = SwiftBlock.all(in: "var a: Int {\n\(cases)}")
        #expect(table.map(\.isTable) == [true] && table.map(\.longestCaseLines) == [3])
        for other in [cases + "    f()\n", "    f()\n" + cases, cases.replacing(".c:", with: ".c: 2\n    default:")] {
            #expect(SwiftBlock.all(in: "var a: Int {\n\(other)}").map(\.isTable) == [false])
        }
    }

    @Test(arguments: [
        "public struct A {", "    package init?(a: Int) {", "@inlinable public static func f() {",
        "    nonisolated(unsafe) public var a = 1", "    public private(set) var a = 1", "open class func f()",
    ])
    func `a declaration without a comment is found`(line: String) {
        #expect(PublicDeclaration.all(in: "let a = 1\n\(line)").map(\.isDocumented) == [false])
        #expect(PublicDeclaration.all(in: "// A.\n@inline(never)\n\(line)").map(\.isDocumented) == [false])
        #expect(PublicDeclaration.all(in: "/// A.\n@inline(never)\n\(line)").map(\.isDocumented) == [true])
    }

    @Test(arguments: [
        "public import A", "open = 1", "package.targets.append(a)", "// public let a",
        "let public = 1",
    ])
    func `a line without a declaration that others see is none`(line: String) {
        #expect(PublicDeclaration.all(in: line).isEmpty)
    }
}
