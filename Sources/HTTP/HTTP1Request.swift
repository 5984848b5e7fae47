public import HTTPTypes

/// A request received over HTTP/1.1.
public struct HTTP1Request: Sendable, Equatable {
    /// The method, target and fields.
    public var head: HTTPRequest
    /// The content.
    public var content: WipedBuffer
    /// The fields that authenticate the client.
    public var credentials: CredentialFields
    /// Whether the client wants to send more requests on this connection (RFC 9112 §9.3).
    public var keepsAlive: Bool
    /// Whether the client uses HTTP/1.0 instead of HTTP/1.1.
    public var isHTTP10: Bool

    /// An unwiped copy of the content.
    public var body: [UInt8] { content.withUnsafeBytes { Array($0) } }
}
