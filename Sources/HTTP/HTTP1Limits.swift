/// Limits on one HTTP/1.1 request; all inclusive.
public struct HTTP1Limits: Sendable, Hashable {
    /// The maximum size of the request line in bytes, without its CRLF; beyond it, 414. RFC 9112 §3 recommends at least
    /// 8,000. Default 8 KiB.
    public var requestLineBytesMax = 8 * 1024
    /// The maximum size of all header field lines and the empty line after them, in bytes with their CRLFs; beyond it,
    /// 431. Default 32 KiB.
    public var headerBytesMax = 32 * 1024
    /// The maximum number of header fields and, counted separately, of trailer fields; beyond it, 431. Default 100.
    public var headerCountMax = 100
    /// The maximum size of the content in bytes, with transfer codings removed; beyond it, 413. Default 1 MiB.
    public var bodyBytesMax = 1024 * 1024
    /// The maximum size of one chunk-size line with its extensions, in bytes without its CRLF; beyond it, 400. Default
    /// 256.
    public var chunkLineBytesMax = 256
    /// The maximum size of all chunk extensions of one request, in bytes; beyond it, 400. Default 4 KiB.
    public var chunkExtensionBytesMax = 4 * 1024
    /// The maximum size of all trailer field lines and the empty line after them, in bytes with their CRLFs; beyond it,
    /// 431. Default 8 KiB.
    public var trailerBytesMax = 8 * 1024
    /// The maximum number of received bytes that wait, unparsed, while a request is in flight (pipelining). Beyond it,
    /// reading is suspended until the response. One read may exceed it. Default 64 KiB.
    public var pipelinedBytesMax = 64 * 1024
    /// The number of unsent response bytes from which no further pipelined request is handled. One response may exceed
    /// it. Default 64 KiB.
    public var outputBytesMax = 64 * 1024

    /// Creates the default limits.
    public init() {}
}
