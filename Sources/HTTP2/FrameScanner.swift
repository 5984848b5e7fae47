internal import CNghttp2
internal import HTTPTypes

/// Follows the frames in the peer's bytes, ahead of nghttp2, and stops before one that goes beyond a limit which nghttp2
/// doesn't have, or breaks a rule that it leaves unchecked.
///
/// Every frame is seen here, also of those that nghttp2 passes over in silence.
struct FrameScanner {
    /// What ended the scan.
    struct Violation: Error, Equatable {
        let code: HTTP2ErrorCode
        /// Where the frame begins, or 0 if that was in bytes before these.
        let offset: Int
    }

    /// A frame whose stream must be one that may have such a frame: DATA, or HEADERS that begin no new stream.
    struct StreamFrame: Equatable {
        let stream: Int32
        let isData: Bool
        /// As in ``Violation``.
        let offset: Int
    }

    private enum Position {
        /// Within the 24 bytes of the client's preface.
        case preface(left: Int)
        /// Within a frame's header and the part of its payload that is parsed; so many bytes have been read.
        case header(count: Int)
        /// Within the rest of a payload.
        case payload(left: Int)
    }

    private static let headerBytes = 9

    private let limits: HTTP2Limits
    private var position = Position.preface(left: Int(NGHTTP2_CLIENT_MAGIC_LEN))
    /// The frame's header, and up to 5 bytes of its payload.
    private var header: InlineArray<14, UInt8> = .init(repeating: 0)

    /// The highest stream that HEADERS have begun.
    private(set) var lastStream: Int32 = 0

    // The header block that is open: HEADERS without END_HEADERS.
    private var blockIsOpen = false
    private var blockBytes = 0
    private var blockContinuations = 0

    private var resetsReceived: TokenBucket
    private var pings: TokenBucket
    private var settings: TokenBucket
    private var priorities: TokenBucket
    private var windowUpdates: TokenBucket
    private var emptyFrames: TokenBucket
    private var otherFrames: TokenBucket

    init(limits: HTTP2Limits, now: UInt64) {
        self.limits = limits
        resetsReceived = TokenBucket(limits.resetsReceived, now: now)
        pings = TokenBucket(limits.pings, now: now)
        settings = TokenBucket(limits.settings, now: now)
        priorities = TokenBucket(limits.priorities, now: now)
        windowUpdates = TokenBucket(limits.windowUpdates, now: now)
        emptyFrames = TokenBucket(limits.emptyFrames, now: now)
        otherFrames = TokenBucket(limits.otherFrames, now: now)
    }

    /// Whether the bytes so far end within the preface, a header block, or a frame other than DATA.
    var isWithinControl: Bool {
        if blockIsOpen { return true }
        switch position {
        case .preface: return true
        case .header(let count): return count > 0
        case .payload: return type != NGHTTP2_DATA
        }
    }

    /// Makes room for the WINDOW_UPDATE frames that answer a DATA frame which was sent: one for the stream and one for the
    /// connection.
    mutating func allowWindowUpdates() { windowUpdates.give(2) }

    /// Follows the bytes from an index on, to the next frame that the owner has to judge by its stream or to the end.
    ///
    /// - Parameter index: moved on.
    /// - Returns: nil at the end.
    mutating func advance(
        _ bytes: UnsafeBufferPointer<UInt8>, from index: inout Int, now: UInt64
    ) throws(Violation) -> StreamFrame? {
        while index < bytes.count {
            switch position {
            case .preface(let left):
                let count = min(left, bytes.count - index)
                index += count
                position = count == left ? .header(count: 0) : .preface(left: left - count)
            case .header(let count):
                header[count] = bytes[index]
                index += 1
                position = .header(count: count + 1)
                guard count + 1 >= Self.headerBytes, count + 1 == Self.headerBytes + prefixBytes else { continue }
                let offset = max(0, index - count - 1)
                if let code = judge(now: now) { throw Violation(code: code, offset: offset) }
                let left = length - prefixBytes
                position = left == 0 ? .header(count: 0) : .payload(left: left)
                if let frame = streamFrame(offset: offset) { return frame }
            case .payload(let left):
                let count = min(left, bytes.count - index)
                index += count
                position = count == left ? .header(count: 0) : .payload(left: left - count)
            }
        }
        return nil
    }

    private mutating func streamFrame(offset: Int) -> StreamFrame? {
        let stream = Int32(stream)
        switch type {
        case NGHTTP2_DATA: return StreamFrame(stream: stream, isData: true, offset: offset)
        case NGHTTP2_HEADERS:
            // An even one is nghttp2's to refuse.
            if stream > lastStream, stream & 1 == 1 {
                lastStream = stream
                return nil
            }
            return StreamFrame(stream: stream, isData: false, offset: offset)
        default: return nil
        }
    }

    private var length: Int { Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2]) }
    private var type: nghttp2_frame_type { nghttp2_frame_type(UInt32(header[3])) }
    private var stream: UInt32 { streamIdentifier(at: 5) }

    private func has(_ flag: nghttp2_flag) -> Bool { UInt32(header[4]) & flag.rawValue != 0 }

    private func streamIdentifier(at index: Int) -> UInt32 {
        UInt32(header[index] & 0x7F) << 24 | UInt32(header[index + 1]) << 16 | UInt32(header[index + 2]) << 8
            | UInt32(header[index + 3])
    }

    /// Bytes of the payload that are parsed: the length of the padding, and the stream that this one depends on.
    private var prefixBytes: Int {
        switch type {
        case NGHTTP2_DATA: min(length, has(NGHTTP2_FLAG_PADDED) ? 1 : 0)
        case NGHTTP2_HEADERS: min(length, (has(NGHTTP2_FLAG_PADDED) ? 1 : 0) + (has(NGHTTP2_FLAG_PRIORITY) ? 4 : 0))
        case NGHTTP2_PRIORITY: min(length, 4)
        default: 0
        }
    }

    /// Whether a DATA or HEADERS frame carries nothing but padding and priority.
    private var isEmpty: Bool {
        let isPadded = has(NGHTTP2_FLAG_PADDED) && length > 0
        let priorityBytes = type == NGHTTP2_HEADERS && has(NGHTTP2_FLAG_PRIORITY) ? 5 : 0
        return length <= priorityBytes + (isPadded ? 1 + Int(header[Self.headerBytes]) : 0)
    }

    /// What the frame ends the connection with.
    private mutating func judge(now: UInt64) -> HTTP2ErrorCode? {
        let isAllowed: Bool
        switch type {
        case NGHTTP2_DATA:
            isAllowed = !isEmpty || has(NGHTTP2_FLAG_END_STREAM) || emptyFrames.take(now: now)
        case NGHTTP2_HEADERS:
            let paddingBytes = has(NGHTTP2_FLAG_PADDED) ? 1 : 0
            if has(NGHTTP2_FLAG_PRIORITY), length >= paddingBytes + 5,
                streamIdentifier(at: Self.headerBytes + paddingBytes) == stream
            {
                return .protocolError
            }
            blockBytes = length
            blockContinuations = 0
            blockIsOpen = !has(NGHTTP2_FLAG_END_HEADERS)
            isAllowed = blockBytes <= limits.headerBlockBytesMax && (!isEmpty || emptyFrames.take(now: now))
        case NGHTTP2_CONTINUATION:
            // One that nothing comes before is nghttp2's to refuse.
            guard blockIsOpen else { return nil }
            blockBytes += length
            blockContinuations += 1
            blockIsOpen = !has(NGHTTP2_FLAG_END_HEADERS)
            isAllowed =
                blockBytes <= limits.headerBlockBytesMax && blockContinuations <= limits.continuationsMax
                && (length > 0 || !blockIsOpen || emptyFrames.take(now: now))
        case NGHTTP2_PRIORITY:
            // Priorities are not followed (RFC 9113 §5.3.2), so nghttp2 doesn't look at these frames.
            guard stream != 0 else { return .protocolError }
            guard length == 5 else { return .frameSizeError }
            // RFC 7540 §5.3.1
            guard streamIdentifier(at: Self.headerBytes) != stream else { return .protocolError }
            isAllowed = priorities.take(now: now)
        case NGHTTP2_RST_STREAM: isAllowed = resetsReceived.take(now: now)
        case NGHTTP2_SETTINGS: isAllowed = length <= limits.settingsEntriesMax * 6 && settings.take(now: now)
        case NGHTTP2_PING: isAllowed = pings.take(now: now)
        case NGHTTP2_WINDOW_UPDATE: isAllowed = windowUpdates.take(now: now)
        default: isAllowed = otherFrames.take(now: now)
        }
        return isAllowed ? nil : .enhanceYourCalm
    }
}
