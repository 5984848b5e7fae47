/// The path of a request target, split at `/` and then decoded, and its query.
///
/// Each segment is decoded once and after splitting, so `%2F` never makes a segment and `%252F` stays `%2F`
/// (RFC 3986 §2.4). `.` and `..` are segments like any other: nothing here is a file.
public struct PathSegments: Sendable, Hashable {
    /// Why a path can't be used.
    public enum Malformed: Error, Hashable, Sendable {
        /// Does not begin with `/`.
        case notAbsolute
        /// `%` without two hexadecimal digits after it.
        case badPercentEncoding
        /// The decoded octets of a segment are not UTF-8.
        case notUTF8
        /// A decoded segment contains U+0000 to U+001F or U+007F.
        case controlCharacter
    }

    /// The decoded segments: `/` has one, empty; `/a/b` two; `/a/` two, the last empty.
    public let segments: [String]
    /// What follows the first `?`, as received; nil without `?`.
    public let query: String?

    /// Splits and decodes.
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
        // As many as the longest path of the API has.
        segments.reserveCapacity(10)
        var start = 1
        while start <= end {
            let slash = bytes.firstIndex(of: UInt8(ascii: "/"), in: start..<end) ?? end
            segments.append(try Self.decode(bytes.extracting(start..<slash)))
            start = slash + 1
        }
        self.segments = segments
    }

    /// Decodes the percent-encoding of one segment or one part of a query, strictly and once. `+` stays `+`.
    public static func decode(_ raw: Substring.UTF8View) throws(Malformed) -> String {
        try decode(Substring(raw).utf8.span)
    }

    private static func decode(_ raw: Span<UInt8>) throws(Malformed) -> String {
        for index in raw.indices {
            let byte = raw[index]
            guard byte != UInt8(ascii: "%") else { return try decode(raw, encodedFrom: index) }
            guard byte >= 0x20, byte != 0x7F else { throw .controlCharacter }
        }
        // A part of a text between two ASCII characters is a text.
        return raw.text
    }

    /// - Parameter encodedFrom: where the first `%` is.
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
