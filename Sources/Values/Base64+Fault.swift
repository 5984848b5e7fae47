extension Base64 {
    /// Why text is not base 64 in the form that is read here.
    public enum Fault: Equatable, Sendable {
        /// `-` or `_` of the alphabet for URLs (RFC 4648 §5).
        case urlAlphabet
        /// A space, which is what a `+` becomes where a form is decoded that was not encoded.
        case space
        /// A `%`, with which URLs escape what they may not hold.
        case percentEncoding
        /// Another byte than base 64 has.
        case foreignByte
        /// `=` in the middle, or another number of them than the length asks for; none at all would do.
        case padding
        /// A length that no bytes have, or bits at the end that stand for nothing: characters are missing.
        case cut
    }

    /// The likeliest fault of text that ``decoded(_:)-(UnsafeRawBufferPointer)`` does not read.
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
    /// What is wrong, to be put behind "is not base64: ".
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
