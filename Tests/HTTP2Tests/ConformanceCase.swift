import HTTPTypes
import Testing

/// What a client sends, and the reactions that RFC 9113 and RFC 7541 allow.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
    enum Reaction: Sendable {
        /// GOAWAY with one of these codes, and the end of the connection.
        case connectionError([HTTP2ErrorCode])
        /// RST_STREAM with one of these codes, or the same as a connection error.
        case streamError([HTTP2ErrorCode])
        /// RST_STREAM of this stream with this code, and nothing else.
        case resetExactly(UInt32, HTTP2ErrorCode)
        /// The end of the connection.
        case end
        /// The end of the connection or the acknowledgement of the last PING.
        case endOrPong
        /// The start of a response.
        case response(UInt32)
        /// The acknowledgement of the last PING that was sent.
        case pong
        /// SETTINGS first, and an acknowledgement.
        case settings
        /// DATA frames of these lengths, and of others after them.
        case data(UInt32, [Int])
    }

    let testDescription: String
    /// Sent one after another, with what they lead to in between.
    let steps: [[UInt8]]
    let reaction: Reaction
    let begins: Bool

    /// - Parameter begins: whether preface and settings are exchanged before.
    init(_ description: String, _ steps: [[UInt8]], _ reaction: Reaction, begins: Bool = true) {
        testDescription = description
        self.steps = steps
        self.reaction = reaction
        self.begins = begins
    }

    init(_ description: String, _ frames: Frame..., leadTo reaction: Reaction) {
        self.init(description, frames.map(\.bytes), reaction)
    }

    /// One request whose header block ends in these bytes.
    init(_ description: String, block bytes: [UInt8], leadsTo reaction: Reaction) {
        self.init(description, [Self.request(Block.encode(Block.get) + bytes)], reaction)
    }

    static func request(_ block: [UInt8]) -> [UInt8] {
        Frame(.headers, flags: Frame.endStream | Frame.endHeaders, stream: 1, block).bytes
    }
}
