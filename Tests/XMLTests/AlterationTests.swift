import Testing
import XML

/// A document that uses all that is read, cut and altered everywhere.
struct AlterationTests {
    private static let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- a request -->
        <Request xmlns="urn:one" xmlns:p="urn:two" id="a&amp;b">
          <Context>
            <Order isToken='true'>4111&#x31;&lt;</Order>
            <p:Name>Jos\u{E9} &amp; \u{20AC}<![CDATA[<x>]]></p:Name>
            <Empty/>
          </Context>
        </Request>
        """

    /// What a reader may make of a document.
    private static func outline(of element: XMLElement) -> [String] {
        [element.path, element.namespace ?? "", element.text]
            + element.attributes.flatMap { [$0.name, $0.namespace ?? "", $0.value] }
            + element.children.flatMap(outline)
    }

    @Test func `a document cut short at any byte is refused`() throws {
        let bytes = Array(Self.text.utf8)
        _ = try XMLDocument(bytes)
        for end in 0..<bytes.count {
            let fault = #expect(throws: XMLFault.self) { try XMLDocument(Array(bytes[..<end])) }
            // Within the declaration and within a character other rules are broken first.
            let isElsewhere = end < 40 || bytes[end] & 0xC0 == 0x80
            #expect((fault?.reason == .unexpectedEnd) || isElsewhere, "cut at \(end)")
        }
    }

    @Test func `anything behind a document but white space and comments is refused`() throws {
        for byte in UInt8.min...UInt8.max {
            let isSpace = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
            #expect(((try? XMLDocument(Array(Self.text.utf8) + [byte])) != nil) == isSpace, "\(byte)")
        }
    }

    @Test func `a byte that is altered changes what is read, or the document is refused`() throws {
        let bytes = Array(Self.text.utf8)
        let outline = Self.outline(of: try XMLDocument(bytes).root)
        // What may change without a trace: white space, quotation marks, comments, the declaration's case.
        var traceless = 0
        for index in bytes.indices {
            for bit in 0..<8 {
                var altered = bytes
                altered[index] ^= 1 << bit
                guard let document = try? XMLDocument(altered) else { continue }
                if Self.outline(of: document.root) == outline { traceless += 1 }
            }
        }
        #expect(traceless < bytes.count)
    }

    @Test func `any byte in any place is read or refused, and no more`() {
        let bytes = Array(Self.text.utf8)
        let others: [UInt8] = [
            0x00, 0x09, 0x21, 0x22, 0x26, 0x27, 0x2F, 0x3A, 0x3B, 0x3C, 0x3D, 0x3E, 0x3F, 0x5B, 0x5D, 0x80, 0xC3, 0xFF,
        ]
        var accepted = 0
        for index in bytes.indices {
            for byte in others {
                var altered = bytes
                altered[index] = byte
                accepted += (try? XMLDocument(altered)) != nil ? 1 : 0
                altered = bytes
                altered.insert(byte, at: index)
                accepted += (try? XMLDocument(altered)) != nil ? 1 : 0
            }
        }
        #expect(accepted > 0)
    }

    @Test func `many threads read at once`() async throws {
        let outline = Self.outline(of: try XMLDocument(Self.text).root)
        let outlines = await withTaskGroup(of: [String]?.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let text = number % 4 == 3 ? Self.text + "<" : Self.text
                    return (try? XMLDocument(text)).map { Self.outline(of: $0.root) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outlines.filter { $0 == outline }.count == 150 && outlines.filter { $0 == nil }.count == 50)
    }
}
