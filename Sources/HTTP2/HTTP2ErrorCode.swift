/// Why a stream or a connection ends (RFC 9113 §7).
public struct HTTP2ErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code on the wire.
    public let rawValue: UInt32

    /// Makes a code; unknown ones have no special meaning.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Nothing went wrong.
    public static let noError = Self(rawValue: 0x0)
    /// The protocol was broken.
    public static let protocolError = Self(rawValue: 0x1)
    /// The sender of the code is at fault.
    public static let internalError = Self(rawValue: 0x2)
    /// More content than the window allows.
    public static let flowControlError = Self(rawValue: 0x3)
    /// Settings were not acknowledged in time.
    public static let settingsTimeout = Self(rawValue: 0x4)
    /// A frame for a stream that had ended.
    public static let streamClosed = Self(rawValue: 0x5)
    /// A frame of a size that its type does not have.
    public static let frameSizeError = Self(rawValue: 0x6)
    /// Nothing was done for the stream; it may be tried again.
    public static let refusedStream = Self(rawValue: 0x7)
    /// The stream is no longer wanted.
    public static let cancel = Self(rawValue: 0x8)
    /// The header compression's state is lost.
    public static let compressionError = Self(rawValue: 0x9)
    /// The connection behind a CONNECT failed.
    public static let connectError = Self(rawValue: 0xA)
    /// The peer makes too much work.
    public static let enhanceYourCalm = Self(rawValue: 0xB)
    /// The transport is not secure enough.
    public static let inadequateSecurity = Self(rawValue: 0xC)
    /// The request needs HTTP/1.1.
    public static let http11Required = Self(rawValue: 0xD)

    /// The name that RFC 9113 gives the code, or its number.
    public var description: String {
        let names = [
            "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
            "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
            "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
        ]
        return Int(rawValue) < names.count ? names[Int(rawValue)] : "0x" + String(rawValue, radix: 16)
    }
}
