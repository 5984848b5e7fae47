import HTTPTypes

/// The rules of frames, streams and flow control, one case each and named by its section of RFC 9113.
extension ConformanceCase {
    static let framing: [ConformanceCase] = [
        .init(
            "3.4 a preface is answered with SETTINGS", [Frame.preface, Frame.settings((4, 65_535)).bytes], .settings,
            begins: false),
        .init(
            "3.4 a preface and acknowledgement",
            [Frame.preface + Frame.settings().bytes + Frame.settingsAcknowledgement.bytes, Frame.ping().bytes], .pong,
            begins: false),
        .init("3.4 what is no preface", [Array("INVALID CONNECTION PREFACE\r\n\r\n".utf8)], .end, begins: false),
        .init(
            "3.4 a preface and no SETTINGS", [Frame.preface + Frame.ping().bytes], .connectionError([.protocolError]),
            begins: false),

        .init("4.1 a frame of an unknown type", Frame(.unknown, Array(repeating: 0, count: 8)), .ping(), leadTo: .pong),
        .init("4.1 undefined flags", .ping(flags: 0x16), leadTo: .pong),
        .init(
            "4.1 the reserved bit", Frame(.ping, flags: 0x16, stream: 0x8000_0000, Array("reserved".utf8)),
            leadTo: .pong),
        .init(
            "4.2 DATA of 16,384 bytes", .post(1), .data(1, String(repeating: "x", count: 16_384)), leadTo: .response(1)),
        .init(
            "4.2 DATA of 16,385 bytes", .post(1), .data(1, String(repeating: "x", count: 16_385)),
            leadTo: .streamError([.frameSizeError])),
        .init(
            "4.2 HEADERS of more than 16,384 bytes",
            .headers(1, Block.get + (0..<5).map { ("x-dummy\($0)", String(repeating: "x", count: 4000)) }),
            leadTo: .connectionError([.frameSizeError])),
        .init(
            "4.3 a truncated field", Frame(.headers, flags: 5, stream: 1, [0x40]),
            leadTo: .connectionError([.compressionError])),
        .init(
            "4.3 PRIORITY within a header block", .headers(1, ends: false, endsBlock: false), .priority(1),
            .continuation(1), leadTo: .connectionError([.protocolError])),
        .init(
            "4.3 HEADERS of another stream within a header block", .headers(1, ends: false, endsBlock: false),
            .headers(3), .continuation(1), leadTo: .connectionError([.protocolError])),

        .init("5.1 idle: DATA", .data(1), leadTo: .connectionError([.protocolError])),
        .init("5.1 idle: RST_STREAM", .reset(1), leadTo: .connectionError([.protocolError])),
        .init("5.1 idle: WINDOW_UPDATE", .windowUpdate(1, 100), leadTo: .connectionError([.protocolError])),
        .init("5.1 idle: CONTINUATION", .continuation(1, Block.get), leadTo: .connectionError([.protocolError])),
        .init("5.1 idle: PRIORITY", .priority(1), .ping(), leadTo: .pong),
        .init("5.1 half-closed (remote): DATA", .headers(1), .data(1), leadTo: .streamError([.streamClosed])),
        .init("5.1 half-closed (remote): HEADERS", .headers(1), .headers(1), leadTo: .streamError([.streamClosed])),
        .init(
            "5.1 half-closed (remote): CONTINUATION", .headers(1), .continuation(1),
            leadTo: .streamError([.streamClosed, .protocolError])),
        .init(
            "5.1 half-closed (remote): WINDOW_UPDATE", .settings((4, 0)), .headers(1), .windowUpdate(1, 1),
            leadTo: .data(1, [1])),
        .init(
            "5.1 half-closed (remote): PRIORITY", .settings((4, 0)), .headers(1), .priority(1), .windowUpdate(1, 1),
            leadTo: .data(1, [1])),
        .init("5.1 half-closed (remote): RST_STREAM", .headers(1), .reset(1), .ping(), leadTo: .endOrPong),
        .init("5.1 closed by RST_STREAM: DATA", .post(1), .reset(1), .data(1), leadTo: .streamError([.streamClosed])),
        .init(
            "5.1 closed by RST_STREAM: HEADERS", .post(1), .reset(1), .headers(1), leadTo: .streamError([.streamClosed])
        ),
        .init(
            "5.1 closed by RST_STREAM: CONTINUATION", .post(1), .reset(1), .continuation(1),
            leadTo: .streamError([.streamClosed, .protocolError])),
        .init("5.1 closed by END_STREAM: DATA", .headers(1), .data(1), leadTo: .connectionError([.streamClosed])),
        .init("5.1 closed by END_STREAM: HEADERS", .headers(1), .headers(1), leadTo: .connectionError([.streamClosed])),
        .init(
            "5.1 closed by END_STREAM: CONTINUATION", .headers(1), .continuation(1),
            leadTo: .connectionError([.streamClosed, .protocolError])),
        .init("5.1 closed by END_STREAM: PRIORITY", .headers(1), .priority(1), .ping(), leadTo: .pong),
        .init("5.1.1 an even stream", .headers(2), leadTo: .connectionError([.protocolError])),
        .init(
            "5.1.1 a stream lower than the last", .headers(5), .headers(3), leadTo: .connectionError([.protocolError])),
        .init("5.1.1 a half-closed stream again", .headers(5), .headers(5), leadTo: .streamError([.streamClosed])),
        .init(
            "5.1.2 one stream too many",
            [Frame.settings((4, 0)).bytes + (0...100).flatMap { Frame.headers(1 + 2 * $0).bytes }],
            .streamError([.protocolError, .refusedStream])),
        .init(
            "5.3.1 HEADERS that depend on themselves",
            Frame(.headers, flags: 0x25, stream: 1, Frame.bytes(1) + [255] + Block.encode(Block.get)),
            leadTo: .streamError([.protocolError])),
        .init(
            "5.3.1 padded HEADERS that depend on themselves",
            Frame(.headers, flags: 0x2D, stream: 1, [1] + Frame.bytes(1) + [255] + Block.encode(Block.get) + [0]),
            leadTo: .streamError([.protocolError])),
        .init("5.3.1 PRIORITY that depends on itself", .priority(1, on: 1), leadTo: .streamError([.protocolError])),
        .init(
            "5.4.1 after GOAWAY the connection ends", Frame(.ping, stream: 3, Array(repeating: 0, count: 8)),
            leadTo: .end),
        .init(
            "5.4.1 an error is reported by GOAWAY", Frame(.ping, stream: 3, Array(repeating: 0, count: 8)),
            leadTo: .connectionError([.protocolError])),
        .init("5.5 an unknown frame", Frame(.unknown, Array(repeating: 0, count: 8)), .ping(), leadTo: .pong),
        .init(
            "5.5 an unknown frame within a header block", .headers(1, endsBlock: false),
            Frame(.unknown, Array(repeating: 0, count: 8)), leadTo: .connectionError([.protocolError])),

        .init("6.1 DATA on stream 0", .data(0), leadTo: .connectionError([.protocolError])),
        .init("6.1 DATA after END_STREAM", .headers(1, Block.post), .data(1), leadTo: .streamError([.streamClosed])),
        .init(
            "6.1 DATA with more padding than payload", .post(1, [("content-length", "4")]),
            Frame(.data, flags: 9, stream: 1, [6] + Array("Test".utf8)), leadTo: .connectionError([.protocolError])),
        .init(
            "6.1 DATA with as much padding as payload", .post(1),
            Frame(.data, flags: 9, stream: 1, [5] + Array("Test!".utf8)), leadTo: .response(1)),
        .init("6.1 DATA", .post(1), .data(1), leadTo: .response(1)),
        .init("6.1 several DATA", .post(1), .data(1, ends: false), .data(1), leadTo: .response(1)),
        .init(
            "6.1 padded DATA", .post(1),
            Frame(.data, flags: 9, stream: 1, [6] + Array("test".utf8) + Array(repeating: 0, count: 6)),
            leadTo: .response(1)),
        .init(
            "6.2 HEADERS without END_HEADERS, then PRIORITY", .headers(1, ends: false, endsBlock: false), .priority(1),
            .continuation(1), leadTo: .connectionError([.protocolError])),
        .init(
            "6.2 HEADERS without END_HEADERS, then those of another stream", .headers(1, ends: false, endsBlock: false),
            .headers(3), .continuation(1), leadTo: .connectionError([.protocolError])),
        .init("6.2 HEADERS on stream 0", .headers(0), leadTo: .connectionError([.protocolError])),
        .init(
            "6.2 HEADERS with more padding than payload",
            Frame(
                .headers, flags: 0xD, stream: 1, [UInt8(Block.encode(Block.get).count + 2)] + Block.encode(Block.get)),
            leadTo: .streamError([.protocolError])),
        .init("6.2 HEADERS", .headers(1), leadTo: .response(1)),
        .init(
            "6.2 padded HEADERS",
            Frame(.headers, flags: 0xD, stream: 1, [8] + Block.encode(Block.get) + Array(repeating: 0, count: 8)),
            leadTo: .response(1)),
        .init(
            "6.2 HEADERS with priority",
            Frame(.headers, flags: 0x25, stream: 1, Frame.bytes(0) + [255] + Block.encode(Block.get)),
            leadTo: .response(1)),
        .init("6.3 PRIORITY on stream 0", .priority(0), leadTo: .connectionError([.protocolError])),
        .init(
            "6.3 PRIORITY of 4 bytes", .headers(1), Frame(.priority, stream: 1, [0x80, 0, 0, 1]),
            leadTo: .streamError([.frameSizeError])),
        .init("6.3 PRIORITY of an idle stream, then a lower stream", .priority(3), .headers(1), leadTo: .response(1)),
        .init("6.3 PRIORITY with weight 1", .priority(1, weight: 0), .headers(1), leadTo: .response(1)),
        .init("6.3 PRIORITY with weight 256", .priority(1, weight: 255), .headers(1), leadTo: .response(1)),
        .init("6.3 PRIORITY with a dependency", .priority(3, on: 1, weight: 0), .headers(1), leadTo: .response(1)),
        .init(
            "6.3 PRIORITY with an exclusive dependency", .priority(1, exclusive: true, weight: 0), .headers(1),
            leadTo: .response(1)),
        .init("6.4 RST_STREAM on stream 0", .reset(0), leadTo: .connectionError([.protocolError])),
        .init("6.4 RST_STREAM of an idle stream", .reset(1), leadTo: .connectionError([.protocolError])),
        .init(
            "6.4 RST_STREAM of 3 bytes", .headers(1), Frame(.resetStream, stream: 1, [0, 0, 0]),
            leadTo: .connectionError([.frameSizeError])),
        .init("6.4 RST_STREAM", .post(1), .reset(1), .ping(), leadTo: .pong),
        .init(
            "6.5 an acknowledgement with payload", Frame(.settings, flags: 1, [0]),
            leadTo: .connectionError([.frameSizeError])),
        .init(
            "6.5 SETTINGS on a stream", Frame(.settings, stream: 1, [0, 3, 0, 0, 0, 100]),
            leadTo: .connectionError([.protocolError])),
        .init(
            "6.5 SETTINGS of 9 bytes", Frame(.settings, [0, 3, 0, 0, 0, 100, 0, 2, 0]),
            leadTo: .connectionError([.protocolError, .frameSizeError])),
        .init(
            "6.5 SETTINGS with every entry", .settings((1, 4096), (2, 1), (3, 100), (4, 65_535), (5, 16_384), (6, 100)),
            .ping(), leadTo: .pong),
        .init("6.5.2 ENABLE_PUSH of 2", .settings((2, 2)), leadTo: .connectionError([.protocolError])),
        .init(
            "6.5.2 INITIAL_WINDOW_SIZE beyond the largest window", .settings((4, 0x8000_0000)),
            leadTo: .connectionError([.flowControlError])),
        .init("6.5.2 MAX_FRAME_SIZE of 16,383", .settings((5, 16_383)), leadTo: .connectionError([.protocolError])),
        .init("6.5.2 MAX_FRAME_SIZE of 2^24", .settings((5, 16_777_216)), leadTo: .connectionError([.protocolError])),
        .init("6.5.2 an unknown setting", .settings((0xFF, 1)), .ping(), leadTo: .pong),
        .init("6.5.3 the last of two values counts", .settings((4, 100), (4, 1)), .headers(1), leadTo: .data(1, [1])),
        .init(
            "6.5.3 SETTINGS are acknowledged", [Frame.preface, Frame.settings((2, 0)).bytes], .settings, begins: false),
        .init("6.7 PING", .ping("abcdefgh"), leadTo: .pong),
        .init("6.7 an acknowledgement is not answered", .ping("invalid!", flags: 1), .ping("expected"), leadTo: .pong),
        .init(
            "6.7 PING on a stream", Frame(.ping, stream: 1, Array(repeating: 0, count: 8)),
            leadTo: .connectionError([.protocolError])),
        .init(
            "6.7 PING of 6 bytes", Frame(.ping, Array(repeating: 0, count: 6)),
            leadTo: .connectionError([.frameSizeError])),
        .init(
            "6.8 GOAWAY on a stream", Frame(.goAway, stream: 1, Array(repeating: 0, count: 8)),
            leadTo: .connectionError([.protocolError])),
        .init("6.8 GOAWAY", .goAway(0), .ping(), leadTo: .endOrPong),
        .init("6.9 an increment of 0", .windowUpdate(0, 0), leadTo: .connectionError([.protocolError])),
        .init(
            "6.9 an increment of 0 on a stream", .post(1), .windowUpdate(1, 0), leadTo: .streamError([.protocolError])),
        .init(
            "6.9 WINDOW_UPDATE of 3 bytes", Frame(.windowUpdate, [0, 0, 1]), leadTo: .connectionError([.frameSizeError])
        ),
        .init("6.9 WINDOW_UPDATE", .windowUpdate(0, 1), .headers(1), leadTo: .response(1)),
        .init(
            "6.9 WINDOW_UPDATE of a stream", .settings((4, 0)), .headers(1), .windowUpdate(1, 1), leadTo: .data(1, [1])),
        .init("6.9.1 a window of 1", .settings((4, 1)), .headers(1), leadTo: .data(1, [1])),
        .init(
            "6.9.1 a connection's window beyond the largest", .windowUpdate(0, 0x7FFF_FFFF),
            .windowUpdate(0, 0x7FFF_FFFF), leadTo: .connectionError([.flowControlError])),
        .init(
            "6.9.1 a stream's window beyond the largest", .post(1), .windowUpdate(1, 0x7FFF_FFFF),
            .windowUpdate(1, 0x7FFF_FFFF), leadTo: .resetExactly(1, .flowControlError)),
        .init(
            "6.9.2 a change of the initial window counts for open streams", .settings((4, 0)), .headers(1),
            .settings((4, 1)), leadTo: .data(1, [1])),
        .init(
            "6.9.2 a window may be negative", .settings((4, 3)), .headers(1), .settings((4, 2)), .windowUpdate(1, 2),
            leadTo: .data(1, [3, 1])),
        .init(
            "6.9.2 an initial window beyond the largest", Frame(.settings, [0, 4, 0x80, 0, 0, 0]),
            leadTo: .connectionError([.flowControlError])),
        .init("6.10 CONTINUATION", .headers(1, endsBlock: false), .continuation(1), leadTo: .response(1)),
        .init(
            "6.10 several CONTINUATION", .headers(1, endsBlock: false), .continuation(1, endsBlock: false),
            .continuation(1), leadTo: .response(1)),
        .init(
            "6.10 CONTINUATION, then DATA", .headers(1, Block.post, ends: false, endsBlock: false),
            .continuation(1, endsBlock: false), .data(1), leadTo: .connectionError([.protocolError])),
        .init(
            "6.10 CONTINUATION on stream 0", .headers(1, endsBlock: false), .continuation(0),
            leadTo: .connectionError([.protocolError])),
        .init(
            "6.10 CONTINUATION after HEADERS with END_HEADERS", .headers(1), .continuation(1),
            leadTo: .connectionError([.protocolError])),
        .init(
            "6.10 CONTINUATION after CONTINUATION with END_HEADERS", .headers(1, endsBlock: false), .continuation(1),
            .continuation(1), leadTo: .connectionError([.protocolError])),
        .init(
            "6.10 CONTINUATION after DATA", .headers(1, Block.post, ends: false, endsBlock: false), .data(1),
            .continuation(1, endsBlock: false), .continuation(0), leadTo: .connectionError([.protocolError])),
        .init("7 GOAWAY with an unknown code", .goAway(0xFF), leadTo: .end),
        .init("7 RST_STREAM with an unknown code", .post(1), .reset(1, 0xFF), .ping(), leadTo: .pong),
    ]
}
