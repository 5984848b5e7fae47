internal import CNghttp2
internal import HTTPTypes

/// The sole owner of one `nghttp2_session`.
struct Session: ~Copyable {
    let pointer: OpaquePointer  // nghttp2_session *

    /// Creates a server session.
    ///
    /// - Parameters:
    ///   - callbacks: copied, as are the memory functions.
    ///   - options: copied.
    init(callbacks: borrowing SessionCallbacks, options: borrowing SessionOptions) {
        var pointer: OpaquePointer?
        var memory = WipedMemory.functions
        let status = nghttp2_session_server_new3(&pointer, callbacks.pointer, nil, options.pointer, &memory)
        guard status == 0, let pointer else { preconditionFailure("nghttp2 fails here only without memory") }
        self.pointer = pointer
    }

    deinit { nghttp2_session_del(pointer) }

    /// Sets the object that callbacks receive. It is not retained.
    func setUserData(_ object: AnyObject) {
        nghttp2_session_set_user_data(pointer, Unmanaged.passUnretained(object).toOpaque())
    }

    /// Sends settings to the peer.
    func submitSettings(_ settings: [(nghttp2_settings_id, Int)]) {
        let entries = settings.map { id, value in
            nghttp2_settings_entry(settings_id: Int32(id.rawValue), value: UInt32(value))
        }
        let status = nghttp2_submit_settings(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count)
        precondition(status == 0, "the limits are values that the protocol allows")
    }

    /// Processes bytes from the peer.
    ///
    /// - Returns: 0, or nghttp2's error, after which the session is unusable.
    func receive(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
        guard let base = bytes.baseAddress, bytes.count > 0 else { return 0 }
        let count = nghttp2_session_mem_recv(pointer, base, bytes.count)
        return count < 0 ? Int32(count) : 0
    }

    var wantsToRead: Bool { nghttp2_session_want_read(pointer) != 0 }
    var wantsToWrite: Bool { nghttp2_session_want_write(pointer) != 0 }

    /// The last processed stream that the peer opened.
    var lastProcessedStream: Int32 { nghttp2_session_get_last_proc_stream_id(pointer) }

    /// Sets the flow-control window of the connection.
    func setConnectionWindow(_ bytes: Int) {
        let status = nghttp2_session_set_local_window_size(
            pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, Int32(bytes))
        precondition(status == 0, "the limit is a window that the protocol allows")
    }

    /// Sends a GOAWAY with the highest possible stream, and a PING whose acknowledgement shows that the peer has read
    /// it.
    func submitShutdownNotice() {
        _ = nghttp2_submit_shutdown_notice(pointer)
        _ = nghttp2_submit_ping(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    /// Sends a GOAWAY with the last processed stream.
    func submitGoAway(_ code: HTTP2ErrorCode) {
        _ = nghttp2_submit_goaway(
            pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), lastProcessedStream, code.rawValue, nil, 0)
    }

    /// Sends `100 Continue` (RFC 9110 §10.1.1).
    func submitContinue(stream: Int32) {
        var block = FieldBlock()
        block.append(":status", "100".utf8)
        block.withNameValues { list, count in
            _ = nghttp2_submit_headers(
                pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, nil, list, count, nil)
        }
    }

    /// Sends a response. The connection's callbacks provide its content, if any.
    func submitResponse(_ block: FieldBlock, stream: Int32, hasContent: Bool) {
        var provider = nghttp2_data_provider()
        provider.read_callback = { _, stream, _, roomBytes, flags, _, context in
            guard let flags else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
            return HTTP2Connection.from(context).contentBytes(stream, roomBytes: roomBytes, flags: flags)
        }
        block.withNameValues { list, count in
            // Fails only when out of memory: the stream is open and has no response yet.
            _ =
                hasContent
                ? nghttp2_submit_response(pointer, stream, list, count, &provider)
                : nghttp2_submit_response(pointer, stream, list, count, nil)
        }
    }

    /// Lets the callbacks provide content again for a stream that had none.
    func resume(_ stream: Int32) {
        // Fails if the stream's content was not deferred, which makes no difference.
        _ = nghttp2_session_resume_data(pointer, stream)
    }

    /// Resets a stream.
    func reset(_ stream: Int32, _ code: HTTP2ErrorCode) {
        // Fails when out of memory, or if the stream never existed. Neither can be handled here.
        _ = nghttp2_submit_rst_stream(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue)
    }
}

/// The sole owner of one `nghttp2_session_callbacks`.
struct SessionCallbacks: ~Copyable {
    let pointer: OpaquePointer  // nghttp2_session_callbacks *

    init() {
        var pointer: OpaquePointer?
        guard nghttp2_session_callbacks_new(&pointer) == 0, let pointer else {
            preconditionFailure("nghttp2 fails here only without memory")
        }
        self.pointer = pointer
    }

    deinit { nghttp2_session_callbacks_del(pointer) }
}

/// The sole owner of one `nghttp2_option`.
struct SessionOptions: ~Copyable {
    let pointer: OpaquePointer  // nghttp2_option *

    init() {
        var pointer: OpaquePointer?
        guard nghttp2_option_new(&pointer) == 0, let pointer else {
            preconditionFailure("nghttp2 fails here only without memory")
        }
        self.pointer = pointer
    }

    deinit { nghttp2_option_del(pointer) }
}
