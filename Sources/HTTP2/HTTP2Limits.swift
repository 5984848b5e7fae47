/// Bounds on what one HTTP/2 connection may take; all inclusive. Beyond one that names no other reaction, the connection
/// ends with GOAWAY and `ENHANCE_YOUR_CALM`.
public struct HTTP2Limits: Sendable, Hashable {
    // Settings that the peer receives (RFC 9113 §6.5.2)

    /// Streams open at once (`SETTINGS_MAX_CONCURRENT_STREAMS`), and apart from them requests in flight. Beyond the first:
    /// `REFUSED_STREAM`, and `PROTOCOL_ERROR` once the peer has acknowledged the setting; beyond the second, requests wait.
    /// Default 100.
    public var concurrentStreamsMax = 100
    /// Bytes of content that a stream may have sent unacknowledged (`SETTINGS_INITIAL_WINDOW_SIZE`). Default 64 KiB.
    public var streamWindowBytes = 64 * 1024
    /// Bytes of content that all streams together may have sent unacknowledged. Default 1 MiB.
    public var connectionWindowBytes = 1024 * 1024
    /// Bytes of one frame's payload (`SETTINGS_MAX_FRAME_SIZE`), 16 KiB to 16 MiB - 1; beyond: `FRAME_SIZE_ERROR`.
    /// Default 16 KiB.
    public var frameBytesMax = 16 * 1024
    /// Bytes of the table of header fields that our encoder uses, whatever the peer allows. The peer is asked to use none
    /// (`SETTINGS_HEADER_TABLE_SIZE`); one that doesn't heed that may use as many. Default 4 KiB.
    public var headerTableBytesMax = 4 * 1024

    // One request

    /// Bytes of a header list, or of a trailer list, each field counted with 32 bytes more
    /// (`SETTINGS_MAX_HEADER_LIST_SIZE`); beyond: 431. Default 32 KiB.
    public var headerListBytesMax = 32 * 1024
    /// Fields of a header list, or of a trailer list; beyond: 431. Default 100.
    public var headerCountMax = 100
    /// Bytes of a header list that are decoded for the sake of the compression's state after it was found too large.
    /// Default 128 KiB.
    public var decodedHeaderBytesMax = 128 * 1024
    /// Bytes of the frames' payloads that make one header block. Default 64 KiB.
    public var headerBlockBytesMax = 64 * 1024
    /// CONTINUATION frames after one HEADERS frame. Default 8.
    public var continuationsMax = 8
    /// Bytes of `:path`; beyond: 414. Default 8 KiB.
    public var pathBytesMax = 8 * 1024
    /// Bytes of content; beyond: 413. Default 1 MiB.
    public var bodyBytesMax = 1024 * 1024

    // The connection

    /// Bytes of header lists and content of requests that no handler has been given; the stream that goes beyond gets
    /// `REFUSED_STREAM`. Default 2 MiB.
    public var waitingRequestBytesMax = 2 * 1024 * 1024
    /// Bytes of responses that the peer does not take before the next request is handled. One response may overshoot.
    /// Default 1 MiB.
    public var waitingResponseBytesMax = 1024 * 1024
    /// Bytes that may wait to be sent before no more are made and no more are read. Default 64 KiB.
    public var outputBytesMax = 64 * 1024
    /// Entries of one SETTINGS frame. Default 32.
    public var settingsEntriesMax = 32

    // Frames that ask for work and bring none; each kind apart

    /// RST_STREAM frames received (CVE-2023-44487).
    public var resetsReceived = HTTP2Rate(burst: 200, perSecond: 20)
    /// RST_STREAM frames that the peer's faults have us send (CVE-2019-9514, CVE-2025-8671).
    public var resetsSent = HTTP2Rate(burst: 100, perSecond: 10)
    /// PING frames (CVE-2019-9512).
    public var pings = HTTP2Rate(burst: 100, perSecond: 10)
    /// SETTINGS frames (CVE-2019-9515).
    public var settings = HTTP2Rate(burst: 20, perSecond: 2)
    /// PRIORITY frames (CVE-2019-9513).
    public var priorities = HTTP2Rate(burst: 200, perSecond: 50)
    /// WINDOW_UPDATE frames; each DATA frame of at least ``paidDataBytesMin`` that is sent allows two more
    /// (CVE-2019-9511, CVE-2019-9517).
    public var windowUpdates = HTTP2Rate(burst: 1000, perSecond: 1000)
    /// Frames without content that end nothing: DATA, HEADERS, CONTINUATION (CVE-2019-9518).
    public var emptyFrames = HTTP2Rate(burst: 100, perSecond: 10)
    /// Frames of types that mean nothing to a server.
    public var otherFrames = HTTP2Rate(burst: 200, perSecond: 20)
    /// Bytes of a DATA frame that we send for which it makes room in ``windowUpdates``. Default 512.
    public var paidDataBytesMin = 512

    // Time

    /// Seconds from the start to the end of the peer's preface, from the start to the end of a header block, and to the
    /// acknowledgement of our settings. Default 10.
    public var headerTimeoutSeconds = 10
    /// Seconds from the end of a header block to the end of the content; beyond: 408. Default 20.
    public var bodyTimeoutSeconds = 20
    /// Seconds in which the peer must take a response, and in which the connection must take what is to be sent; beyond the
    /// first: `CANCEL`. Default 20.
    public var writeTimeoutSeconds = 20
    /// Seconds, and no more than a window's bytes, for which the content of a request that is already answered is discarded
    /// before its stream is reset with `NO_ERROR`. Default 1.
    public var lingerTimeoutSeconds = 1
    /// Seconds without a request; then GOAWAY with `NO_ERROR`. Default 60.
    public var idleTimeoutSeconds = 60
    /// Seconds that a peer, told that the connection will end, has to send requests that it began before it knew; a PING that
    /// comes back ends them earlier (RFC 9113 §6.8). Default 1.
    public var stopTimeoutSeconds = 1

    /// The defaults.
    public init() {}
}

/// How often something may happen: some at once, and some more every second.
public struct HTTP2Rate: Sendable, Hashable {
    /// How many at once.
    public var burst: Int
    /// How many more every second, up to the burst.
    public var perSecond: Int

    /// Makes a rate.
    public init(burst: Int, perSecond: Int) {
        self.burst = burst
        self.perSecond = perSecond
    }
}
