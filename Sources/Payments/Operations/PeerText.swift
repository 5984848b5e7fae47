internal import Glibc
internal import Values

/// Masks and shortens a string from a peer, such as a path, for logs and errors: no account number and no session id
/// remains, not even percent-encoded, and the result fits on one line of a log.
public enum PeerText {
    /// The default maximum number of characters shown, in Unicode scalars.
    public static let charactersMax = 500
    /// The number of characters after the shown ones that are examined as well. No account number and no session id
    /// is longer, even if each of its characters is percent-encoded.
    private static let masksReach = 128

    private static let mask = "…"

    /// The string with account numbers and session ids masked.
    ///
    /// Paths are logged as they were sent, and replies quote them. So the string is also examined with its
    /// percent-encoding decoded.
    ///
    /// - Parameter count: the maximum number of characters shown.
    public static func shown(_ text: String, cutTo count: Int = charactersMax) -> String {
        guard text.utf8.count > count || !text.withUTF8Bytes(isShownWhole) else { return text }
        let looked = beginning(of: text, shownTo: count)
        let decoded = looked.percentDecoded
        var shown = masked(decoded)
        // The original spelling, unless it would show a masked value.
        if shown == decoded { shown = looked == decoded ? shown : masked(looked) }
        guard shown.unicodeScalars.count > count else { return shown }
        return String(shown.unicodeScalars.prefix(count)) + mask
    }

    /// The prefix of a string that ``shown(_:cutTo:)`` examines, for callers that show it later.
    public static func beginning(of text: String, shownTo count: Int) -> String {
        guard text.utf8.count > count + masksReach else { return text }
        return String(text.unicodeScalars.prefix(count + masksReach))
    }

    /// A quick check whether a UTF-8 string can be shown unchanged. This is true for most strings, and then no other
    /// check is needed.
    public static func isShownWhole(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count <= charactersMax else { return false }
        // A string this short contains neither an account number nor a session id in any encoding.
        guard text.count >= String.accountNumberDigitsMin else { return true }
        // The loop has no branch, so that the compiler can vectorize it.
        var digits = 0
        var percentSigns = 0
        for byte in text {
            digits &+= byte &- UInt8(ascii: "0") < 10 ? 1 : 0
            percentSigns |= byte == UInt8(ascii: "%") ? 1 : 0
        }
        guard percentSigns == 0, digits < String.accountNumberDigitsMin || !text.mayHoldAccountNumber else {
            return false
        }
        return !text.holdsSessionPrefix
    }

    private static func masked(_ text: String) -> String {
        let masked = text.maskingAccountNumbers()
        return masked.withUTF8Bytes(\.holdsSessionPrefix) ? maskingSessions(masked) : masked
    }

    /// Masks the middle of a possible session id: `SESSION` followed by at least 20 letters and digits.
    private static func maskingSessions(_ text: String) -> String {
        let prefix = "SESSION".utf8
        var masked: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let first = rest.first {
            guard rest.starts(with: prefix) else {
                masked.append(first)
                rest.removeFirst()
                continue
            }
            let id = rest.prefix(while: \.isLetterOrDigit)
            rest = rest.dropFirst(id.count)
            masked += id.count >= prefix.count + 20 ? Array(prefix) + Array(mask.utf8) + id.suffix(4) : Array(id)
        }
        return String(decoding: masked, as: UTF8.self)
    }
}

extension String {
    /// Calls a closure with the string's UTF-8, valid only during the call.
    fileprivate func withUTF8Bytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        // Strings are contiguous UTF-8 on this platform, so nothing is copied.
        var text = self
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    /// The string with each percent-encoded octet decoded; everything else is unchanged.
    fileprivate var percentDecoded: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return self }
        var decoded: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            guard byte == UInt8(ascii: "%"), digits.count == 2 else {
                decoded.append(byte)
                continue
            }
            decoded.append(UInt8(digits[0] << 4 | digits[1]))
            rest.removeFirst(2)
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the string contains `SESSION`.
    fileprivate var holdsSessionPrefix: Bool {
        var rest = self
        while let start = rest.baseAddress, let found = memchr(start, Int32(UInt8(ascii: "S")), rest.count) {
            rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(found) - start)...])
            if rest.starts(with: "SESSION".utf8) { return true }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
        }
        return false
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
