import HTTP
import HTTP2
import HTTPTypes

/// One client's bytes against an ``HTTP2Connection``, and the frames that come back. Time is what the test says.
final class Conversation {
    static let date = HTTPDate(unixSeconds: 0)

    let connection: HTTP2Connection
    /// Nanoseconds.
    var now: UInt64 = 1_000_000_000
    /// Everything that was sent, in order.
    private(set) var frames: [Frame] = []
    /// The requests that reached the handler.
    private(set) var requests: [Request] = []
    /// Those that were held back, by ``holdsAnswers``.
    private(set) var held: [Int32] = []
    private(set) var isClosed = false

    /// Whether requests are left without an answer.
    var holdsAnswers = false
    /// Whether the client takes no more bytes.
    var stopsReading = false
    var response = Response(status: .ok, contentType: "text/plain", body: Array("It is well.".utf8))
    private var unparsed: ArraySlice<UInt8> = []
    private var untaken: [UInt8] = []

    init(limits: HTTP2Limits = HTTP2Limits()) {
        connection = HTTP2Connection(limits: limits, now: now, refusalResponse: Self.refusal)
    }

    /// A refusal's content is its status, so that tests can read it without decoding header fields.
    static let refusal: RefusalResponse = { status, _ in
        Response(status: status, contentType: "text/plain", body: Array("\(status.code)".utf8))
    }

    /// A conversation whose settings both sides have acknowledged.
    static func begun(limits: HTTP2Limits = HTTP2Limits(), _ settings: Frame = .settings()) -> Conversation {
        let conversation = Conversation(limits: limits)
        conversation.send(Frame.preface + settings.bytes + Frame.settingsAcknowledgement.bytes)
        return conversation
    }

    func send(_ frames: Frame...) { send(frames.flatMap(\.bytes)) }

    func send(_ bytes: [UInt8]) {
        guard !isClosed else { return }
        connection.receive(bytes.span, now: now)
        advance()
    }

    func send(eachByteOf bytes: [UInt8]) { for byte in bytes { send([byte]) } }

    func wait(seconds: Int) {
        now += UInt64(seconds) * 1_000_000_000
        advance()
    }

    func answer(stream: Int32) {
        held.removeAll { $0 == stream }
        connection.answer(response, stream: stream, date: Self.date)
        advance()
    }

    func advance() {
        while !isClosed {
            switch connection.next(date: Self.date, now: now) {
            case .handle(let request, let stream):
                requests.append(request)
                if holdsAnswers {
                    held.append(stream)
                } else {
                    connection.answer(response, stream: stream, date: Self.date)
                }
            case .wait:
                if !read() { return }
            case .close:
                _ = read()
                isClosed = true
            }
        }
    }

    /// False: there was nothing.
    private func read() -> Bool {
        let count = connection.outputBytes
        guard count > 0, !stopsReading else { return false }
        untaken += connection.output[connection.outputStart...]
        unparsed += connection.output[connection.outputStart...]
        connection.consumeOutput(count)
        while let frame = Frame(takingFrom: &unparsed) { frames.append(frame) }
        return true
    }

    /// The bytes that were sent since this was last asked.
    func takeBytes() -> [UInt8] {
        defer { untaken = [] }
        return untaken
    }

    func frames(_ kind: Frame.Kind, stream: UInt32? = nil) -> [Frame] {
        frames.filter { $0.isKind(kind) && (stream == nil || $0.stream == stream) }
    }

    /// The code of the GOAWAY that said why the connection ended.
    var goAway: HTTP2ErrorCode? { frames(.goAway).last?.errorCode.map(HTTP2ErrorCode.init(rawValue:)) }

    func reset(stream: UInt32) -> HTTP2ErrorCode? {
        frames(.resetStream, stream: stream).first?.errorCode.map(HTTP2ErrorCode.init(rawValue:))
    }

    /// The content of a stream's response.
    func content(stream: UInt32) -> String {
        String(decoding: frames(.data, stream: stream).flatMap(\.payload), as: UTF8.self)
    }
}
