/// Bounds on what one HTTP/1.1 request may take; all inclusive.
public struct HTTP1Limits: Sendable, Hashable {
    /// Bytes of the request line without its CRLF; beyond: 414. RFC 9112 §3 recommends at least 8,000. Default 8 KiB.
    public var requestLineBytesMax = 8 * 1024
    /// Bytes of all header field lines and the empty line after them, with their CRLFs; beyond: 431. Default 32 KiB.
    public var headerBytesMax = 32 * 1024
    /// Header fields, and apart from them trailer fields; beyond: 431. Default 100.
    public var headerCountMax = 100
    /// Bytes of content with transfer codings removed; beyond: 413. Default 1 MiB.
    public var bodyBytesMax = 1024 * 1024
    /// Bytes of one chunk-size line with its extensions, without its CRLF; beyond: 400. Default 256.
    public var chunkLineBytesMax = 256
    /// Bytes of all chunk extensions of one request; beyond: 400. Default 4 KiB.
    public var chunkExtensionBytesMax = 4 * 1024
    /// Bytes of all trailer field lines and the empty line after them, with their CRLFs; beyond: 431. Default 8 KiB.
    public var trailerBytesMax = 8 * 1024
    /// Received bytes that may wait, unparsed, behind a request in flight (pipelining); beyond, reading stops until
    /// it is answered. One read may overshoot. Default 64 KiB.
    public var pipelinedBytesMax = 64 * 1024
    /// Bytes of responses that may wait to be sent before the next pipelined request is handled. One response may
    /// overshoot. Default 64 KiB.
    public var outputBytesMax = 64 * 1024

    /// The defaults.
    public init() {}
}
