import JSON
import Testing

struct JSONNodeTests {
    static let text = #"""
        {"order" : {"id":"o-1", "amount":100.00, "item":[{"sku":"a"}, {"sku":"\u0062","tags":["x","y\/z"]}], "empty":{}},
         "none":[], "yes":true, "no":false, "nil":null, "\u006eame":"n\u0061me", "":"blank"}
        """#
    let root: JSONNode

    init() throws {
        root = try JSONDocument(Self.text).root
    }

    @Test func `every kind is told`() throws {
        let root = try JSONDocument(#"[null,true,1,"s",[],{}]"#).root
        #expect(root.elements.map(\.kind) == [.null, .bool, .number, .string, .array, .object])
        #expect(root.elements.map(\.isNull) == [true, false, false, false, false, false])
        #expect(root.elements.map(\.bool) == [nil, true, nil, nil, nil, nil])
        #expect(root.elements.map(\.numberText) == [nil, nil, "1", nil, nil, nil])
        #expect(root.elements.map(\.string) == [nil, nil, nil, "s", nil, nil])
        #expect(root.elements.map { $0.withStringBytes(\.count) } == [nil, nil, nil, 1, nil, nil])
        #expect(
            root.elements.map { $0.withRawBytes { Array($0) } }
                == ["null", "true", "1", "\"s\"", "[]", "{}"].map { Array($0.utf8) })
    }

    @Test func `members are found by name, escaped or not`() {
        #expect(root["order"]?["id"]?.string == "o-1")
        #expect(root["order"]?["amount"]?.numberText == "100.00")
        #expect(root["yes"]?.bool == true)
        #expect(root["no"]?.bool == false)
        #expect(root["nil"]?.isNull == true)
        #expect(root["name"]?.string == "name")
        #expect(root[""]?.string == "blank")
    }

    @Test(arguments: ["ord", "orders", "ORDER", "id", "sku", "nam", "namf", "names", "\\u006eame", "\"order\"", "o-1"])
    func `what is not a member's name finds nothing`(name: String) {
        #expect(root[name] == nil)
        #expect(root["none"]?[name] == nil)
        #expect(root["yes"]?[name] == nil)
        #expect(root["order"]?["empty"]?[name] == nil)
    }

    @Test func `a name is found by its bytes, not by what Unicode holds equal`() throws {
        let root = try JSONDocument("{\"e\u{301}\":1}").root
        #expect(root["\u{E9}"] == nil)
        #expect(root["e\u{301}"]?.numberText == "1")
    }

    @Test func `an escaped name that begins or ends another is not that other`() throws {
        let root = try JSONDocument(#"{"\u0061b":1,"\u00e9\n":2,"😀\t":3}"#).root
        #expect(root["ab"]?.numberText == "1")
        #expect(root["é\n"]?.numberText == "2")
        #expect(root["😀\t"]?.numberText == "3")
        for name in ["a", "abc", "é", "é\n\n", "é\t", "😀", "\t", ""] { #expect(root[name] == nil) }
    }

    @Test func `members and elements come in the order of the text`() throws {
        #expect(root.members.map(\.name) == ["order", "none", "yes", "no", "nil", "name", ""])
        #expect(root.count == 7)
        let items = try #require(root["order"]?["item"])
        #expect(items.count == 2)
        #expect(items.elements.map { $0["sku"]?.string } == ["a", "b"])
    }

    @Test(arguments: ["null", "1", "\"[]\"", "[]", "{}"])
    func `what holds no children yields none`(text: String) throws {
        let root = try JSONDocument(text).root
        #expect(root.count == 0)
        #expect(Array(root.members).isEmpty)
        #expect(Array(root.elements).isEmpty)
    }

    @Test func `an array has no members and an object has no elements`() throws {
        #expect(try Array(JSONDocument("[1,2]").root.members).isEmpty)
        #expect(try Array(JSONDocument(#"{"a":1}"#).root.elements).isEmpty)
    }

    @Test func `a path names the way from the root`() throws {
        #expect(root.path == "")
        #expect(root["order"]?.path == "order")
        #expect(root["order"]?["empty"]?.path == "order.empty")
        let item = try #require(root["order"]?["item"]?.elements.map { $0 }.last)
        #expect(item.path == "order.item[1]")
        #expect(item["tags"]?.elements.map(\.path) == ["order.item[1].tags[0]", "order.item[1].tags[1]"])
        #expect(root["name"]?.path == "name")
        #expect(try JSONDocument("[[],[0,[1]]]").root.elements.map(\.path) == ["[0]", "[1]"])
    }

    @Test func `raw bytes are the source text of the value alone`() throws {
        let order = try #require(root["order"])
        let raw = order.withRawBytes { String(decoding: $0, as: UTF8.self) }
        #expect(raw.hasPrefix(#"{"id":"o-1", "amount""#))
        #expect(raw.hasSuffix(#""empty":{}}"#))
        #expect(root["name"]?.withRawBytes { String(decoding: $0, as: UTF8.self) } == #""n\u0061me""#)
        #expect(order["empty"]?.withRawBytes { String(decoding: $0, as: UTF8.self) } == "{}")
    }

    @Test func `a node keeps its document alive`() throws {
        func tags() throws -> [JSONNode] {
            let document = try JSONDocument(Self.text)
            return document.root["order"]?["item"]?.elements.flatMap { $0["tags"].map { Array($0.elements) } ?? [] }
                ?? []
        }
        #expect(try tags().map(\.string) == ["x", "y/z"])
    }

    @Test func `a document keeps a copy of the bytes`() throws {
        var bytes = Array(#"["secret"]"#.utf8)
        let document = try bytes.withUnsafeBytes { try JSONDocument($0) }
        for index in bytes.indices { bytes[index] = 0 }
        #expect(document.root.elements.map(\.string) == ["secret"])
        #expect(document.withRawBytes { Array($0) } == Array(#"["secret"]"#.utf8))
    }

    @Test func `a buffer without an address is an empty text`() {
        let fault = #expect(throws: JSONFault.self) { try JSONDocument(UnsafeRawBufferPointer(start: nil, count: 0)) }
        #expect(fault?.reason == .unexpectedEnd)
        #expect(fault?.offset == 0)
    }

    @Test func `what a body throws comes through`() {
        enum Stop: Error { case here }
        #expect(throws: Stop.here) { try root["name"]?.withStringBytes { _ throws(Stop) in throw .here } }
        #expect(throws: Stop.here) { try root["order"]?["id"]?.withStringBytes { _ throws(Stop) in throw .here } }
        #expect(throws: Stop.here) { try root.withRawBytes { _ throws(Stop) in throw .here } }
    }

    @Test func `neither a document nor a node prints what it holds`() throws {
        let document = try JSONDocument(#"{"number":"5123450000000008"}"#)
        var dumped = "\(document) \(document.root) \(String(reflecting: document.root))"
        dump(document, to: &dumped)
        dump(document.root["number"], to: &dumped)
        #expect(!dumped.contains("5123"))
    }
}
