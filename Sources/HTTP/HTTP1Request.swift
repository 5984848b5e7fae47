public import HTTPTypes

/// A request as HTTP/1.1 delivered it.
public struct HTTP1Request: Sendable, Equatable {
    /// Method, target and fields.
    public var head: HTTPRequest
    /// The content.
    public var content: WipedBuffer
    /// The fields that authenticate the client.
    public var credentials: CredentialFields
    /// Whether the client wants to send more requests on this connection (RFC 9112 §9.3).
    public var keepsAlive: Bool
    /// Whether the client speaks HTTP/1.0, otherwise HTTP/1.1.
    public var isHTTP10: Bool

    /// The content. The copy is never wiped.
    public var body: [UInt8] { content.withUnsafeBytes { Array($0) } }
}
