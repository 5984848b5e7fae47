internal import CNghttp2
internal import HTTP
internal import HTTPTypes

/// The callbacks of nghttp2. They are called only during this connection's own methods, on the owner's thread.
extension HTTP2Connection {
    static func options(_ limits: HTTP2Limits) -> SessionOptions {
        let options = SessionOptions()
        let pointer = options.pointer
        // The scanner counts all of these and ends the connection with a specific error code. nghttp2's own limits are
        // higher; its limit on resets is much higher, because it uses its own clock.
        nghttp2_option_set_stream_reset_rate_limit(
            pointer, 100 * UInt64(limits.resetsReceived.burst), 2 * UInt64(limits.resetsReceived.perSecond))
        // nghttp2 counts every fragment in which the 9 bytes of such a frame's header are received.
        nghttp2_option_set_max_continuations(pointer, (limits.continuationsMax + 1) * 10)
        nghttp2_option_set_max_settings(pointer, limits.settingsEntriesMax + 1)
        nghttp2_option_set_max_outbound_ack(pointer, limits.pings.burst + limits.settings.burst + 1)
        nghttp2_option_set_max_deflate_dynamic_table_size(pointer, limits.headerTableBytesMax)
        nghttp2_option_set_no_closed_streams(pointer, 1)
        return options
    }

    static func callbacks() -> SessionCallbacks {
        let callbacks = SessionCallbacks()
        let pointer = callbacks.pointer
        nghttp2_session_callbacks_set_on_begin_headers_callback(pointer) { _, frame, context in
            guard let frame else { return 0 }
            HTTP2Connection.from(context).beginHeaders(frame.pointee)
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(pointer) {
            _, frame, name, nameBytes, value, valueBytes, _, context in
            HTTP2Connection.from(context).addHeader(
                UnsafeBufferPointer(start: name, count: nameBytes), UnsafeBufferPointer(start: value, count: valueBytes)
            )
        }
        nghttp2_session_callbacks_set_on_invalid_header_callback(pointer) {
            _, _, _, nameBytes, _, valueBytes, _, context in
            HTTP2Connection.from(context).addInvalidHeader(bytes: nameBytes + valueBytes)
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(pointer) { _, _, stream, bytes, count, context in
            HTTP2Connection.from(context).addContent(UnsafeBufferPointer(start: bytes, count: count), stream: stream)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(pointer) { _, frame, context in
            guard let frame else { return 0 }
            HTTP2Connection.from(context).endFrame(frame.pointee)
            return 0
        }
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(pointer) { _, frame, _, context in
            // This includes streams that are refused before they begin.
            guard let frame, frame.pointee.hd.stream_id > 0 else { return 0 }
            HTTP2Connection.from(context).streamsReset.insert(frame.pointee.hd.stream_id)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_send_callback(pointer) { _, frame, context in
            guard let frame else { return 0 }
            HTTP2Connection.from(context).didSend(frame.pointee)
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(pointer) { _, stream, _, context in
            HTTP2Connection.from(context).close(stream: stream)
            return 0
        }
        nghttp2_session_callbacks_set_send_data_callback(pointer) { _, frame, header, count, _, context in
            guard let frame, let header else { return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue }
            return HTTP2Connection.from(context).writeData(frame.pointee.hd.stream_id, header: header, count: count)
        }
        return callbacks
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> HTTP2Connection {
        guard let context else { preconditionFailure("nghttp2's user data is set before the session is used") }
        return Unmanaged<HTTP2Connection>.fromOpaque(context).takeUnretainedValue()
    }

    // MARK: In

    private func beginHeaders(_ frame: nghttp2_frame) {
        guard frame.hd.type == NGHTTP2_HEADERS.rawValue else { return }
        if let stream = streams[frame.hd.stream_id] {
            stream.head.beginTrailers()
            blockStream = stream
        } else {
            idleDeadline = .max
            let stream = Stream(id: frame.hd.stream_id, arrival: now)
            streams[stream.id] = stream
            blockStream = stream
        }
    }

    private func addHeader(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Int32 {
        if let stream = blockStream {
            if stream.requestHead == nil {
                stream.head.append(name.span, value.span, limits: limits)
            } else {
                stream.head.appendTrailer(name.span, value.span, limits: limits)
            }
        }
        return mayDecodeOn()
    }

    /// Adds a field that nghttp2 found to be malformed.
    private func addInvalidHeader(bytes: Int) -> Int32 {
        blockStream?.head.appendInvalid(bytes: bytes)
        return mayDecodeOn()
    }

    /// Whether to continue decoding. A refused list must be decoded to its end, up to a limit, to keep the compression
    /// state. Beyond the limit the connection ends and nghttp2 stops at once, because decoding is expensive.
    private func mayDecodeOn() -> Int32 {
        if let stream = blockStream, stream.head.listBytes > limits.decodedHeaderBytesMax {
            terminate(.enhanceYourCalm)
        }
        return isTerminated ? NGHTTP2_ERR_CALLBACK_FAILURE.rawValue : 0
    }

    private func addContent(_ bytes: UnsafeBufferPointer<UInt8>, stream id: Int32) {
        guard let stream = streams[id], !isTerminated else { return }
        if stream.stage == .answered {
            stream.discardedBytes += bytes.count
            if stream.discardedBytes > limits.streamWindowBytes { reset(stream, .noError) }
        }
        guard stream.stage == .content else { return }
        guard bytes.count <= limits.bodyBytesMax - stream.body.count else { return refuse(stream, .contentTooLarge) }
        guard hold(bytes.count, for: stream) else { return }
        stream.body.append(UnsafeRawBufferPointer(bytes))
    }

    /// Counts bytes of a request that has not been passed to a handler. Returns false, after refusing the stream, if
    /// there are too many.
    private func hold(_ count: Int, for stream: Stream) -> Bool {
        guard waitingRequestBytes + count <= limits.waitingRequestBytesMax else {
            reset(stream, .refusedStream)
            return false
        }
        stream.waitingBytes += count
        waitingRequestBytes += count
        return true
    }

    private func endFrame(_ frame: nghttp2_frame) {
        let header = frame.hd
        let endsStream = UInt32(header.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
        switch nghttp2_frame_type(UInt32(header.type)) {
        case NGHTTP2_HEADERS:
            blockStream = nil
            guard let stream = streams[header.stream_id] else { return }
            stream.isRemoteEnded = endsStream
            if stream.requestHead == nil { endHead(stream) } else { endTrailers(stream) }
        case NGHTTP2_DATA:
            guard endsStream, let stream = streams[header.stream_id] else { return }
            stream.isRemoteEnded = true
            if stream.stage == .content { becomeReady(stream) }
        case NGHTTP2_SETTINGS:
            if UInt32(header.flags) & NGHTTP2_FLAG_ACK.rawValue != 0 { settingsDeadline = .max }
        case NGHTTP2_PING:
            if UInt32(header.flags) & NGHTTP2_FLAG_ACK.rawValue != 0 { finishStopping() }
        default: break
        }
    }

    private func endHead(_ stream: Stream) {
        guard stream.stage == .head else { return }
        do throws(RequestHead.Refusal) {
            stream.requestHead = try stream.head.request(scheme: scheme, limits: limits)
        } catch {
            switch error {
            case .malformed: return reset(stream, .protocolError)
            case .status(let status): return refuse(stream, status)
            }
        }
        guard hold(stream.head.listBytes, for: stream) else { return }
        guard !stream.isRemoteEnded else { return becomeReady(stream) }
        stream.stage = .content
        stream.deadline = Self.time(now, plusSeconds: limits.bodyTimeoutSeconds)
        if stream.head.expectsContinue { session.submitContinue(stream: stream.id) }
    }

    private func endTrailers(_ stream: Stream) {
        guard stream.stage == .content else { return }
        switch stream.head.refusal {
        case nil: becomeReady(stream)
        case .malformed: reset(stream, .protocolError)
        case .status(let status): refuse(stream, status)
        }
    }

    private func becomeReady(_ stream: Stream) {
        stream.stage = .ready
        stream.deadline = .max
        ready.append(stream.id)
    }

    /// Resets a stream. All further frames on it are dropped.
    func reset(_ stream: Stream, _ code: HTTP2ErrorCode) {
        stream.stage = .ended
        stream.deadline = .max
        session.reset(stream.id, code)
    }

    private func close(stream id: Int32) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        if !streamsReset.contains(id) { streamsEnded.insert(id) }
        if blockStream === stream { blockStream = nil }
        waitingRequestBytes -= stream.waitingBytes
        waitingResponseBytes -= stream.response.count - stream.responseStart
    }

    // MARK: Out

    private func didSend(_ frame: nghttp2_frame) {
        let header = frame.hd
        switch nghttp2_frame_type(UInt32(header.type)) {
        case NGHTTP2_HEADERS, NGHTTP2_DATA:
            if header.type == NGHTTP2_DATA.rawValue, header.length >= limits.paidDataBytesMin {
                scanner.allowWindowUpdates()
            }
            guard UInt32(header.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0, let stream = streams[header.stream_id]
            else { return }
            stream.deadline = .max
            guard !stream.isRemoteEnded else { return }
            // RFC 9113 §8.1: the rest of the request is not needed. An immediate reset would make some clients lose the
            // response.
            stream.stage = .answered
            stream.deadline = Self.time(now, plusSeconds: limits.lingerTimeoutSeconds)
        case NGHTTP2_RST_STREAM:
            streamsReset.insert(header.stream_id)
            let code = HTTP2ErrorCode(rawValue: frame.rst_stream.error_code)
            guard code != .noError, code != .cancel, !resetsSent.take(now: now) else { return }
            terminate(.enhanceYourCalm)
        default: break
        }
    }

    /// Writes one DATA frame directly from the response.
    private func writeData(_ id: Int32, header: UnsafePointer<UInt8>, count: Int) -> Int32 {
        guard !isTerminated, outputBytes < limits.outputBytesMax else { return NGHTTP2_ERR_WOULDBLOCK.rawValue }
        guard let stream = streams[id] else { return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue }
        output.append(contentsOf: UnsafeBufferPointer(start: header, count: 9))
        output.append(contentsOf: stream.response[stream.responseStart..<stream.responseStart + count])
        stream.responseStart += count
        waitingResponseBytes -= count
        if stream.isStreaming, stream.responseStart == stream.response.count {
            stream.response = []
            stream.responseStart = 0
            stream.deadline = .max
        }
        return 0
    }

    /// The number of response bytes in the next DATA frame: as many as nghttp2 allows.
    func contentBytes(_ id: Int32, roomBytes: Int, flags: UnsafeMutablePointer<UInt32>) -> Int {
        guard let stream = streams[id] else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
        let left = stream.response.count - stream.responseStart
        guard left > 0 || !stream.isStreaming else { return Int(NGHTTP2_ERR_DEFERRED.rawValue) }
        flags.pointee |= NGHTTP2_DATA_FLAG_NO_COPY.rawValue
        if left <= roomBytes, !stream.isStreaming { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return min(left, roomBytes)
    }
}
