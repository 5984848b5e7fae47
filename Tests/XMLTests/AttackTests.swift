import Glibc
import Testing

@testable import XML

/// Documents that are known to have cost other readers their memory, their time, their files or their network.
struct AttackTests {
    private static func refuse(
        _ text: String, _ reason: XMLFault.Reason, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let bytes = Array(text.utf8)
        let fault = #expect(throws: XMLFault.self, sourceLocation: sourceLocation) {
            // As much as any limits let in, so that not the length is what is refused.
            try XMLDocument(bytes, limits: XMLLimits(bytesMax: XMLLimits.bytesCeiling))
        }
        #expect(fault?.reason == reason, sourceLocation: sourceLocation)
    }

    /// `&lol9;` would be 10⁹ times "lol".
    private static let laughs =
        "<!DOCTYPE a [<!ENTITY lol0 \"lol\">"
        + (1...9).map { "<!ENTITY lol\($0) \"\(String(repeating: "&lol\($0 - 1);", count: 10))\">" }.joined()
        + "]><a>&lol9;</a>"

    /// One long entity, many times.
    private static let quadraticBlowup =
        "<!DOCTYPE a [<!ENTITY x \"\(String(repeating: "x", count: 100_000))\">]>"
        + "<a>\(String(repeating: "&x;", count: 30_000))</a>"

    private static let documentTypes = [
        laughs, quadraticBlowup,
        "<!DOCTYPE a><a/>", "<!DOCTYPE a []><a/>", "<!DOCTYPE a SYSTEM 'a.dtd'><a/>",
        "<!DOCTYPE a PUBLIC '-//A' 'a.dtd'><a/>",
        "<!DOCTYPE a SYSTEM 'file:///dev/zero'><a/>", "<!DOCTYPE a SYSTEM 'file:///dev/random' []><a/>",
        "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a>&e;</a>",
        "<!DOCTYPE a [<!ENTITY e SYSTEM 'expect://id'>]><a>&e;</a>",
        "<!DOCTYPE a [<!ENTITY e PUBLIC 'p' 'php://filter/read=convert.base64-encode/resource=/etc/passwd'>]><a>&e;</a>",
        "<!DOCTYPE a [<!ENTITY % p SYSTEM 'file:///etc/passwd'>%p;]><a/>",
        "<!DOCTYPE a [<!ENTITY % p '<!ENTITY q SYSTEM \"file:///etc/passwd\">'>%p;]><a>&q;</a>",
        "<!DOCTYPE a [<!ENTITY e '&e;'>]><a>&e;</a>", "<!DOCTYPE a [<!ENTITY e '&f;'><!ENTITY f '&e;'>]><a>&e;</a>",
        "<!DOCTYPE a [<!ENTITY % p '%p;'>%p;]><a/>",
        "<!DOCTYPE a [<!ATTLIST a b CDATA 'default'>]><a/>", "<!DOCTYPE a [<!ATTLIST a xmlns CDATA 'urn:x'>]><a/>",
        "<!DOCTYPE a [<!ELEMENT a (b*)*>]><a/>", "<!DOCTYPE a [<!NOTATION n SYSTEM 'n'>]><a/>",
        "<!DOCTYPE a [<!ENTITY lt '&#38;#60;'>]><a>&lt;</a>", "<!DOCTYPE a [<?p?>]><a/>", "<!DOCTYPE a [<!-- -->]><a/>",
        "<?xml version='1.0' standalone='no'?><!DOCTYPE a SYSTEM 'http://127.0.0.1:1/a.dtd'><a/>",
        "<!-- before --><!DOCTYPE a><a/>", "\u{FEFF}<!DOCTYPE a><a/>", "<a><!DOCTYPE a></a>", "<a/><!DOCTYPE a>",
        "<!DOCTYPE", "<!DOCTYPEa><a/>", "<!DOCTYPE a [" + String(repeating: "<!ENTITY e 'e'>", count: 10_000),
        "<!DOCTYPE " + String(repeating: "a", count: 1_000_000) + "><a/>",
    ]

    @Test(arguments: documentTypes)
    func `every document type declaration is refused, before it is read`(text: String) {
        Self.refuse(text, .documentType)
    }

    @Test(arguments: documentTypes.filter { !$0.hasPrefix("<a") && !["<!DOCTYPE", "<!DOCTYPEa><a/>"].contains($0) })
    func `libxml2 itself would be stopped at one, too`(text: String) throws {
        // A text cut within the declaration is refused as that.
        guard case .failure(let fault) = withoutScanner(text.replacing("\u{FEFF}", with: "")) else {
            Issue.record("accepted")
            return
        }
        #expect(fault.reason == .documentType || fault.reason == .malformed)
    }

    @Test(arguments: [
        "<!doctype a><a/>", "<! DOCTYPE a><a/>", "<!DocType a><a/>", "<!ENTITY e 'x'><a/>", "<![INCLUDE[<a/>]]>",
    ])
    func `what is nearly one is not well-formed`(text: String) {
        Self.refuse(text, .malformed)
    }

    @Test func `a reference to what a document type might declare is refused`() {
        Self.refuse("<a>&e;</a>", .undeclaredEntity)
        Self.refuse("<a>" + String(repeating: "&e;", count: 1_000_000) + "</a>", .undeclaredEntity)
        Self.refuse("<?xml version='1.0' standalone='no'?><a>&e;</a>", .undeclaredEntity)
        Self.refuse("<a b='&e;'/>", .undeclaredEntity)
        Self.refuse("<a>%p;&e;</a>", .undeclaredEntity)
    }

    @Test func `nothing is fetched`() throws {
        let listener = try Listener()
        let address = "http://127.0.0.1:\(listener.port)/x"
        for (number, text) in [
            "<!DOCTYPE a SYSTEM '\(address)'><a/>", "<!DOCTYPE a PUBLIC 'p' '\(address)'><a/>",
            "<!DOCTYPE a [<!ENTITY e SYSTEM '\(address)'>]><a>&e;</a>",
            "<!DOCTYPE a [<!ENTITY % p SYSTEM '\(address)'>%p;]><a/>",
            "<a xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='\(address)'/></a>",
            "<a xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include parse='text' href='\(address)'/></a>",
            "<a xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:schemaLocation='urn:a \(address)'/>",
            "<a xmlns='\(address)'/>", "<a xml:base='\(address)'/>",
            "<?xml-stylesheet type='text/xsl' href='\(address)'?><a/>",
        ].enumerated() {
            let document = try? XMLDocument(text)
            #expect((document != nil) == (4...8).contains(number))
            _ = withoutScanner(text)
        }
        let hasCaller = listener.hasCaller
        #expect(!hasCaller)
    }

    @Test func `an inclusion is an element like any other`() throws {
        let include = "<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' parse='text' href='file:///etc/passwd'/>"
        let root = try XMLDocument("<a>\(include)</a>").root
        #expect(root.children.map(\.name) == ["include"] && root.children.allSatisfy { $0.text.isEmpty })
    }

    @Test func `what is deep, wide or long is refused at the limit`() {
        Self.refuse(String(repeating: "<a>", count: 1_000_000), .tooDeep)
        Self.refuse(String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000), .tooDeep)
        Self.refuse("<r>" + String(repeating: "<a/>", count: 1_000_000) + "</r>", .tooManyElements)
        Self.refuse("<a b='" + String(repeating: "x", count: 4_000_000) + "'/>", .attributeTooLong)
        Self.refuse("<a b='" + String(repeating: "x", count: 4_000_000), .attributeTooLong)
        Self.refuse("<a " + (0..<100_000).map { "b\($0)=''" }.joined(separator: " ") + "/>", .tooManyAttributes)
        Self.refuse("<a " + String(repeating: "b='' ", count: 100_000) + "/>", .tooManyAttributes)
        Self.refuse(
            "<a " + (0..<100_000).map { "xmlns:n\($0)='urn:\($0)'" }.joined(separator: " ") + "/>", .tooManyNamespaces)
        Self.refuse("<a>" + String(repeating: "<b xmlns='urn:x'/>", count: 500) + "</a>", .tooManyNamespaces)
        Self.refuse("<" + String(repeating: "a", count: 4_000_000) + "/>", .nameTooLong)
        Self.refuse("<a " + String(repeating: "b", count: 4_000_000) + "=''/>", .nameTooLong)
        Self.refuse("<a></a" + String(repeating: "a", count: 500_000) + ">", .nameTooLong)
        Self.refuse("<a>" + String(repeating: "x", count: 500_000) + "</a>", .textTooLong)
        Self.refuse("<a>" + String(repeating: "<![CDATA[x]]>", count: 100_000) + "</a>", .textTooLong)
        Self.refuse("<a>" + String(repeating: "x<!---->", count: 100_000) + "</a>", .textTooLong)
        Self.refuse("<a>" + String(repeating: "&#65;", count: 100_000) + "</a>", .textTooLong)
        Self.refuse("<a>&#" + String(repeating: "0", count: 500_000) + "65</a>", .malformed)
    }

    @Test func `comments without end or number cost no more than their length`() throws {
        let comments = String(repeating: "<!-- x -->", count: 20_000)
        #expect(
            try XMLDocument("\(comments)<a>\(comments)</a>\(comments)", limits: XMLLimits(bytesMax: 1 << 20)).root.text
                == "")
        Self.refuse("<!--" + String(repeating: "<!--", count: 250_000), .unexpectedEnd)
        Self.refuse("<a>" + String(repeating: "<![CDATA[", count: 100_000), .unexpectedEnd)
        Self.refuse("<a>" + String(repeating: "--", count: 100_000) + "<!--", .unexpectedEnd)
    }

    @Test func `a comment within a text does not shorten it`() throws {
        #expect(try XMLDocument("<a>4111<!-- -->1111<![CDATA[1]]>1</a>").root.text == "4111111111")
    }

    @Test func `nothing is printed`() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent, \.standardOutputContent]
        ) {
            for text in [
                "<a></b>", "<p:a/>", "<a>&e;</a>", "<a b='' b=''/>", "<a xmlns='not absolute'/>", "<a", "",
                "<a>\u{1}</a>",
            ] {
                _ = try? XMLDocument(text)
                _ = withoutScanner(text)
            }
            _ = withoutScanner("<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>")
        }
        #expect(result?.standardErrorContent == [])
    }
}

/// A socket that waits for callers on the loopback.
private struct Listener: ~Copyable {
    struct Failed: Error {}

    private let descriptor: CInt
    let port: UInt16

    init() throws {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin_port)
        guard isListening else { throw Failed() }
    }

    deinit { close(descriptor) }

    /// Whether someone has connected.
    var hasCaller: Bool {
        let caller = accept(descriptor, nil, nil)
        if caller >= 0 { close(caller) }
        return caller >= 0
    }
}
