internal import HTTP
import HTTPTypes

/// One stream of a connection, from the first byte of its request to the last of its response.
final class Stream {
    /// The stage of the exchange.
    enum Stage {
        /// The header block is being received.
        case head
        /// The content is being received.
        case content
        /// The request is complete, or refused, and waits to be handled.
        case ready
        /// A handler is running.
        case inFlight
        /// The response is being sent.
        case answering
        /// The response was sent before the whole request was received.
        case answered
        /// The stream was reset.
        case ended
    }

    let id: Int32
    /// The instant at which the first byte of the request was read.
    let arrival: UInt64
    var stage = Stage.head
    var head = RequestHead()
    /// The head; nil until the header block is complete.
    var requestHead: HTTPRequest?
    var body = WipedBuffer()
    /// The number of bytes of the request in the count of waiting bytes.
    var waitingBytes = 0
    /// The status of the response in place of a handler's; nil for a valid request.
    var refusal: HTTPResponse.Status?
    /// Whether the peer has ended its side of the stream.
    var isRemoteEnded = false
    /// The deadline of the stage.
    var deadline = UInt64.max

    var response: [UInt8] = []
    var responseStart = 0
    /// Whether more of the response will follow.
    var isStreaming = false
    /// The value to retain until the response is sent (``Response/hold``).
    var hold: (any Sendable)?

    /// Whether the response can be sent without further frames of the request.
    var isAnswerable: Bool {
        switch stage {
        case .ready, .inFlight, .answering: true
        case .head, .content, .answered, .ended: false
        }
    }

    /// Whether the connection must stay open for this stream: its request is neither refused nor answered.
    var isWanted: Bool { refusal == nil && stage != .answered && stage != .ended }

    /// The number of content bytes received after the response.
    var discardedBytes = 0

    init(id: Int32, arrival: UInt64) {
        self.id = id
        self.arrival = arrival
    }
}

/// The identifiers of the most recent streams with some property; more than can be open at once.
struct RecentStreams {
    private static let countMax = 256
    private var identifiers: [Int32] = []
    /// The index of the oldest identifier, once the maximum number is reached.
    private var oldest = 0

    mutating func insert(_ id: Int32) {
        if identifiers.count < Self.countMax {
            identifiers.append(id)
        } else {
            identifiers[oldest] = id
            oldest = (oldest + 1) % Self.countMax
        }
    }

    func contains(_ id: Int32) -> Bool { identifiers.contains(id) }
}
