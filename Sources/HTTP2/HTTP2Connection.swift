internal import CNghttp2
public import HTTP
internal import HTTPTypes

/// The server's side of one HTTP/2 connection, without the connection: bytes and answers in, requests and bytes out
/// (RFC 9113).
///
/// The owner calls ``next(date:now:)`` after every event and when ``nextDeadline`` has come, until it says ``Step/wait`` or
/// ``Step/close``, and sends ``output``. Many requests are in flight at once, each known by its stream. One owner holds it,
/// on one actor or thread.
public final class HTTP2Connection {
    /// What the owner has to do.
    public enum Step: Sendable, Equatable {
        /// Have the request handled, and give the response to ``answer(_:stream:date:)``, or ``cut(stream:)`` the stream.
        case handle(Request, stream: Int32)
        /// Send the output; then wait for bytes, an answer, room to send or the deadline.
        case wait
        /// Send the output, then close.
        case close
    }

    /// What the connection is waiting for.
    public enum Phase: Sendable, Hashable {
        /// A request: no stream is open, and no handler at work.
        case idle
        /// Requests, handlers, or a peer that takes its responses.
        case active
        /// The end: nothing more will be handled.
        case closing
    }

    /// Bytes to send, from ``outputStart`` on.
    public internal(set) var output: [UInt8] = []
    /// Where the unsent output begins.
    public private(set) var outputStart = 0
    /// Whether the client will send no more.
    public private(set) var inputEnded = false

    let limits: HTTP2Limits
    private let peer: Peer?
    let scheme: String
    private let refusalResponse: RefusalResponse
    let session: Session

    var scanner: FrameScanner
    var resetsSent: TokenBucket
    /// The time at the last event, in nanoseconds.
    var now: UInt64

    var streams: [Int32: Stream] = [:]
    /// Streams that we ended while the peer may still have been sending.
    var streamsReset = RecentStreams()
    /// Streams that ended otherwise.
    var streamsEnded = RecentStreams()
    /// Streams after this one are ignored, once GOAWAY has said so.
    private var lastStreamHeeded = Int32.max
    /// The stream of the header block that is arriving.
    var blockStream: Stream?
    /// Streams whose requests wait to be handled, first come first.
    var ready: [Int32] = []
    /// Streams whose requests a handler has, also those that the peer has reset since.
    private var inFlight: Set<Int32> = []
    var waitingRequestBytes = 0
    var waitingResponseBytes = 0

    // Deadlines of the connection; `max` without one.
    var controlDeadline: UInt64
    var settingsDeadline: UInt64
    var outputDeadline = UInt64.max
    var idleDeadline = UInt64.max
    var stopDeadline = UInt64.max

    /// Bytes sent since the connection began, and up to where they must be sent by `outputDeadline`.
    private(set) var sentBytes: UInt64 = 0
    var sentBytesDue: UInt64 = 0

    var isStopping = false
    /// Whether the last GOAWAY was written past nghttp2, which is of no more use.
    private(set) var isTerminated = false

    /// Makes the state of a connection that was just accepted.
    ///
    /// - Parameters:
    ///   - scheme: `https` with TLS, otherwise `http`.
    ///   - now: nanoseconds of a monotonic clock.
    ///   - refusalResponse: the response to what never reaches a handler.
    public init(
        peer: Peer? = nil, scheme: String = "http", limits: HTTP2Limits = HTTP2Limits(), now: UInt64,
        refusalResponse: @escaping RefusalResponse
    ) {
        self.peer = peer
        self.scheme = scheme
        self.limits = limits
        self.refusalResponse = refusalResponse
        self.now = now
        scanner = FrameScanner(limits: limits, now: now)
        resetsSent = TokenBucket(limits.resetsSent, now: now)
        controlDeadline = Self.time(now, plusSeconds: limits.headerTimeoutSeconds)
        settingsDeadline = controlDeadline
        session = Session(callbacks: Self.callbacks(), options: Self.options(limits))
        session.setUserData(self)
        session.submitSettings([
            (NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, limits.headerTableBytesMax),
            (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits.concurrentStreamsMax),
            (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, limits.streamWindowBytes),
            (NGHTTP2_SETTINGS_MAX_FRAME_SIZE, limits.frameBytesMax),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, limits.headerListBytesMax),
            (NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1),
        ])
        session.setConnectionWindow(limits.connectionWindowBytes)
        pump()
        tellOfNoHeaderTable()
    }

    /// Asks the peer to keep nothing in our table, where passwords would lie for as long as the connection.
    ///
    /// nghttp2 isn't told: it would end the connection of a peer whose encoder ignores the setting, as those of
    /// Go before 1.20 don't.
    private func tellOfNoHeaderTable() {
        // The first frame is SETTINGS; 9 bytes of header, then entries of a number in 2 bytes and a value in 4.
        precondition(output[3] == UInt8(NGHTTP2_SETTINGS.rawValue) && output[9...10] == [0, 1], "the first setting")
        for index in 11..<15 { output[index] = 0 }
    }

    /// What the connection is waiting for.
    public var phase: Phase {
        if isFinished { return .closing }
        return isIdle ? .idle : .active
    }

    /// Whether more bytes should be read now. False while the peer doesn't take what is to be sent, and once nothing more
    /// will be handled.
    public var wantsBytes: Bool { !isFinished && !inputEnded && outputBytes < limits.outputBytesMax }

    /// Bytes not yet sent.
    public var outputBytes: Int { output.count - outputStart }

    /// Bytes of requests that no handler has been given.
    public var heldBytes: Int { waitingRequestBytes }

    /// Ends the connection because all connections together hold too much.
    public func shed() {
        if !isFinished { terminate(.enhanceYourCalm) }
    }

    /// Streams that are open.
    public var streamsOpen: Int { streams.count }

    /// Requests that a handler has, also those whose streams the peer has reset since.
    public var requestsInFlight: Int { inFlight.count }

    /// Takes bytes that arrived.
    public func receive(_ bytes: Span<UInt8>, now: UInt64) {
        self.now = now
        guard !isFinished else { return }
        bytes.withUnsafeBufferPointer { buffer in
            do throws(FrameScanner.Violation) {
                try take(buffer)
            } catch {
                // What came before it is answered first; if that was at fault, it is what ends the connection.
                pump()
                if !isFinished { terminate(error.code) }
            }
        }
        if !scanner.isWithinControl {
            controlDeadline = .max
        } else if controlDeadline == .max {
            controlDeadline = Self.time(now, plusSeconds: limits.headerTimeoutSeconds)
        }
        pump()
    }

    /// Takes note that the client will send no more. Requests that are complete are still answered.
    public func receiveEnd() { inputEnded = true }

    /// Advances as far as the bytes, the answers and the time so far allow.
    public func next(date: HTTPDate, now: UInt64) -> Step {
        self.now = now
        if !isFinished { expire() }
        while !isFinished, let stream = nextReady() {
            if let status = stream.refusal {
                respond(refusalResponse(status, stream.head.path), to: stream, orRefusal: nil, date: date)
                continue
            }
            guard let head = stream.requestHead else { preconditionFailure("a request that is ready has a head") }
            stream.stage = .inFlight
            stream.deadline = .max
            inFlight.insert(stream.id)
            waitingRequestBytes -= stream.waitingBytes
            stream.waitingBytes = 0
            let content = stream.body
            stream.body = WipedBuffer()
            return .handle(
                Request(
                    head: head, content: content, credentials: stream.head.takeCredentials(), peer: peer,
                    arrival: stream.arrival, version: .http2),
                stream: stream.id)
        }
        pump()
        updateDeadlines()
        return isFinished ? .close : .wait
    }

    /// Takes the response to a request in flight. If its stream is gone, nobody is answered.
    ///
    /// A response that can't be sent as it is becomes a 500. One that asks to close the connection ends it as ``stop()``
    /// does.
    public func answer(_ response: Response, stream id: Int32, date: HTTPDate) {
        guard inFlight.remove(id) != nil else { preconditionFailure("no request is in flight on the stream") }
        guard !isTerminated, let stream = streams[id], stream.stage == .inFlight else { return }
        respond(response, to: stream, orRefusal: .internalServerError, date: date)
        if HTTP1Writer.asksToClose(response) { stop() }
    }

    /// Gives a request in flight no response: its stream ends with `CANCEL`, and the others go on.
    public func cut(stream id: Int32) {
        guard inFlight.remove(id) != nil else { preconditionFailure("no request is in flight on the stream") }
        guard !isTerminated, let stream = streams[id], stream.stage == .inFlight else { return }
        reset(stream, .cancel)
        pump()
    }

    /// Tells the peer that the connection ends. Requests in flight, and those that the peer sent before it knew, are still
    /// answered (RFC 9113 §6.8).
    public func stop() {
        guard !isStopping, !isTerminated else { return }
        isStopping = true
        stopDeadline = Self.time(now, plusSeconds: limits.stopTimeoutSeconds)
        session.submitShutdownNotice()
        pump()
    }

    /// Removes output that was sent.
    public func consumeOutput(_ count: Int) {
        precondition(count >= 0 && count <= outputBytes, "consumed more bytes than are pending")
        outputStart += count
        sentBytes += UInt64(count)
        guard outputStart == output.count else { return }
        // A buffer that grew for large responses is released.
        output.removeAll(keepingCapacity: output.capacity <= 32 * 1024)
        outputStart = 0
    }

    // MARK: The end

    var isIdle: Bool { streams.isEmpty && inFlight.isEmpty }

    var isFinished: Bool {
        if isTerminated { return true }
        // A request that will never be whole gets no answer: its sender is gone.
        if inputEnded, !streams.values.contains(where: \.isAnswerable) { return true }
        return !session.wantsToRead && !session.wantsToWrite
    }

    /// Ends the connection at once, past nghttp2: with GOAWAY and nothing after it.
    func terminate(_ code: HTTP2ErrorCode) {
        guard !isTerminated else { return }
        isTerminated = true
        let last = UInt32(bitPattern: session.lastProcessedStream)
        output.append(contentsOf: [0, 0, 8, UInt8(NGHTTP2_GOAWAY.rawValue), 0, 0, 0, 0, 0])
        for number in [last, code.rawValue] {
            for shift in [24, 16, 8, 0] as [UInt32] { output.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
    }

    /// Ends the connection at once and in silence: nobody reads.
    func abandon() {
        isTerminated = true
        output = []
        outputStart = 0
    }

    /// The second GOAWAY: streams that come after this are ignored.
    func finishStopping() {
        guard isStopping, lastStreamHeeded == .max else { return }
        lastStreamHeeded = session.lastProcessedStream
        stopDeadline = .max
        session.submitGoAway(.noError)
    }

    // MARK: Input and output

    /// Gives bytes to nghttp2, up to a frame that must not come.
    private func take(_ bytes: UnsafeBufferPointer<UInt8>) throws(FrameScanner.Violation) {
        var taken = 0
        func take(to end: Int) {
            let status = session.receive(UnsafeBufferPointer(rebasing: bytes[taken..<end]))
            taken = end
            guard status != 0 else { return }
            // A bad preface; anything else fatal is a limit that the scanner keeps before, or want of memory.
            terminate(status == NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue ? .protocolError : .internalError)
        }

        var index = 0
        do throws(FrameScanner.Violation) {
            while let frame = try scanner.advance(bytes, from: &index, now: now) {
                take(to: frame.offset)
                guard !isTerminated else { return }
                if let code = fault(of: frame) { throw FrameScanner.Violation(code: code, offset: frame.offset) }
            }
        } catch {
            take(to: error.offset)
            throw error
        }
        take(to: bytes.count)
    }

    /// What is wrong with a frame for its stream, where nghttp2 would pass over it: streams that have ended are forgotten there.
    private func fault(of frame: FrameScanner.StreamFrame) -> HTTP2ErrorCode? {
        let id = frame.stream
        // Of streams that have never been, and of those that are open, nghttp2 knows all. What a peer has sent before it
        // knew that we ended a stream is ignored (RFC 9113 §5.1), and so is what comes after GOAWAY (§6.8).
        guard id & 1 == 1, id <= scanner.lastStream, id <= lastStreamHeeded, streams[id] == nil,
            !streamsReset.contains(id)
        else { return nil }
        // §5.1.1: identifiers only grow.
        return frame.isData || streamsEnded.contains(id) ? .streamClosed : .protocolError
    }

    /// Has nghttp2 write frames while little waits to be sent.
    func pump() {
        while !isTerminated, outputBytes < limits.outputBytesMax {
            var bytes: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session.pointer, &bytes)
            guard count >= 0 else { return terminate(.internalError) }
            guard count > 0 else { return }
            output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
        }
    }

    /// The next request, if there is room for its handler and its response.
    private func nextReady() -> Stream? {
        while let id = ready.first {
            guard let stream = streams[id], stream.stage == .ready else {
                ready.removeFirst()
                continue
            }
            guard stream.refusal != nil || inFlight.count < limits.concurrentStreamsMax,
                waitingResponseBytes < limits.waitingResponseBytesMax
            else { return nil }
            ready.removeFirst()
            return stream
        }
        return nil
    }

    private func respond(
        _ response: Response, to stream: Stream, orRefusal status: HTTPResponse.Status?, date: HTTPDate
    ) {
        guard let block = FieldBlock(response, date: date) else {
            guard let status else { preconditionFailure("the program's own refusal is unwritable") }
            return respond(refusalResponse(status, stream.head.path), to: stream, orRefusal: nil, date: date)
        }
        stream.stage = .answering
        stream.deadline = Self.time(now, plusSeconds: limits.writeTimeoutSeconds)
        waitingRequestBytes -= stream.waitingBytes
        stream.waitingBytes = 0
        stream.body.removeAll()
        if HTTP1Writer.hasContent(response.head.status), !stream.head.isHead { stream.response = response.body }
        stream.hold = response.hold
        waitingResponseBytes += stream.response.count
        session.submitResponse(block, stream: stream.id, hasContent: !stream.response.isEmpty)
        pump()
    }

    /// Has a status answer the request on a stream, whatever more comes of it.
    func refuse(_ stream: Stream, _ status: HTTPResponse.Status) {
        stream.refusal = status
        stream.stage = .ready
        stream.deadline = .max
        stream.body.removeAll()
        ready.append(stream.id)
    }
}
