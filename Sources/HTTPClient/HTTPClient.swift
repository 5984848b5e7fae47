internal import Glibc
public import HTTP
public import HTTPTypes
public import OpenSSL
internal import Synchronization

/// Sends requests over HTTP/1.1, each on a connection of its own. A call blocks its thread.
///
/// The scheme, `http` or `https`, and the authority of a request say where it is sent. Over `https`, the server's chain
/// must end in an authority that is trusted, and match the host. Redirects are responses like others.
public final class HTTPClient: Sendable {
    private let timeout: Duration
    private let limits: HTTP1Limits
    /// What encrypted connections are made with; nil until it is needed.
    private let tls: Mutex<TLSContext?>

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - timeout: for one request, from connecting to the end of the response. The name lookup may take longer.
    ///   - contentBytesMax: the largest content of a response.
    ///   - tls: a client's context. Without one, the machine's authorities are trusted: those in the file that
    ///     `SSL_CERT_FILE` names, or in Debian's.
    public init(timeout: Duration, contentBytesMax: Int = 64 * 1024, tls: TLSContext? = nil) {
        self.timeout = timeout
        var limits = HTTP1Limits()
        limits.bodyBytesMax = contentBytesMax
        self.limits = limits
        self.tls = Mutex(tls)
    }

    /// Sends a request and returns the whole response.
    public func response(to request: Request) throws(HTTPClientError) -> Response {
        try exchange(request) { (parser) throws(HTTP1ResponseParser.Failure) in try parser.next() }
    }

    /// Sends a request and returns the status of the response. Nothing behind the status line matters.
    public func status(answering request: Request) throws(HTTPClientError) -> HTTPResponse.Status {
        try exchange(request) { (parser) throws(HTTP1ResponseParser.Failure) in
            do throws(HTTP1ResponseParser.Failure) { _ = try parser.next() } catch {
                guard parser.status != nil else { throw error }
            }
            return parser.status
        }
    }

    private func exchange<Result>(
        _ request: Request, until result: (inout HTTP1ResponseParser) throws(HTTP1ResponseParser.Failure) -> Result?
    ) throws(HTTPClientError) -> Result {
        var bytes: [UInt8] = []
        // They hold the request's credentials.
        defer { bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } } }
        do throws(HTTP1Writer.Unwritable) { try HTTP1Writer.append(request, to: &bytes) } catch {
            throw .malformedRequest
        }
        guard let origin = Origin(request.head) else { throw .malformedRequest }
        var parser = HTTP1ResponseParser(isHead: request.head.method == .head, limits: limits)
        let context = origin.isEncrypted ? try context() : nil
        let socket = try ClientSocket.connected(to: origin, until: .now.advanced(by: timeout))
        guard let context else { return try Self.exchange(bytes, over: socket, &parser, until: result) }
        var encrypted = EncryptedSocket(context, serverName: origin.host, over: socket)
        try encrypted.handshake()
        return try Self.exchange(bytes, over: encrypted, &parser, until: result)
    }

    private static func exchange<Result>(
        _ request: [UInt8], over stream: consuming some ByteStream & ~Copyable, _ parser: inout HTTP1ResponseParser,
        until result: (inout HTTP1ResponseParser) throws(HTTP1ResponseParser.Failure) -> Result?
    ) throws(HTTPClientError) -> Result {
        try stream.send(request)
        while true {
            let received = try stream.receive()
            if received.isEmpty { parser.appendEnd() } else { parser.append(received) }
            do throws(HTTP1ResponseParser.Failure) {
                if let result = try result(&parser) { return result }
            } catch {
                throw .noResponse(error)
            }
        }
    }

    private func context() throws(HTTPClientError) -> TLSContext {
        try tls.withLock { (tls) throws(HTTPClientError) in
            if let tls { return tls }
            let context = try TLSContext.trustingMachine()
            tls = context
            return context
        }
    }
}

/// The bytes of both sides of a connection.
protocol ByteStream: ~Copyable {
    /// Sends all bytes, unless the peer has closed: it may have answered before.
    mutating func send(_ bytes: [UInt8]) throws(HTTPClientError)
    /// Waits for bytes and returns some of them; empty at the end of the stream.
    mutating func receive() throws(HTTPClientError) -> [UInt8]
}
