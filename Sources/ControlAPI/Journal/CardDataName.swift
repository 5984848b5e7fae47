internal import Glibc

/// Member names that payment software uses for card data that must not be shown, in any case and with any separators:
/// `cvv2`, `card_number`, `Card-PAN`, `track2Data`.
///
/// The merchants' API itself has no such names, except in objects whose member names the merchant chooses; clients
/// written for another gateway may send them. The journal checks every member name, so most names are ruled out quickly
/// by their pairs of neighbouring letters.
enum CardDataName {
    /// Patterns that may occur anywhere in a name.
    private static let parts = patterns([
        "accountnumber", "cardnumber", "cardverification", "cryptogram", "cvc", "cvv", "passphrase", "passwd",
        "password", "securitycode",
    ])
    /// Patterns that must be the whole name, apart from one of ``prefixes`` before and one of ``suffixes`` after it.
    private static let words = patterns([
        "cav", "cav2", "cc", "ccno", "ccnum", "ccnumber", "cardno", "cardnum", "cid", "csc", "cvn", "cvn2", "dpan",
        "fpan", "pan", "pin", "pinblock",
    ])
    private static let prefixes = patterns(["", "creditcard", "debitcard", "card", "payment", "payer", "customer"])
    private static let suffixes = patterns(["", "number", "num", "no", "code", "value", "data", "digits"])
    private static let track = CardDataPattern("track")
    /// An object of replies, which is not a secret: `response.cardSecurityCode`.
    private static let result = CardDataPattern("cardsecuritycode")
    /// The maximum length of a name that is checked, in bytes. No known software uses longer names.
    private static let byteCountMax = 128

    private static func patterns(_ texts: [StaticString]) -> [CardDataPattern] { texts.map(CardDataPattern.init) }

    /// The meaning of a name; nil if it is not a name of card data.
    static func meaning(of name: UnsafeRawBufferPointer) -> MemberName.Meaning? {
        guard name.count <= byteCountMax else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: byteCountMax + 1, alignment: 1) { buffer in
            var count = 0
            var pairs: UInt64 = 0
            for byte in name {
                guard let kept = byte.lowercasedLetterOrDigit else { continue }
                if count > 0 { pairs |= CardDataPattern.pair(buffer[count - 1], kept) }
                buffer[count] = kept
                count += 1
            }
            buffer[count] = 0
            return meaning(of: UnsafeRawBufferPointer(rebasing: buffer[..<count]), pairs)
        }
    }

    /// - Parameter name: letters in lower case and digits, followed by a NUL.
    private static func meaning(of name: UnsafeRawBufferPointer, _ pairs: UInt64) -> MemberName.Meaning? {
        if name.count == result.count, result.stands(in: name, at: 0) { return .secretText }
        if track.mayStand(among: pairs), track.stands(in: name, at: 0) { return .secret }
        for part in parts where part.mayStand(among: pairs) && part.stands(in: name) { return .secret }
        for word in words where word.mayStand(among: pairs) && isJoined(name, with: word) { return .secret }
        return nil
    }

    private static func isJoined(_ name: UnsafeRawBufferPointer, with word: CardDataPattern) -> Bool {
        for prefix in prefixes where word.stands(in: name, at: prefix.count) && prefix.stands(in: name, at: 0) {
            let end = prefix.count + word.count
            for suffix in suffixes where end + suffix.count == name.count && suffix.stands(in: name, at: end) {
                return true
            }
        }
        return false
    }
}

/// A pattern that is searched for in names. The search uses C functions, which are fast in debug builds, too.
private struct CardDataPattern: Sendable {
    private let text: StaticString
    /// The pattern's pairs of neighbouring characters as a bit set. A name that lacks one of the bits does not contain
    /// the pattern.
    private let pairs: UInt64
    let count: Int

    init(_ text: StaticString) {
        self.text = text
        count = text.utf8CodeUnitCount
        pairs = text.withUTF8Buffer { bytes in zip(bytes, bytes.dropFirst()).reduce(0) { $0 | Self.pair($1.0, $1.1) } }
    }

    /// The bit for a pair of neighbouring characters. Several pairs may share a bit.
    static func pair(_ first: UInt8, _ second: UInt8) -> UInt64 { 1 << UInt64((first &* 37 &+ second) & 63) }

    func mayStand(among pairs: UInt64) -> Bool { self.pairs & ~pairs == 0 }

    /// Whether the pattern occurs in a name, which ends with a NUL.
    func stands(in name: UnsafeRawBufferPointer) -> Bool {
        guard let start = name.bindMemory(to: CChar.self).baseAddress else { return false }
        return text.utf8Start.withMemoryRebound(to: CChar.self, capacity: count + 1) { strstr(start, $0) != nil }
    }

    func stands(in name: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        guard offset + count <= name.count, let start = name.baseAddress else { return false }
        return memcmp(start + offset, text.utf8Start, count) == 0
    }
}

extension UInt8 {
    fileprivate var lowercasedLetterOrDigit: UInt8? {
        if self &- UInt8(ascii: "0") < 10 { return self }
        let lowercased = self | 0x20
        return lowercased &- UInt8(ascii: "a") < 26 ? lowercased : nil
    }
}
