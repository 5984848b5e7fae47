public import HTTPTypes

/// Why an HTTP/1.1 request was refused. After a refusal the end of the request is uncertain, so the connection is
/// always closed.
public enum HTTP1Refusal: Error, Hashable, Sendable, CaseIterable {
    // Lines (RFC 9112 §2.2)
    /// A line ends in LF without a preceding CR.
    case bareLineFeed
    /// A CR is not followed by LF.
    case bareCarriageReturn

    // Request line (RFC 9112 §3)
    /// The request line is not `method SP target SP version`.
    case malformedRequestLine
    /// The method is not a token.
    case malformedMethod
    /// The target has none of the forms of RFC 9112 §3.2, or contains an octet that is not allowed in a URI.
    case malformedTarget
    /// The version is not `HTTP/digit.digit`.
    case malformedVersion
    /// The version is neither 1.0 nor 1.1.
    case unsupportedVersion
    /// The method is `CONNECT`, which is for proxies.
    case unsupportedMethod
    /// The request line exceeds ``HTTP1Limits/requestLineBytesMax``.
    case requestLineTooLong

    // Fields (RFC 9112 §5)
    /// A field line has no colon.
    case malformedFieldLine
    /// There is a space or tab between field name and colon.
    case spaceBeforeColon
    /// A field name is empty.
    case emptyFieldName
    /// A field name is not a token.
    case malformedFieldName
    /// A field value contains a control character.
    case malformedFieldValue
    /// A field line begins with space or tab.
    case foldedFieldLine
    /// The fields exceed ``HTTP1Limits/headerBytesMax``, ``HTTP1Limits/headerCountMax`` or
    /// ``HTTP1Limits/trailerBytesMax``.
    case fieldsTooLarge

    // Host (RFC 9112 §3.2)
    /// An HTTP/1.1 request has no `Host`.
    case missingHost
    /// There is more than one `Host`.
    case repeatedHost
    /// A `Host` or authority is not `host[:port]`.
    case malformedHost

    // Framing (RFC 9112 §6)
    /// `Content-Length` is not only decimal digits.
    case malformedContentLength
    /// There is more than one `Content-Length`, equal or not.
    case repeatedContentLength
    /// A `PUT` has neither `Content-Length` nor `Transfer-Encoding`.
    case lengthRequired
    /// There are both `Content-Length` and `Transfer-Encoding`.
    case contentLengthWithTransferEncoding
    /// `Transfer-Encoding` is not a list of tokens.
    case malformedTransferEncoding
    /// An HTTP/1.0 request has `Transfer-Encoding`.
    case transferEncodingInHTTP10
    /// `chunked` is repeated or not the last coding.
    case chunkedNotLast
    /// A transfer coding is not `chunked`.
    case unsupportedTransferCoding
    /// `Expect` is not `100-continue`.
    case unsupportedExpectation
    /// The content exceeds ``HTTP1Limits/bodyBytesMax``.
    case bodyTooLarge

    // Chunks (RFC 9112 §7.1)
    /// A chunk size is not only hexadecimal digits, or overflows 63 bits.
    case malformedChunkSize
    /// The chunk size is followed by an octet other than `;`, or an extension contains a control character.
    case malformedChunkExtension
    /// A chunk-size line exceeds ``HTTP1Limits/chunkLineBytesMax``.
    case chunkLineTooLong
    /// The extensions exceed ``HTTP1Limits/chunkExtensionBytesMax``.
    case chunkExtensionsTooLarge
    /// Chunk data is not followed by CRLF.
    case missingChunkEnd

    /// The status of the response to the refused request.
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
