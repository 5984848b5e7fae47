public import HTTPTypes

/// Why an HTTP/1.1 request was refused. After a refusal the framing of what follows can't be trusted, so the
/// connection is always closed.
public enum HTTP1Refusal: Error, Hashable, Sendable, CaseIterable {
    // Lines (RFC 9112 §2.2)
    /// A line that ends in LF without CR before it.
    case bareLineFeed
    /// A CR that no LF follows.
    case bareCarriageReturn

    // Request line (RFC 9112 §3)
    /// Not `method SP target SP version`.
    case malformedRequestLine
    /// A method that is no token.
    case malformedMethod
    /// A target in none of the forms of RFC 9112 §3.2, or with an octet that no URI contains.
    case malformedTarget
    /// A version that is not `HTTP/digit.digit`.
    case malformedVersion
    /// A version other than 1.0 and 1.1.
    case unsupportedVersion
    /// `CONNECT`: this is no proxy.
    case unsupportedMethod
    /// A request line beyond ``HTTP1Limits/requestLineBytesMax``.
    case requestLineTooLong

    // Fields (RFC 9112 §5)
    /// A field line without a colon.
    case malformedFieldLine
    /// Space or tab between field name and colon.
    case spaceBeforeColon
    /// Nothing before the colon.
    case emptyFieldName
    /// A field name that is no token.
    case malformedFieldName
    /// A control character in a field value.
    case malformedFieldValue
    /// A line that begins with space or tab.
    case foldedFieldLine
    /// Fields beyond ``HTTP1Limits/headerBytesMax``, ``HTTP1Limits/headerCountMax`` or
    /// ``HTTP1Limits/trailerBytesMax``.
    case fieldsTooLarge

    // Host (RFC 9112 §3.2)
    /// HTTP/1.1 without `Host`.
    case missingHost
    /// More than one `Host`.
    case repeatedHost
    /// A `Host` or authority that is not `host[:port]`.
    case malformedHost

    // Framing (RFC 9112 §6)
    /// A `Content-Length` that is not decimal digits alone.
    case malformedContentLength
    /// More than one `Content-Length`, equal or not.
    case repeatedContentLength
    /// `PUT` with neither `Content-Length` nor `Transfer-Encoding`.
    case lengthRequired
    /// `Content-Length` beside `Transfer-Encoding`.
    case contentLengthWithTransferEncoding
    /// `Transfer-Encoding` that is not a list of tokens.
    case malformedTransferEncoding
    /// `Transfer-Encoding` in HTTP/1.0.
    case transferEncodingInHTTP10
    /// `chunked` anywhere but once at the end.
    case chunkedNotLast
    /// A transfer coding other than `chunked`.
    case unsupportedTransferCoding
    /// An `Expect` other than `100-continue`.
    case unsupportedExpectation
    /// Content beyond ``HTTP1Limits/bodyBytesMax``.
    case bodyTooLarge

    // Chunks (RFC 9112 §7.1)
    /// A chunk size that is not hexadecimal digits alone, or that overflows 63 bits.
    case malformedChunkSize
    /// Something other than `;` after the chunk size, or a control character.
    case malformedChunkExtension
    /// A chunk-size line beyond ``HTTP1Limits/chunkLineBytesMax``.
    case chunkLineTooLong
    /// Extensions beyond ``HTTP1Limits/chunkExtensionBytesMax``.
    case chunkExtensionsTooLarge
    /// Chunk data that no CRLF follows.
    case missingChunkEnd

    /// The status that answers the refused request.
    public var status: HTTPResponse.Status {
        switch self {
        case .lengthRequired: .lengthRequired
        case .requestLineTooLong: .uriTooLong
        case .fieldsTooLarge: .requestHeaderFieldsTooLarge
        case .bodyTooLarge: .contentTooLarge
        case .unsupportedExpectation: .expectationFailed
        case .unsupportedMethod, .unsupportedTransferCoding: .notImplemented
        case .unsupportedVersion: .init(code: 505, reasonPhrase: "HTTP Version Not Supported")
        case .bareLineFeed, .bareCarriageReturn, .malformedRequestLine, .malformedMethod, .malformedTarget,
            .malformedVersion, .malformedFieldLine, .spaceBeforeColon, .emptyFieldName, .malformedFieldName,
            .malformedFieldValue, .foldedFieldLine, .missingHost, .repeatedHost, .malformedHost,
            .malformedContentLength, .repeatedContentLength, .contentLengthWithTransferEncoding,
            .malformedTransferEncoding, .transferEncodingInHTTP10, .chunkedNotLast, .malformedChunkSize,
            .malformedChunkExtension, .chunkLineTooLong, .chunkExtensionsTooLarge, .missingChunkEnd:
            .badRequest
        }
    }
}
