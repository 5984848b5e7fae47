internal import CNghttp2
public import HTTP
internal import HTTPTypes

/// The server side of one HTTP/2 connection (RFC 9113), without input and output: takes bytes and responses, and
/// produces requests and bytes.
///
/// After every event and at ``nextDeadline``, the owner calls ``next(date:now:)`` until it returns ``Step/wait`` or
/// ``Step/close``, and sends ``output``. Many requests can be in flight at once, identified by their streams. The
/// connection must be used by one owner, on one actor or thread.
public final class HTTP2Connection {
    /// The owner's next action.
    public enum Step: Sendable, Equatable {
        /// Handle the request, and pass the response to ``answer(_:stream:date:)``, or ``cut(stream:)`` the stream.
        case handle(Request, stream: Int32)
        /// Send the output, then wait for bytes, a response, room to send or the deadline.
        case wait
        /// Send the output, then close.
        case close
    }

    /// The event that the connection is waiting for.
    public enum Phase: Sendable, Hashable {
        /// A request: no stream is open, and no handler is running.
        case idle
        /// Requests, handlers, or a peer that receives its responses.
        case active
        /// The end: no more requests will be handled.
        case closing
    }

    /// Bytes to send, from ``outputStart`` on.
    public internal(set) var output: [UInt8] = []
    /// The position of the first unsent byte in the output.
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
    /// The time of the last event, in nanoseconds.
    var now: UInt64

    var streams: [Int32: Stream] = [:]
    /// Recent streams that this side reset while the peer may still have been sending.
    var streamsReset = RecentStreams()
    /// Recent streams that ended otherwise.
    var streamsEnded = RecentStreams()
    /// The last stream announced in the final GOAWAY; later streams are ignored.
    private var lastStreamHeeded = Int32.max
    /// The stream of the header block that is arriving.
    var blockStream: Stream?
    /// Streams whose requests wait to be handled, in order of completion.
    var ready: [Int32] = []
    /// Streams whose requests are being handled, even if the peer has reset them.
    private var inFlight: Set<Int32> = []
    var waitingRequestBytes = 0
    var waitingResponseBytes = 0

    // The connection's deadlines; `max` for none.
    var controlDeadline: UInt64
    var settingsDeadline: UInt64
    var outputDeadline = UInt64.max
    var idleDeadline = UInt64.max
    var stopDeadline = UInt64.max

    /// The number of bytes sent since the connection began, and the value that it must reach by `outputDeadline`.
    private(set) var sentBytes: UInt64 = 0
    var sentBytesDue: UInt64 = 0

    var isStopping = false
    /// Whether the final GOAWAY was written without nghttp2, which must not be used after it.
    private(set) var isTerminated = false

    /// Creates the state of a newly accepted connection.
    ///
    /// - Parameters:
    ///   - scheme: `https` with TLS, otherwise `http`.
    ///   - now: the time of a monotonic clock, in nanoseconds.
    ///   - refusalResponse: creates the response to a request that never reaches a handler.
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

    /// Asks the peer to store no fields in the decoder's table, where passwords would remain for the life of the
    /// connection.
    ///
    /// nghttp2 itself is not configured so, because it would then end connections whose encoder ignores the setting,
    /// such as those of Go before 1.20.
    private func tellOfNoHeaderTable() {
        // The first frame is SETTINGS: a header of 9 bytes, then entries with an identifier of 2 bytes and a value of
        // 4.
        precondition(output[3] == UInt8(NGHTTP2_SETTINGS.rawValue) && output[9...10] == [0, 1], "the first setting")
        for index in 11..<15 { output[index] = 0 }
    }

    /// The event that the connection is waiting for.
    public var phase: Phase {
        if isFinished { return .closing }
        return isIdle ? .idle : .active
    }

    /// Whether to read more bytes now. False while the peer leaves too much output unread, and once no more requests
    /// will be handled.
    public var wantsBytes: Bool { !isFinished && !inputEnded && outputBytes < limits.outputBytesMax }

    /// The number of unsent bytes.
    public var outputBytes: Int { output.count - outputStart }

    /// The number of bytes of requests that have not been passed to a handler.
    public var heldBytes: Int { waitingRequestBytes }

    /// Ends the connection because all connections together hold too many bytes.
    public func shed() {
        if !isFinished { terminate(.enhanceYourCalm) }
    }

    /// The number of open streams.
    public var streamsOpen: Int { streams.count }

    /// The number of requests that are being handled, including those whose streams the peer has reset.
    public var requestsInFlight: Int { inFlight.count }

    /// Adds received bytes.
    public func receive(_ bytes: Span<UInt8>, now: UInt64) {
        self.now = now
        guard !isFinished else { return }
        bytes.withUnsafeBufferPointer { buffer in
            do throws(FrameScanner.Violation) {
                try take(buffer)
            } catch {
                // The preceding frames are answered first. If they are at fault, their error ends the connection.
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

    /// Records that the client will send no more. Complete requests are still answered.
    public func receiveEnd() { inputEnded = true }

    /// Advances as far as the received bytes, the responses and the time allow.
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

    /// Adds the response to a request in flight. It is dropped if the stream no longer exists.
    ///
    /// If it can't be sent, a response with status 500 replaces it. A response with `Connection: close` ends the
    /// connection as ``stop()`` does.
    public func answer(_ response: Response, stream id: Int32, date: HTTPDate) {
        guard inFlight.remove(id) != nil else { preconditionFailure("no request is in flight on the stream") }
        guard !isTerminated, let stream = streams[id], stream.stage == .inFlight else { return }
        respond(response, to: stream, orRefusal: .internalServerError, date: date)
        if HTTP1Writer.asksToClose(response) { stop() }
    }

    /// Sends no response to a request in flight: its stream is reset with `CANCEL`, and the others continue.
    public func cut(stream id: Int32) {
        guard inFlight.remove(id) != nil else { preconditionFailure("no request is in flight on the stream") }
        guard !isTerminated, let stream = streams[id], stream.stage == .inFlight else { return }
        reset(stream, .cancel)
        pump()
    }

    /// Announces to the peer that the connection will end. Requests in flight, and requests sent before the peer
    /// received this notice, are still answered (RFC 9113 §6.8).
    public func stop() {
        guard !isStopping, !isTerminated else { return }
        isStopping = true
        stopDeadline = Self.time(now, plusSeconds: limits.stopTimeoutSeconds)
        session.submitShutdownNotice()
        pump()
    }

    /// Removes sent output.
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
        // An incomplete request gets no response: its client has stopped sending.
        if inputEnded, !streams.values.contains(where: \.isAnswerable) { return true }
        return !session.wantsToRead && !session.wantsToWrite
    }

    /// Ends the connection at once with a GOAWAY as the last frame, written without nghttp2.
    func terminate(_ code: HTTP2ErrorCode) {
        guard !isTerminated else { return }
        isTerminated = true
        let last = UInt32(bitPattern: session.lastProcessedStream)
        output.append(contentsOf: [0, 0, 8, UInt8(NGHTTP2_GOAWAY.rawValue), 0, 0, 0, 0, 0])
        for number in [last, code.rawValue] {
            for shift in [24, 16, 8, 0] as [UInt32] { output.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
    }

    /// Ends the connection at once without a GOAWAY, because the peer does not read.
    func abandon() {
        isTerminated = true
        output = []
        outputStart = 0
    }

    /// Sends the second GOAWAY. Later streams are ignored.
    func finishStopping() {
        guard isStopping, lastStreamHeeded == .max else { return }
        lastStreamHeeded = session.lastProcessedStream
        stopDeadline = .max
        session.submitGoAway(.noError)
    }

    // MARK: Input and output

    /// Passes bytes to nghttp2, up to the first frame that is refused.
    private func take(_ bytes: UnsafeBufferPointer<UInt8>) throws(FrameScanner.Violation) {
        var taken = 0
        func take(to end: Int) {
            let status = session.receive(UnsafeBufferPointer(rebasing: bytes[taken..<end]))
            taken = end
            guard status != 0 else { return }
            // The preface is invalid. Other fatal errors are limits that the scanner checks first, or lack of memory.
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

    /// The error of a frame on an ended stream, which nghttp2 would ignore because it no longer stores the stream.
    private func fault(of frame: FrameScanner.StreamFrame) -> HTTP2ErrorCode? {
        let id = frame.stream
        // nghttp2 checks frames on streams that never existed or are open. Frames that the peer sent before it received
        // a reset are ignored (RFC 9113 §5.1), as are frames on streams after the final GOAWAY (§6.8).
        guard id & 1 == 1, id <= scanner.lastStream, id <= lastStreamHeeded, streams[id] == nil,
            !streamsReset.contains(id)
        else { return nil }
        // §5.1.1: stream identifiers must increase.
        return frame.isData || streamsEnded.contains(id) ? .streamClosed : .protocolError
    }

    /// Lets nghttp2 write frames until enough output waits.
    func pump() {
        while !isTerminated, outputBytes < limits.outputBytesMax {
            var bytes: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session.pointer, &bytes)
            guard count >= 0 else { return terminate(.internalError) }
            guard count > 0 else { return }
            output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
        }
    }

    /// The next request to handle, if there is room for its handler and its response; otherwise nil.
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
        if response.stream != nil, HTTP1Writer.hasContent(response.head.status), !stream.head.isHead {
            stream.isStreaming = true
            // A stream may wait for its next piece without limit.
            stream.deadline = .max
        }
        session.submitResponse(
            block, stream: stream.id, hasContent: !stream.response.isEmpty || stream.isStreaming)
        pump()
    }

    /// Schedules a response with a status, in place of a handler's. Further frames of the request have no effect on it.
    func refuse(_ stream: Stream, _ status: HTTPResponse.Status) {
        stream.refusal = status
        stream.stage = .ready
        stream.deadline = .max
        stream.body.removeAll()
        ready.append(stream.id)
    }
}
