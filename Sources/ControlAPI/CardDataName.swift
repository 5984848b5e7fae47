internal import Glibc

/// Names that payment software gives to what must not be shown, whatever their case and separators: `cvv2`, `card_number`,
/// `Card-PAN`, `track2Data`.
///
/// The merchants' API has none of these but in objects with names of the merchant's own; clients that were made for another
/// gateway send them.
enum CardDataName {
    /// What a name holds anywhere.
    private static let parts: [StaticString] = [
        "accountnumber", "cardnumber", "cardverification", "cryptogram", "cvc", "cvv", "passphrase", "passwd",
        "password", "securitycode",
    ]
    /// What a name is, without one of ``prefixes`` and one of ``suffixes``.
    private static let words: [StaticString] = [
        "cav", "cav2", "cc", "ccno", "ccnum", "ccnumber", "cardno", "cardnum", "cid", "csc", "cvn", "cvn2", "dpan",
        "fpan", "pan", "pin", "pinblock",
    ]
    private static let prefixes: [StaticString] = [
        "", "creditcard", "debitcard", "card", "payment", "payer", "customer",
    ]
    private static let suffixes: [StaticString] = ["", "number", "num", "no", "code", "value", "data", "digits"]
    /// No software has longer names.
    private static let byteCountMax = 128

    /// What a name tells, if it is one of these.
    static func meaning(of name: UnsafeRawBufferPointer) -> MemberName.Meaning? {
        guard name.count <= byteCountMax else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: byteCountMax + 1, alignment: 1) { buffer in
            var count = 0
            for byte in name {
                guard let kept = byte.lowercasedLetterOrDigit else { continue }
                buffer[count] = kept
                count += 1
            }
            buffer[count] = 0
            return meaning(of: LowercasedWord(bytes: UnsafeRawBufferPointer(rebasing: buffer[..<count])))
        }
    }

    private static func meaning(of name: LowercasedWord) -> MemberName.Meaning? {
        // The object of replies: `response.cardSecurityCode`.
        if name.bytes.count == 16, name.begins(with: "cardsecuritycode") { return .secretText }
        if name.begins(with: "track") { return .secret }
        for part in parts where name.holds(part) { return .secret }
        for prefix in prefixes where name.begins(with: prefix) {
            for suffix in suffixes where name.ends(with: suffix) {
                for word in words where name.isJoined(of: prefix, word, suffix) { return .secret }
            }
        }
        return nil
    }
}

/// The letters, in lower case, and the digits of a name, before a NUL. Compared by C functions, which cost little in debug
/// builds, too: every name of every member is asked for.
private struct LowercasedWord {
    let bytes: UnsafeRawBufferPointer

    func begins(with prefix: StaticString) -> Bool { has(prefix, at: 0) }

    func ends(with suffix: StaticString) -> Bool { has(suffix, at: bytes.count - suffix.utf8CodeUnitCount) }

    func holds(_ part: StaticString) -> Bool {
        guard let start = bytes.bindMemory(to: CChar.self).baseAddress else { return false }
        return part.withUTF8Buffer { part in
            part.withMemoryRebound(to: CChar.self) { part in
                part.baseAddress.map { strstr(start, $0) != nil } ?? false
            }
        }
    }

    func isJoined(of prefix: StaticString, _ word: StaticString, _ suffix: StaticString) -> Bool {
        let (prefixCount, wordCount) = (prefix.utf8CodeUnitCount, word.utf8CodeUnitCount)
        return prefixCount + wordCount + suffix.utf8CodeUnitCount == bytes.count && has(word, at: prefixCount)
    }

    private func has(_ text: StaticString, at offset: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard offset >= 0, offset + count <= bytes.count, let start = bytes.baseAddress else { return false }
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
