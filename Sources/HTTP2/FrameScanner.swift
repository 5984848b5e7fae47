internal import CNghttp2
internal import HTTPTypes

/// Parses the frame headers in the peer's bytes before nghttp2 does. Stops before a frame that exceeds a limit which
/// nghttp2 doesn't have, or breaks a rule that nghttp2 doesn't check.
///
/// It processes every frame, including those that nghttp2 ignores silently.
struct FrameScanner {
    /// The error that ended the scan.
    struct Violation: Error, Equatable {
        let code: HTTP2ErrorCode
        /// The position of the frame in the bytes; 0 if it began in earlier bytes.
        let offset: Int
    }

    /// A frame whose stream the owner must check: DATA, or HEADERS that don't begin a new stream.
    struct StreamFrame: Equatable {
        let stream: Int32
        let isData: Bool
        /// The position of the frame in the bytes; 0 if it began in earlier bytes.
        let offset: Int
    }

    private enum Position {
        /// Within the 24 bytes of the client's preface.
        case preface(left: Int)
        /// Within a frame's header and the parsed part of its payload; `count` bytes have been read.
        case header(count: Int)
        /// Within the rest of a payload.
        case payload(left: Int)
    }

    private static let headerBytes = 9

    private let limits: HTTP2Limits
    private var position = Position.preface(left: Int(NGHTTP2_CLIENT_MAGIC_LEN))
    /// The frame's header, and up to 5 bytes of its payload.
    private var header: InlineArray<14, UInt8> = .init(repeating: 0)

    /// The highest stream identifier for which HEADERS were received.
    private(set) var lastStream: Int32 = 0

    // The state of the header block that is open: HEADERS without END_HEADERS.
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

    /// Whether the received bytes end within the preface, a header block, or a frame other than DATA.
    var isWithinControl: Bool {
        if blockIsOpen { return true }
        switch position {
        case .preface: return true
        case .header(let count): return count > 0
        case .payload: return type != NGHTTP2_DATA
        }
    }

    /// Allows two more WINDOW_UPDATE frames for a DATA frame that was sent: one for the stream and one for the
    /// connection.
    mutating func allowWindowUpdates() { windowUpdates.give(2) }

    /// Scans the bytes from an index to the next frame whose stream the owner must check, or to the end.
    ///
    /// - Parameter index: the position in the bytes, which this advances.
    /// - Returns: the frame; nil at the end of the bytes.
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
            // nghttp2 refuses even stream identifiers.
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

    /// The number of parsed payload bytes: padding length and stream dependency.
    private var prefixBytes: Int {
        switch type {
        case NGHTTP2_DATA: min(length, has(NGHTTP2_FLAG_PADDED) ? 1 : 0)
        case NGHTTP2_HEADERS: min(length, (has(NGHTTP2_FLAG_PADDED) ? 1 : 0) + (has(NGHTTP2_FLAG_PRIORITY) ? 4 : 0))
        case NGHTTP2_PRIORITY: min(length, 4)
        default: 0
        }
    }

    /// Whether a DATA or HEADERS frame contains only padding and priority.
    private var isEmpty: Bool {
        let isPadded = has(NGHTTP2_FLAG_PADDED) && length > 0
        let priorityBytes = type == NGHTTP2_HEADERS && has(NGHTTP2_FLAG_PRIORITY) ? 5 : 0
        return length <= priorityBytes + (isPadded ? 1 + Int(header[Self.headerBytes]) : 0)
    }

    /// The error with which the frame ends the connection; nil if it is accepted.
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
            // nghttp2 refuses a CONTINUATION without preceding HEADERS.
            guard blockIsOpen else { return nil }
            blockBytes += length
            blockContinuations += 1
            blockIsOpen = !has(NGHTTP2_FLAG_END_HEADERS)
            isAllowed =
                blockBytes <= limits.headerBlockBytesMax && blockContinuations <= limits.continuationsMax
                && (length > 0 || !blockIsOpen || emptyFrames.take(now: now))
        case NGHTTP2_PRIORITY:
            // Priorities are ignored (RFC 9113 §5.3.2), so nghttp2 doesn't check these frames.
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
