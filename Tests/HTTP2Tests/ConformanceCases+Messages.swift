import HTTPTypes

/// The rules of HTTP messages (RFC 9113 §8) and of header compression (RFC 7541).
extension ConformanceCase {
    private static func fields(_ more: (String, String)...) -> [(String, String)] { Block.get + more }

    static let messages: [ConformanceCase] = [
        .init("8.1 GET", .headers(1), leadTo: .response(1)),
        .init("8.1 HEAD", .headers(1, [(":method", "HEAD")] + Block.get.dropFirst()), leadTo: .response(1)),
        .init("8.1 POST", .post(1), .data(1), leadTo: .response(1)),
        .init(
            "8.1 POST with trailers", .post(1, [("trailer", "x-test")]), .data(1, ends: false),
            .headers(1, [("x-test", "ok")]), leadTo: .response(1)),
        .init(
            "8.1 second HEADERS without END_STREAM", .post(1), .data(1, ends: false),
            .headers(1, [("x-test", "ok")], ends: false), leadTo: .streamError([.protocolError])),
        .init(
            "8.2 an upper-case field name", .headers(1, fields(("X-TEST", "ok"))),
            leadTo: .streamError([.protocolError])),
        .init(
            "8.2 a field name with a space", .headers(1, fields(("x test", "ok"))),
            leadTo: .streamError([.protocolError])),
        .init("8.2 an empty field name", .headers(1, fields(("", "ok"))), leadTo: .streamError([.protocolError])),
        .init(
            "8.2 a line feed in a field value", .headers(1, fields(("x-test", "o\nk"))),
            leadTo: .streamError([.protocolError])),
        .init(
            "8.2 a null in a field value", .headers(1, fields(("x-test", "o\0k"))),
            leadTo: .streamError([.protocolError])),
        .init(
            "8.2 a space before a field value", .headers(1, fields(("x-test", " ok"))),
            leadTo: .streamError([.protocolError])),
        .init(
            "8.2 a space after a field value", .headers(1, fields(("x-test", "ok "))),
            leadTo: .streamError([.protocolError])),
        .init(
            "8.2.2 connection", .headers(1, fields(("connection", "keep-alive"))),
            leadTo: .streamError([.protocolError])),
        .init(
            "8.2.2 keep-alive", .headers(1, fields(("keep-alive", "timeout=5"))), leadTo: .streamError([.protocolError])
        ),
        .init(
            "8.2.2 proxy-connection", .headers(1, fields(("proxy-connection", "keep-alive"))),
            leadTo: .streamError([.protocolError])),
        .init(
            "8.2.2 transfer-encoding", .headers(1, fields(("transfer-encoding", "chunked"))),
            leadTo: .streamError([.protocolError])),
        .init("8.2.2 upgrade", .headers(1, fields(("upgrade", "websocket"))), leadTo: .streamError([.protocolError])),
        .init(
            "8.2.2 te other than trailers", .headers(1, fields(("trailers", "test"), ("te", "trailers, deflate"))),
            leadTo: .streamError([.protocolError])),
        .init("8.2.2 te: trailers", .headers(1, fields(("te", "trailers"))), leadTo: .response(1)),
        .init(
            "8.3 an unknown pseudo-header field", .headers(1, fields((":test", "ok"))),
            leadTo: .streamError([.protocolError])),
        .init(
            "8.3 a response's pseudo-header field", .headers(1, fields((":status", "200"))),
            leadTo: .streamError([.protocolError])),
        .init(
            "8.3 a pseudo-header field in trailers", .post(1), .data(1, ends: false),
            .headers(1, [(":method", "POST")]), leadTo: .streamError([.protocolError])),
        .init(
            "8.3 a pseudo-header field in second HEADERS that end nothing", .post(1), .data(1, ends: false),
            .headers(1, [(":method", "POST")], ends: false), leadTo: .streamError([.protocolError])),
        .init(
            "8.3 a pseudo-header field after another field", .headers(1, [("x-test", "ok")] + Block.get),
            leadTo: .streamError([.protocolError])),
        .init(
            "8.3.1 an empty path",
            .headers(1, [(":method", "GET"), (":scheme", "http"), (":path", ""), (":authority", "localhost")]),
            leadTo: .streamError([.protocolError])),
        .init("8.3.1 no method", .headers(1, Array(Block.get[1...])), leadTo: .streamError([.protocolError])),
        .init(
            "8.3.1 neither method nor scheme", .headers(1, Array(Block.get[2...])),
            leadTo: .streamError([.protocolError])),
        .init(
            "8.3.1 no scheme", .headers(1, [Block.get[0], Block.get[2], Block.get[3]]),
            leadTo: .streamError([.protocolError])),
        .init(
            "8.3.1 no path", .headers(1, [Block.get[0], Block.get[1], Block.get[3]]),
            leadTo: .streamError([.protocolError])),
        .init(
            "8.3.1 neither authority nor host", .headers(1, Array(Block.get[..<3])),
            leadTo: .streamError([.protocolError])),
        .init(
            "8.3.1 two methods", .headers(1, Block.get + [(":method", "GET")]), leadTo: .streamError([.protocolError])),
        .init(
            "8.3.1 two schemes", .headers(1, Block.get + [(":scheme", "http")]), leadTo: .streamError([.protocolError])),
        .init("8.3.1 two paths", .headers(1, Block.get + [(":path", "/")]), leadTo: .streamError([.protocolError])),
        .init(
            "8.3.1 two authorities", .headers(1, Block.get + [(":authority", "localhost")]),
            leadTo: .streamError([.protocolError])),
        .init(
            "8.1.1 less content than content-length says", .post(1, [("content-length", "8")]), .data(1),
            leadTo: .streamError([.protocolError])),
        .init(
            "8.1.1 more content than content-length says", .post(1, [("content-length", "1")]), .data(1),
            leadTo: .streamError([.protocolError])),
        .init(
            "8.1.1 more content in several DATA than content-length says", .post(1, [("content-length", "1")]),
            .data(1, ends: false), .data(1), leadTo: .streamError([.protocolError])),
        .init(
            "8.1.1 no content where content-length says some", .headers(1, Block.post + [("content-length", "1")]),
            leadTo: .streamError([.protocolError])),
        .init(
            "8.1.1 two content-length", .post(1, [("content-length", "4"), ("content-length", "4")]), .data(1),
            leadTo: .streamError([.protocolError])),
        .init(
            "8.1.1 content-length of +4", .post(1, [("content-length", "+4")]), .data(1),
            leadTo: .streamError([.protocolError])),
        .init(
            "8.4 PUSH_PROMISE", Frame(.pushPromise, flags: 4, stream: 1, Frame.bytes(3) + Block.encode(Block.get)),
            leadTo: .connectionError([.protocolError])),
    ]

    // `user-agent` and `x-test`, in plain text and in Huffman code (RFC 7541 appendix B).
    private static let plainIndexedName = Array("\u{0A}user-agent\u{6}h2spec".utf8)
    private static let huffmanIndexedName: [UInt8] = [
        0x87, 0xB5, 0x05, 0xB1, 0x61, 0xCC, 0x5A, 0x93, 0x84, 0x9C, 0x48, 0xAC, 0xA4,
    ]
    private static let plainNewName = Array("\u{6}x-test\u{6}h2spec".utf8)
    private static let huffmanNewName: [UInt8] = [0x85, 0xF2, 0xB2, 0x4A, 0x84, 0xFF, 0x84, 0x9C, 0x48, 0xAC, 0xA4]
    private static let getBlock = Block.encode(Block.get)

    static let compression: [ConformanceCase] = [
        .init("7541 2.3.3 an index beyond both tables", block: [0xFE], leadsTo: .connectionError([.compressionError])),
        .init(
            "7541 2.3.3 a name's index beyond both tables", block: [0x7E, 1, 0x78],
            leadsTo: .connectionError([.compressionError])),
        .init(
            "7541 4.2 a table size update after a field", block: [0x21], leadsTo: .connectionError([.compressionError])),
        .init(
            "7541 5.2 Huffman padding of more than 7 bits",
            block: [0, 0x85, 0xF2, 0xB2, 0x4A, 0x84, 0xFF, 0x84, 0x49, 0x50, 0x9F, 0xFF],
            leadsTo: .connectionError([.compressionError])),
        .init(
            "7541 5.2 Huffman padding of zeros",
            block: [0, 0x85, 0xF2, 0xB2, 0x4A, 0x84, 0xFF, 0x83, 0x49, 0x50, 0x90],
            leadsTo: .connectionError([.compressionError])),
        .init(
            "7541 5.2 EOS in Huffman code",
            block: [0, 0x85, 0xF2, 0xB2, 0x4A, 0x84, 0xFF, 0x87, 0xFF, 0xFF, 0xFF, 0xFD, 0x25, 0x42, 0x7F],
            leadsTo: .connectionError([.compressionError])),
        .init(
            "7541 5.1 an integer that overflows", block: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
            leadsTo: .connectionError([.compressionError])),
        .init("7541 6.1 index 0", block: [0x80], leadsTo: .connectionError([.compressionError])),
        .init("7541 6.1 an index of the static table", block: [0xBA], leadsTo: .response(1)),
        .init(
            "7541 6.2.1 incremental indexing, plain name of the static table", block: [0x40] + plainIndexedName,
            leadsTo: .response(1)),
        .init(
            "7541 6.2.1 incremental indexing, Huffman name of the static table", block: [0x40] + huffmanIndexedName,
            leadsTo: .response(1)),
        .init("7541 6.2.1 incremental indexing, new name", block: [0x40] + plainNewName, leadsTo: .response(1)),
        .init(
            "7541 6.2.1 incremental indexing, new name in Huffman code", block: [0x40] + huffmanNewName,
            leadsTo: .response(1)),
        .init(
            "7541 6.2.2 without indexing, plain name of the static table", block: [0] + plainIndexedName,
            leadsTo: .response(1)),
        .init(
            "7541 6.2.2 without indexing, Huffman name of the static table", block: [0] + huffmanIndexedName,
            leadsTo: .response(1)),
        .init("7541 6.2.2 without indexing, new name", block: [0] + plainNewName, leadsTo: .response(1)),
        .init(
            "7541 6.2.2 without indexing, new name in Huffman code", block: [0] + huffmanNewName, leadsTo: .response(1)),
        .init(
            "7541 6.2.3 never indexed, plain name of the static table", block: [0x10] + plainIndexedName,
            leadsTo: .response(1)),
        .init(
            "7541 6.2.3 never indexed, Huffman name of the static table", block: [0x10] + huffmanIndexedName,
            leadsTo: .response(1)),
        .init("7541 6.2.3 never indexed, new name", block: [0x10] + plainNewName, leadsTo: .response(1)),
        .init(
            "7541 6.2.3 never indexed, new name in Huffman code", block: [0x10] + huffmanNewName, leadsTo: .response(1)),
        .init("7541 6.3 a table size update", [request([0x20] + getBlock)], .response(1)),
        .init("7541 6.3 two table size updates", [request([0x20, 0x3F, 0xE1, 0x1F] + getBlock)], .response(1)),
        .init(
            "7541 6.3 a table size update beyond the setting",
            [request(Block.integer(4097, prefixBits: 5, flags: 0x20) + getBlock)], .connectionError([.compressionError])
        ),
    ]

    static let all = framing + messages + compression
}
