import Testing

@testable import HTTPServer

struct TokenTableTests {
    @Test func `an element is found by its token until it is removed`() {
        var table = TokenTable<String>()
        let one = table.nextToken
        table.insert("one")
        let two = table.nextToken
        table.insert("two")
        #expect(table[one] == "one")
        #expect(table.remove(one) == "one")
        #expect(table[one] == nil)
        #expect(table[two] == "two")
        #expect(Array(table.elements) == ["two"])
    }

    @Test func `a removed element's token does not find the one that came in its place`() {
        var table = TokenTable<String>()
        let token = table.nextToken
        table.insert("one")
        table.remove(token)
        let next = table.nextToken
        table.insert("two")
        #expect(next != token)
        #expect(table[token] == nil)
        #expect(table.remove(token) == nil)
        #expect(table[next] == "two")
    }

    @Test(arguments: [0, 1, 7, 1 << 32 | 7, .max] as [UInt64])
    func `a token that was never given finds nothing`(token: UInt64) {
        var table = TokenTable<String>()
        table.insert("one")
        #expect(table[token] == nil)
        #expect(table.remove(token) == nil)
        #expect(Array(table.elements) == ["one"])
    }
}
