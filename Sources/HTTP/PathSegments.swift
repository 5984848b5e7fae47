/// The path of a request target, split at `/` and then decoded, and its query.
///
/// Each segment is decoded once and after splitting, so `%2F` never separates segments and `%252F` becomes `%2F` (RFC
/// 3986 §2.4). `.` and `..` are ordinary segments, because paths don't name files here.
public struct PathSegments: Sendable, Hashable {
    /// Why a path is invalid.
    public enum Malformed: Error, Hashable, Sendable {
        /// The path does not begin with `/`.
        case notAbsolute
        /// A `%` is not followed by two hexadecimal digits.
        case badPercentEncoding
        /// The decoded octets of a segment are not UTF-8.
        case notUTF8
        /// A decoded segment contains U+0000 to U+001F or U+007F.
        case controlCharacter
    }

    /// The decoded segments: `/` has one, which is empty; `/a/b` has two; `/a/` has two, the last of which is empty.
    public let segments: [String]
    /// The part after the first `?`, as received; nil without `?`.
    public let query: String?

    /// Splits and decodes a path.
    ///
    /// - Parameter path: origin-form, such as `/order/10%2F7?limit=2`.
    public init(_ path: String) throws(Malformed) {
        let bytes = path.utf8.span
        var end = bytes.count
        if let questionMark = bytes.firstIndex(of: UInt8(ascii: "?"), in: 0..<end) {
            query = bytes.extracting(questionMark + 1..<end).text
            end = questionMark
        } else {
            query = nil
        }
        guard end > 0, bytes[0] == UInt8(ascii: "/") else { throw .notAbsolute }
        var segments: [String] = []
        // The number of segments of the API's longest path.
        segments.reserveCapacity(10)
        var start = 1
        while start <= end {
            let slash = bytes.firstIndex(of: UInt8(ascii: "/"), in: start..<end) ?? end
            segments.append(try Self.decode(bytes.extracting(start..<slash)))
            start = slash + 1
        }
        self.segments = segments
    }

    /// Decodes the percent-encoding of one segment or one part of a query, strictly and once. `+` is not decoded.
    public static func decode(_ raw: Substring.UTF8View) throws(Malformed) -> String {
        try decode(Substring(raw).utf8.span)
    }

    /// Encodes one segment: all octets but the unreserved characters of RFC 3986 §2.3.
    public static func encode(_ segment: String) -> String {
        var encoded = ""
        for byte in segment.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default: encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }

    private static func decode(_ raw: Span<UInt8>) throws(Malformed) -> String {
        for index in raw.indices {
            let byte = raw[index]
            guard byte != UInt8(ascii: "%") else { return try decode(raw, encodedFrom: index) }
            guard byte >= 0x20, byte != 0x7F else { throw .controlCharacter }
        }
        // A part of valid UTF-8 between two ASCII characters is valid UTF-8.
        return raw.text
    }

    /// - Parameter encodedFrom: the position of the first `%`.
    private static func decode(_ raw: Span<UInt8>, encodedFrom: Int) throws(Malformed) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(raw.count)
        for index in 0..<encodedFrom { decoded.append(raw[index]) }
        var index = encodedFrom
        while index < raw.count {
            var byte = raw[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard index + 1 < raw.count, let high = Octet.hexValue(raw[index]),
                    let low = Octet.hexValue(raw[index + 1])
                else { throw .badPercentEncoding }
                byte = high << 4 | low
                index += 2
            }
            guard byte >= 0x20, byte != 0x7F else { throw .controlCharacter }
            decoded.append(byte)
        }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .notUTF8 }
        return text
    }
}
