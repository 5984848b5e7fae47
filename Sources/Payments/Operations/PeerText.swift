internal import Glibc
internal import Values

/// What may be shown of a text that a peer chose, such as a path or a field that the gateway only passes on: no account
/// number and no session id, in percent-encoding neither, and no more than a line of a log should hold.
public enum PeerText {
    /// Characters of a text that are shown; the characters are Unicode scalars.
    public static let charactersMax = 500
    /// Characters behind those, which may tell that they are to be masked: no account number and no session id is longer,
    /// though each of its characters were percent-encoded.
    private static let masksReach = 128

    private static let mask = "…"

    /// The text, with what may not be shown hidden.
    ///
    /// A path is noted as it was sent, and so are the texts of replies that quote it. So a text is examined with its
    /// percent-encoding decoded, too.
    ///
    /// - Parameter count: how many characters are shown.
    public static func shown(_ text: String, cutTo count: Int = charactersMax) -> String {
        guard text.utf8.count > count || !text.withUTF8Bytes(isShownWhole) else { return text }
        let looked = beginning(of: text, shownTo: count)
        let decoded = looked.percentDecoded
        var shown = masked(decoded)
        // As it was sent, unless that would show what was hidden.
        if shown == decoded { shown = looked == decoded ? shown : masked(looked) }
        guard shown.unicodeScalars.count > count else { return shown }
        return String(shown.unicodeScalars.prefix(count)) + mask
    }

    /// As much of a text as ``shown(_:cutTo:)`` looks at, for those who show it later.
    public static func beginning(of text: String, shownTo count: Int) -> String {
        guard text.utf8.count > count + masksReach else { return text }
        return String(text.unicodeScalars.prefix(count + masksReach))
    }

    /// A quick check whether all of a text, in UTF-8, may be shown. Most texts are so, and this is all that
    /// they cost.
    public static func isShownWhole(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count <= charactersMax else { return false }
        // In so few bytes there is neither an account number nor a session id, whatever their encoding.
        guard text.count >= String.accountNumberDigitsMin else { return true }
        // No branch in the loop, so that many bytes are compared in one step.
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

    /// Hides the middle of what looks like a session id: `SESSION` with 20 letters and digits or more behind it.
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
    /// Lends the string's UTF-8.
    fileprivate func withUTF8Bytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        // The strings of this platform are UTF-8 in one piece, so that nothing is copied.
        var text = self
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    /// The text with each octet in percent-encoding in place of its three characters; everything else stays.
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
    /// Whether `SESSION` stands in it.
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
