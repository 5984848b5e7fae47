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
        var bytes = path.utf8[...]
        if let questionMark = bytes.firstIndex(of: UInt8(ascii: "?")) {
            query = String(Substring(bytes[bytes.index(after: questionMark)...]))
            bytes = bytes[..<questionMark]
        } else {
            query = nil
        }
        guard bytes.first == UInt8(ascii: "/") else { throw .notAbsolute }
        var segments: [String] = []
        for raw in bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            segments.append(try Self.decode(raw))
        }
        self.segments = segments
    }

    /// Decodes the percent-encoding of one segment or one part of a query, strictly and once. `+` stays `+`.
    public static func decode(_ raw: Substring.UTF8View) throws(Malformed) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(raw.count)
        var index = raw.startIndex
        while index != raw.endIndex {
            var byte = raw[index]
            raw.formIndex(after: &index)
            if byte == UInt8(ascii: "%") {
                guard let high = Self.hexDigit(in: raw, at: &index), let low = Self.hexDigit(in: raw, at: &index) else {
                    throw .badPercentEncoding
                }
                byte = high << 4 | low
            }
            guard byte >= 0x20, byte != 0x7F else { throw .controlCharacter }
            decoded.append(byte)
        }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .notUTF8 }
        return text
    }

    private static func hexDigit(in raw: Substring.UTF8View, at index: inout Substring.UTF8View.Index) -> UInt8? {
        guard index != raw.endIndex else { return nil }
        defer { raw.formIndex(after: &index) }
        return Octet.hexValue(raw[index])
    }
}
