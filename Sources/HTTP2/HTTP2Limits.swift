/// Limits on one HTTP/2 connection; all inclusive. Exceeding a limit ends the connection with GOAWAY and
/// `ENHANCE_YOUR_CALM`, unless its description says otherwise.
public struct HTTP2Limits: Sendable, Hashable {
    // Settings sent to the peer (RFC 9113 §6.5.2)

    /// The maximum number of streams open at once (`SETTINGS_MAX_CONCURRENT_STREAMS`), and also of requests in flight.
    /// Further streams are refused with `REFUSED_STREAM`, or with `PROTOCOL_ERROR` once the peer has acknowledged the
    /// setting; further requests wait. Default 100.
    public var concurrentStreamsMax = 100
    /// The maximum number of unacknowledged content bytes on one stream (`SETTINGS_INITIAL_WINDOW_SIZE`). Default 64
    /// KiB.
    public var streamWindowBytes = 64 * 1024
    /// The maximum number of unacknowledged content bytes on all streams. Default 1 MiB.
    public var connectionWindowBytes = 1024 * 1024
    /// The maximum size of one frame's payload in bytes (`SETTINGS_MAX_FRAME_SIZE`), 16 KiB to 16 MiB - 1; beyond it,
    /// `FRAME_SIZE_ERROR`. Default 16 KiB.
    public var frameBytesMax = 16 * 1024
    /// The maximum size of the encoder's table of header fields in bytes, even if the peer allows more. The peer is
    /// asked not to use a table (`SETTINGS_HEADER_TABLE_SIZE` 0); if it ignores that, the same limit applies to its
    /// table. Default 4 KiB.
    public var headerTableBytesMax = 4 * 1024

    // Limits on one request

    /// The maximum size of a header or trailer list in bytes, plus 32 bytes per field
    /// (`SETTINGS_MAX_HEADER_LIST_SIZE`); beyond it, 431. Default 32 KiB.
    public var headerListBytesMax = 32 * 1024
    /// The maximum number of fields in a header or trailer list; beyond it, 431. Default 100.
    public var headerCountMax = 100
    /// The maximum size of a header list that is still decoded after it exceeded its limit, to keep the compression
    /// state, in bytes. Default 128 KiB.
    public var decodedHeaderBytesMax = 128 * 1024
    /// The maximum total payload of the frames of one header block, in bytes. Default 64 KiB.
    public var headerBlockBytesMax = 64 * 1024
    /// The maximum number of CONTINUATION frames after one HEADERS frame. Default 8.
    public var continuationsMax = 8
    /// The maximum size of `:path` in bytes; beyond it, 414. Default 8 KiB.
    public var pathBytesMax = 8 * 1024
    /// The maximum size of the content in bytes; beyond it, 413. Default 1 MiB.
    public var bodyBytesMax = 1024 * 1024

    // Limits on the connection

    /// The maximum number of bytes in header lists and content of requests that have not been passed to a handler. The
    /// stream that exceeds it is refused with `REFUSED_STREAM`. Default 2 MiB.
    public var waitingRequestBytesMax = 2 * 1024 * 1024
    /// The number of unsent response bytes from which no further request is handled. One response may exceed it.
    /// Default 1 MiB.
    public var waitingResponseBytesMax = 1024 * 1024
    /// The number of unsent output bytes from which no more output is produced and no more input is read. Default 64
    /// KiB.
    public var outputBytesMax = 64 * 1024
    /// The maximum number of entries in one SETTINGS frame. Default 32.
    public var settingsEntriesMax = 32

    // Limits on frames that cause work without carrying content; each kind has its own

    /// The rate of received RST_STREAM frames (CVE-2023-44487).
    public var resetsReceived = HTTP2Rate(burst: 200, perSecond: 20)
    /// The rate of RST_STREAM frames sent because of the peer's errors (CVE-2019-9514, CVE-2025-8671).
    public var resetsSent = HTTP2Rate(burst: 100, perSecond: 10)
    /// The rate of PING frames (CVE-2019-9512).
    public var pings = HTTP2Rate(burst: 100, perSecond: 10)
    /// The rate of SETTINGS frames (CVE-2019-9515).
    public var settings = HTTP2Rate(burst: 20, perSecond: 2)
    /// The rate of PRIORITY frames (CVE-2019-9513).
    public var priorities = HTTP2Rate(burst: 200, perSecond: 50)
    /// The rate of WINDOW_UPDATE frames. Each sent DATA frame of at least ``paidDataBytesMin`` allows two more
    /// (CVE-2019-9511, CVE-2019-9517).
    public var windowUpdates = HTTP2Rate(burst: 1000, perSecond: 1000)
    /// The rate of DATA, HEADERS and CONTINUATION frames without content that end nothing (CVE-2019-9518).
    public var emptyFrames = HTTP2Rate(burst: 100, perSecond: 10)
    /// The rate of frames whose types have no meaning for a server.
    public var otherFrames = HTTP2Rate(burst: 200, perSecond: 20)
    /// The minimum payload of a sent DATA frame that allows more ``windowUpdates``, in bytes. Default 512.
    public var paidDataBytesMin = 512

    // Deadlines

    /// The maximum time for the peer's preface, for a header block, and for the acknowledgement of the server's
    /// settings, each from its start, in seconds. Default 10.
    public var headerTimeoutSeconds = 10
    /// The maximum time from the end of a header block to the end of the content, in seconds; beyond it, 408. Default
    /// 20.
    public var bodyTimeoutSeconds = 20
    /// The maximum time for sending a response, and for sending the connection's waiting output, in seconds. A slow
    /// response is reset with `CANCEL`. Default 20.
    public var writeTimeoutSeconds = 20
    /// The time for which the content of an already answered request is discarded, in seconds, before its stream is
    /// reset with `NO_ERROR`. At most one window's bytes are discarded. Default 1.
    public var lingerTimeoutSeconds = 1
    /// The maximum time without a request, in seconds; then GOAWAY with `NO_ERROR`. Default 60.
    public var idleTimeoutSeconds = 60
    /// The time that a peer has, after the notice that the connection will end, to send requests that it began before,
    /// in seconds. The acknowledgement of a PING ends it earlier (RFC 9113 §6.8). Default 1.
    public var stopTimeoutSeconds = 1

    /// Creates the default limits.
    public init() {}
}

/// A rate limit: a burst, and a number of further events per second.
public struct HTTP2Rate: Sendable, Hashable {
    /// The maximum number of events at once.
    public var burst: Int
    /// The number of further events allowed per second, accumulated up to the burst.
    public var perSecond: Int

    /// Creates a rate.
    public init(burst: Int, perSecond: Int) {
        self.burst = burst
        self.perSecond = perSecond
    }
}
