/// One HTTP/2 frame as it is on the wire (RFC 9113 §4.1), right or wrong.
struct Frame: Equatable, CustomStringConvertible {
    enum Kind: UInt8 {
        case data, headers, priority, resetStream, settings, pushPromise, ping, goAway, windowUpdate, continuation
        case unknown = 0x16
    }

    static let endStream: UInt8 = 0x1
    static let acknowledgement: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4
    static let padded: UInt8 = 0x8
    static let priority: UInt8 = 0x20

    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    var kind: UInt8
    var flags: UInt8
    var stream: UInt32
    var payload: [UInt8]

    init(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
        self.kind = kind.rawValue
        self.flags = flags
        self.stream = stream
        self.payload = payload
    }

    /// The first frame in `bytes`, which is removed from them; nil if it isn't whole.
    init?(takingFrom bytes: inout ArraySlice<UInt8>) {
        guard bytes.count >= 9 else { return nil }
        let header = Array(bytes.prefix(9))
        let count = Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2])
        guard bytes.count >= 9 + count else { return nil }
        kind = header[3]
        flags = header[4]
        stream = Self.number(header[5...8]) & 0x7FFF_FFFF
        payload = Array(bytes.dropFirst(9).prefix(count))
        bytes = bytes.dropFirst(9 + count)
    }

    /// The length is the payload's, unless another is given.
    func bytes(length: Int? = nil) -> [UInt8] {
        let length = length ?? payload.count
        return [UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), kind, flags]
            + Self.bytes(stream) + payload
    }

    var bytes: [UInt8] { bytes() }

    static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

    /// Of RST_STREAM and GOAWAY.
    var errorCode: UInt32? {
        switch kind {
        case Kind.resetStream.rawValue where payload.count == 4: Self.number(payload[0..<4])
        case Kind.goAway.rawValue where payload.count >= 8: Self.number(payload[4..<8])
        default: nil
        }
    }

    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
    func isKind(_ kind: Kind) -> Bool { self.kind == kind.rawValue }

    var description: String {
        let name = Kind(rawValue: kind).map { "\($0)" } ?? "type \(kind)"
        return "\(name) stream \(stream) flags \(flags) length \(payload.count)"
            + (errorCode.map { " code \($0)" } ?? "")
    }

    // MARK: The frames that tests send

    static func settings(_ entries: (UInt16, UInt32)...) -> Frame {
        Frame(.settings, entries.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 0xFF)] + bytes($0.1) })
    }

    static let settingsAcknowledgement = Frame(.settings, flags: acknowledgement)

    static func headers(
        _ stream: UInt32, _ fields: [(String, String)] = Block.get, ends: Bool = true, endsBlock: Bool = true
    ) -> Frame {
        Frame(
            .headers, flags: (ends ? endStream : 0) | (endsBlock ? endHeaders : 0), stream: stream,
            Block.encode(fields))
    }

    /// HEADERS with a request for content to come.
    static func post(_ stream: UInt32, _ more: [(String, String)] = []) -> Frame {
        headers(stream, Block.post + more, ends: false)
    }

    static func continuation(_ stream: UInt32, _ fields: [(String, String)] = Block.dummy, endsBlock: Bool = true)
        -> Frame
    {
        Frame(.continuation, flags: endsBlock ? endHeaders : 0, stream: stream, Block.encode(fields))
    }

    static func data(_ stream: UInt32, _ text: String = "test", ends: Bool = true) -> Frame {
        Frame(.data, flags: ends ? endStream : 0, stream: stream, Array(text.utf8))
    }

    static func ping(_ text: String = "12345678", flags: UInt8 = 0) -> Frame {
        Frame(.ping, flags: flags, Array(text.utf8))
    }

    static func reset(_ stream: UInt32, _ code: UInt32 = 8) -> Frame {
        Frame(.resetStream, stream: stream, bytes(code))
    }

    static func windowUpdate(_ stream: UInt32, _ increment: UInt32) -> Frame {
        Frame(.windowUpdate, stream: stream, bytes(increment))
    }

    static func priority(_ stream: UInt32, on dependency: UInt32 = 0, exclusive: Bool = false, weight: UInt8 = 255)
        -> Frame
    {
        Frame(.priority, stream: stream, bytes(dependency | (exclusive ? 0x8000_0000 : 0)) + [weight])
    }

    static func goAway(_ code: UInt32, last: UInt32 = 0) -> Frame { Frame(.goAway, bytes(last) + bytes(code)) }
}

/// Header blocks (RFC 7541), each field a literal without indexing and without Huffman coding.
enum Block {
    static let get = [(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "localhost")]
    static let post = [(":method", "POST"), (":scheme", "http"), (":path", "/"), (":authority", "localhost")]
    static let dummy = [("x-dummy", "x")]

    static func encode(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0] + string($0.0) + string($0.1) }
    }

    /// A literal that enters the dynamic table.
    static func indexed(_ name: String, _ value: String) -> [UInt8] { [0x40] + string(name) + string(value) }

    static func string(_ text: String) -> [UInt8] { integer(text.utf8.count, prefixBits: 7) + Array(text.utf8) }

    /// RFC 7541 §5.1.
    static func integer(_ number: Int, prefixBits: Int, flags: UInt8 = 0) -> [UInt8] {
        let most = (1 << prefixBits) - 1
        if number < most { return [flags | UInt8(number)] }
        var bytes = [flags | UInt8(most)]
        var rest = number - most
        while rest >= 128 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
