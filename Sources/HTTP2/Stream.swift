internal import HTTP
import HTTPTypes

/// One stream of a connection, from the first byte of its request to the last of its response.
final class Stream {
    /// How far the exchange is.
    enum Stage {
        /// The header block arrives.
        case head
        /// The content arrives.
        case content
        /// The request is whole, or refused, and waits to be handled.
        case ready
        /// A handler has it.
        case inFlight
        /// The response is being sent.
        case answering
        /// The response is sent before the whole request has come.
        case answered
        /// It was reset.
        case ended
    }

    let id: Int32
    /// When the first byte of the request was read.
    let arrival: UInt64
    var stage = Stage.head
    var head = RequestHead()
    /// Once the header block is whole.
    var requestHead: HTTPRequest?
    var body = WipedBuffer()
    /// Bytes of the request that count as waiting.
    var waitingBytes = 0
    /// The status that answers the request instead of a handler.
    var refusal: HTTPResponse.Status?
    /// Whether the peer has ended its side.
    var isRemoteEnded = false
    /// Until when the stage must end.
    var deadline = UInt64.max

    var response: [UInt8] = []
    var responseStart = 0
    /// What the response holds until it is sent.
    var hold: (any Sendable)?

    /// Whether the request needs no more of the peer but to take the response.
    var isAnswerable: Bool {
        switch stage {
        case .ready, .inFlight, .answering: true
        case .head, .content, .answered, .ended: false
        }
    }

    /// Whether the connection goes on for its sake: it is neither refused nor answered.
    var isWanted: Bool { refusal == nil && stage != .answered && stage != .ended }

    /// Bytes of content that came after the response.
    var discardedBytes = 0

    init(id: Int32, arrival: UInt64) {
        self.id = id
        self.arrival = arrival
    }
}

/// The last streams of which something is to be remembered; more than can be open at once.
struct RecentStreams {
    private static let countMax = 256
    private var identifiers: [Int32] = []
    /// The oldest, once there are as many as there may be.
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
