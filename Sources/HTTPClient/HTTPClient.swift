internal import Glibc
public import HTTP
public import HTTPTypes
public import OpenSSL
internal import Synchronization

/// Sends requests over HTTP/1.1, each on its own connection. A call blocks its thread.
///
/// A request's scheme, `http` or `https`, and its authority determine the server. Over `https`, the server's
/// certificate chain must lead to a trusted authority, and the certificate must match the host. Redirects are not
/// followed.
public final class HTTPClient: Sendable {
    private let timeout: Duration
    private let limits: HTTP1Limits
    /// The TLS context for encrypted connections; nil until it is needed.
    private let tls: Mutex<TLSContext?>

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - timeout: the maximum time for one request, from connecting to the end of the response. The name lookup may
    ///     take longer.
    ///   - contentBytesMax: the maximum size of a response's content in bytes.
    ///   - tls: a client's TLS context. By default, the system's certificate authorities are trusted: those in the file
    ///     named by `SSL_CERT_FILE`, or Debian's.
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

    /// Sends a request and returns the status of the response. Everything after the status line is ignored.
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
        // The bytes include the request's credentials.
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

/// A two-way stream of bytes.
protocol ByteStream: ~Copyable {
    /// Sends all bytes. Stops without an error if the peer has closed the connection, because it may already have
    /// responded.
    mutating func send(_ bytes: [UInt8]) throws(HTTPClientError)
    /// Waits for bytes and returns them; returns an empty array at the end of the stream.
    mutating func receive() throws(HTTPClientError) -> [UInt8]
}
