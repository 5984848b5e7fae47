internal import Glibc
public import HTTP
public import OpenSSL

/// Why there is no response. No case contains sent or received bytes.
public enum HTTPClientError: Error, Equatable, Sendable {
    /// The request's scheme is neither `http` nor `https`, its authority is not `host[:port]`, or its path or a field
    /// has a character that HTTP forbids.
    case malformedRequest
    /// The host has no address.
    ///
    /// - Parameter reason: the resolver's error message.
    case unknownHost(reason: String)
    /// A system call failed.
    case system(errno: Int32)
    /// The timeout has expired.
    case timeout
    /// The server closed the connection before TLS was established.
    case closedInHandshake
    /// TLS failed, or the server's certificate is not trusted.
    case tls(TLSFailure)
    /// No trusted authorities could be read.
    case noAuthorities(path: String, OpenSSLError)
    /// The received bytes are not a response, or the response is too large.
    case noResponse(HTTP1ResponseParser.Failure)
}

extension HTTPClientError: CustomStringConvertible {
    /// One line for a log.
    public var description: String {
        switch self {
        case .malformedRequest: "the request can't be written as HTTP/1.1"
        case .unknownHost(let reason): reason
        case .system(let code): String(cString: strerror(code))
        case .timeout: "no answer in time"
        case .closedInHandshake: "closed before TLS was established"
        case .tls(let failure): "TLS: \(failure)"
        case .noAuthorities(let path, let error): "\(path): no authorities to verify a server's certificate: \(error)"
        case .noResponse(.malformed): "the answer is not HTTP/1.1"
        case .noResponse(.tooLarge): "the answer is too large"
        case .noResponse(.truncated): "the answer ended too early"
        }
    }
}
