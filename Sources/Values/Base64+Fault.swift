extension Base64 {
    /// Why a string is not base64 in the accepted form.
    public enum Fault: Equatable, Sendable {
        /// The string contains `-` or `_` of the URL-safe alphabet (RFC 4648 §5).
        case urlAlphabet
        /// The string contains a space, the result of decoding `+` as part of a form that was not form-encoded.
        case space
        /// The string contains `%`, as in percent-encoding.
        case percentEncoding
        /// The string contains a byte that is not in the base64 alphabet.
        case foreignByte
        /// The string has `=` in the middle, or the wrong number of them for its length. Omitting all is accepted.
        case padding
        /// Characters are missing at the end: no bytes have this encoded length, or unused bits at the end are set.
        case cut
    }

    /// The most likely fault of a string that ``decoded(_:)-(UnsafeRawBufferPointer)`` does not accept.
    package static func fault(in text: UnsafeRawBufferPointer) -> Fault {
        var paddingCount = 0
        var sextetCount = 0
        var isPaddingInside = false
        for byte in text {
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: "_"): return .urlAlphabet
            case UInt8(ascii: " "): return .space
            case UInt8(ascii: "%"): return .percentEncoding
            case UInt8(ascii: "="): paddingCount += 1
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"): break
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
                sextetCount += 1
                isPaddingInside = isPaddingInside || paddingCount > 0
            default: return .foreignByte
            }
        }
        if isPaddingInside { return .padding }
        let paddingWanted = [0: 0, 2: 2, 3: 1][sextetCount % 4]
        return paddingCount == 0 || paddingCount == paddingWanted || paddingWanted == nil ? .cut : .padding
    }
}

extension Base64.Fault: CustomStringConvertible {
    /// The fault, as a phrase to follow "is not base64: ".
    public var description: String {
        switch self {
        case .urlAlphabet: "it is in the alphabet for URLs, with - and _ for + and /"
        case .space: "there is a space in it, as if + had been decoded as part of a form"
        case .percentEncoding: "it is percent-encoded"
        case .foreignByte: "there is a character in it that base64 does not have"
        case .padding: "its padding is incomplete or in the middle (none at all is accepted)"
        case .cut: "characters at its end are missing"
        }
    }
}
