internal import CNghttp2
public import HTTP
internal import HTTP2
public import HTTPTypes

/// The client side of one HTTP/2 connection, without input and output: takes requests and bytes, and produces responses
/// and bytes.
///
/// For tests and benchmarks: it does not limit the memory that a server can make it use. It must be used by one owner,
/// on one actor or thread.
public final class HTTP2Client {
    /// The outcome of a request, or a notice of the server.
    public enum Event: Sendable, Equatable {
        /// A complete response.
        case response(Response, stream: Int32)
        /// The stream ended without a response.
        case reset(stream: Int32, HTTP2ErrorCode)
        /// The server will process no stream after this one.
        case goAway(lastStream: Int32, HTTP2ErrorCode)
    }

    /// Bytes to send, from ``outputStart`` on.
    public internal(set) var output: [UInt8] = []
    /// The position of the first unsent byte in the output.
    public private(set) var outputStart = 0
    /// Whether the server violated the protocol or ended the connection.
    public private(set) var isFinished = false

    struct Exchange {
        var response = Response(status: .ok)
        var request: [UInt8] = []
        var requestStart = 0
        var isFinal = false
        var isHeadComplete = false
    }

    /// Whether the server has announced that it accepts no more requests.
    private var isGoingAway = false
    private let session: OpaquePointer  // nghttp2_session *
    private var exchanges: [Int32: Exchange] = [:]
    private var events: [Event] = []
    private var eventsStart = 0

    /// Creates the state of a new connection.
    ///
    /// - Parameters:
    ///   - streamWindowBytes: the flow-control window of one stream.
    ///   - connectionWindowBytes: the flow-control window of the connection.
    public init(streamWindowBytes: Int = 1024 * 1024, connectionWindowBytes: Int = 16 * 1024 * 1024) {
        session = Self.session()
        nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
        let settings = [
            nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue), value: UInt32(streamWindowBytes)),
        ]
        let noFlags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        let areSet =
            nghttp2_submit_settings(session, noFlags, settings, settings.count) == 0
            && nghttp2_session_set_local_window_size(session, noFlags, 0, Int32(connectionWindowBytes)) == 0
        precondition(areSet, "windows that the protocol allows")
        pump()
    }

    deinit { nghttp2_session_del(session) }

    /// The number of unsent bytes.
    public var outputBytes: Int { output.count - outputStart }

    /// The number of requests without a response.
    public var requestsInFlight: Int { exchanges.count }

    /// Sends a request.
    ///
    /// - Parameter request: the request; its scheme is `http` by default, and its body is sent unchanged.
    /// - Returns: the stream; nil if the connection accepts no more requests.
    public func submit(_ request: Request) -> Int32? {
        guard !isFinished, !isGoingAway else { return nil }
        let head = request.head
        var block = FieldBlock()
        block.append(":method", head.method.rawValue.utf8)
        block.append(":scheme", (head.scheme ?? "http").utf8)
        block.append(":authority", (head.authority ?? "localhost").utf8)
        block.append(":path", (head.path ?? "/").utf8)
        for field in head.headerFields { block.append(field) }
        request.credentials.forEach { block.append($0, $1) }
        if !request.body.isEmpty, head.headerFields[.contentLength] == nil {
            block.append("content-length", String(request.body.count).utf8)
        }
        var provider = nghttp2_data_provider()
        provider.read_callback = { _, stream, room, roomBytes, flags, _, context in
            guard let flags else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
            return HTTP2Client.fill(
                context, stream: stream, into: UnsafeMutableBufferPointer(start: room, count: roomBytes), flags: flags)
        }
        let stream = block.withNameValues { list, count in
            request.body.isEmpty
                ? nghttp2_submit_request(session, nil, list, count, nil, nil)
                : nghttp2_submit_request(session, nil, list, count, &provider, nil)
        }
        guard stream > 0 else { return nil }
        exchanges[stream] = Exchange(request: request.body)
        pump()
        return stream
    }

    /// Cancels a request.
    public func reset(stream: Int32, _ code: HTTP2ErrorCode = .cancel) {
        nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue)
        pump()
    }

    /// Adds received bytes.
    public func receive(_ bytes: Span<UInt8>) {
        guard !isFinished else { return }
        bytes.withUnsafeBufferPointer {
            if nghttp2_session_mem_recv(session, $0.baseAddress, $0.count) < 0 { isFinished = true }
        }
        pump()
        if nghttp2_session_want_read(session) == 0, nghttp2_session_want_write(session) == 0 { isFinished = true }
    }

    /// The next event; nil if there is none.
    public func next() -> Event? {
        guard eventsStart < events.count else {
            events.removeAll(keepingCapacity: true)
            eventsStart = 0
            return nil
        }
        defer { eventsStart += 1 }
        return events[eventsStart]
    }

    /// Removes sent output.
    public func consumeOutput(_ count: Int) {
        precondition(count >= 0 && count <= outputBytes, "consumed more bytes than are pending")
        outputStart += count
        guard outputStart == output.count else { return }
        output.removeAll(keepingCapacity: true)
        outputStart = 0
        pump()
    }

    private func pump() {
        // More output is produced once this is sent.
        while !isFinished, outputBytes < 256 * 1024 {
            var bytes: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &bytes)
            guard count > 0 else {
                if count < 0 { isFinished = true }
                return
            }
            output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
        }
    }
}

/// The callbacks of nghttp2, for received frames and for request content.
extension HTTP2Client {
    private static func session() -> OpaquePointer {
        var callbacks: OpaquePointer?
        var options: OpaquePointer?
        nghttp2_session_callbacks_new(&callbacks)
        nghttp2_option_new(&options)
        defer {
            nghttp2_session_callbacks_del(callbacks)
            nghttp2_option_del(options)
        }
        nghttp2_option_set_no_closed_streams(options, 1)
        setCallbacks(callbacks)
        var session: OpaquePointer?
        guard nghttp2_session_client_new2(&session, callbacks, nil, options) == 0, let session else {
            preconditionFailure("nghttp2 fails here only without memory")
        }
        return session
    }

    private static func setCallbacks(_ pointer: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_header_callback(pointer) {
            _, frame, name, nameBytes, value, valueBytes, _, context in
            guard let frame else { return 0 }
            HTTP2Client.from(context).addHeader(
                frame.pointee, UnsafeBufferPointer(start: name, count: nameBytes),
                UnsafeBufferPointer(start: value, count: valueBytes))
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(pointer) { _, _, stream, bytes, count, context in
            HTTP2Client.from(context).exchanges[stream]?.response.body.append(
                contentsOf: UnsafeBufferPointer(start: bytes, count: count))
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(pointer) { _, frame, context in
            if let frame { HTTP2Client.from(context).endFrame(frame.pointee) }
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(pointer) { _, stream, code, context in
            HTTP2Client.from(context).close(stream: stream, HTTP2ErrorCode(rawValue: code))
            return 0
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> HTTP2Client {
        guard let context else { preconditionFailure("nghttp2's user data is set before the session is used") }
        return Unmanaged<HTTP2Client>.fromOpaque(context).takeUnretainedValue()
    }

    private func addHeader(
        _ frame: nghttp2_frame, _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
    ) {
        // Trailers are dropped. The head of an interim response is replaced by the next head.
        guard let exchange = exchanges[frame.hd.stream_id], !exchange.isHeadComplete || name.first != UInt8(ascii: ":")
        else {
            return
        }
        let text = String(decoding: name, as: UTF8.self)
        if text == ":status" {
            guard let code = Int(String(decoding: value, as: UTF8.self)), (100...999).contains(code) else { return }
            exchanges[frame.hd.stream_id]?.response.head = HTTPResponse(status: .init(code: code))
            exchanges[frame.hd.stream_id]?.isFinal = code >= 200
        } else if let name = HTTPField.Name(text) {
            exchanges[frame.hd.stream_id]?.response.head.headerFields.append(HTTPField(name: name, value: value))
        }
    }

    private func endFrame(_ frame: nghttp2_frame) {
        switch nghttp2_frame_type(UInt32(frame.hd.type)) {
        case NGHTTP2_HEADERS:
            if exchanges[frame.hd.stream_id]?.isFinal == true { exchanges[frame.hd.stream_id]?.isHeadComplete = true }
        case NGHTTP2_GOAWAY:
            isGoingAway = true
            let goAway = frame.goaway
            events.append(.goAway(lastStream: goAway.last_stream_id, HTTP2ErrorCode(rawValue: goAway.error_code)))
        default: break
        }
    }

    private func close(stream: Int32, _ code: HTTP2ErrorCode) {
        guard let exchange = exchanges.removeValue(forKey: stream) else { return }
        // A server may respond before it has read the request, and then stop reading it (RFC 9113 §8.1).
        if code == .noError, exchange.isHeadComplete {
            events.append(.response(exchange.response, stream: stream))
        } else {
            events.append(.reset(stream: stream, code))
        }
    }

    /// Provides content for a DATA frame.
    static func fill(
        _ context: UnsafeMutableRawPointer?, stream: Int32, into room: UnsafeMutableBufferPointer<UInt8>,
        flags: UnsafeMutablePointer<UInt32>
    ) -> Int {
        let client = from(context)
        guard let exchange = client.exchanges[stream] else {
            return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
        let count = min(room.count, exchange.request.count - exchange.requestStart)
        let end = exchange.requestStart + count
        _ = room.update(fromContentsOf: exchange.request[exchange.requestStart..<end])
        client.exchanges[stream]?.requestStart = end
        if end == exchange.request.count { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return count
    }
}
