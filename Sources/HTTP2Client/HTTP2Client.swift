internal import CNghttp2
public import HTTP
internal import HTTP2
public import HTTPTypes

/// The client's side of one HTTP/2 connection, without the connection: requests and bytes in, responses and bytes out.
///
/// For tests and benchmarks: it trusts the server with its memory. One owner holds it, on one actor or thread.
public final class HTTP2Client {
    /// What has come of the requests.
    public enum Event: Sendable, Equatable {
        /// A whole response.
        case response(Response, stream: Int32)
        /// The stream ended without one.
        case reset(stream: Int32, HTTP2ErrorCode)
        /// The server will begin no stream after this one.
        case goAway(lastStream: Int32, HTTP2ErrorCode)
    }

    /// Bytes to send, from ``outputStart`` on.
    public internal(set) var output: [UInt8] = []
    /// Where the unsent output begins.
    public private(set) var outputStart = 0
    /// Whether the server broke the protocol, or ended the connection.
    public private(set) var isFinished = false

    struct Exchange {
        var response = Response(status: .ok)
        var request: [UInt8] = []
        var requestStart = 0
        var isFinal = false
        var isHeadComplete = false
    }

    /// The server has said that it takes no more requests.
    private var isGoingAway = false
    private let session: OpaquePointer  // nghttp2_session *
    private var exchanges: [Int32: Exchange] = [:]
    private var events: [Event] = []
    private var eventsStart = 0

    /// Makes the state of a connection that was just made.
    ///
    /// - Parameters:
    ///   - streamWindowBytes: what the server may send of one response before more is allowed.
    ///   - connectionWindowBytes: what it may send of all.
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

    /// Bytes not yet sent.
    public var outputBytes: Int { output.count - outputStart }

    /// Requests without a response.
    public var requestsInFlight: Int { exchanges.count }

    /// Sends a request.
    ///
    /// - Parameter request: its scheme is `http` unless it says another; its body is sent as it is.
    /// - Returns: the stream, or nil if the connection takes no more.
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

    /// Gives a request up.
    public func reset(stream: Int32, _ code: HTTP2ErrorCode = .cancel) {
        nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue)
        pump()
    }

    /// Takes bytes that arrived.
    public func receive(_ bytes: Span<UInt8>) {
        guard !isFinished else { return }
        bytes.withUnsafeBufferPointer {
            if nghttp2_session_mem_recv(session, $0.baseAddress, $0.count) < 0 { isFinished = true }
        }
        pump()
        if nghttp2_session_want_read(session) == 0, nghttp2_session_want_write(session) == 0 { isFinished = true }
    }

    /// The next thing that has come of the requests.
    public func next() -> Event? {
        guard eventsStart < events.count else {
            events.removeAll(keepingCapacity: true)
            eventsStart = 0
            return nil
        }
        defer { eventsStart += 1 }
        return events[eventsStart]
    }

    /// Removes output that was sent.
    public func consumeOutput(_ count: Int) {
        precondition(count >= 0 && count <= outputBytes, "consumed more bytes than are pending")
        outputStart += count
        guard outputStart == output.count else { return }
        output.removeAll(keepingCapacity: true)
        outputStart = 0
        pump()
    }

    private func pump() {
        // More is asked for once this is sent.
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

/// The callbacks of nghttp2: what arrived, and the content that it asks for.
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
        // Trailers are dropped, and the heads of interim responses are replaced by what follows.
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
        // A server may answer before it has read the request, and then ask for no more of it (RFC 9113 §8.1).
        if code == .noError, exchange.isHeadComplete {
            events.append(.response(exchange.response, stream: stream))
        } else {
            events.append(.reset(stream: stream, code))
        }
    }

    /// Gives content for a DATA frame.
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
