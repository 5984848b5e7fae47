/// Names that payment software gives to what must not be shown, whatever their case and separators: `cvv2`, `card_number`,
/// `Card-PAN`, `track2Data`.
///
/// The merchants' API has none of these but in objects with names of the merchant's own; clients that were made for another
/// gateway send them.
enum CardDataName {
    /// What a name holds anywhere.
    private static let parts = names([
        "accountnumber", "cardnumber", "cardverification", "cryptogram", "cvc", "cvv", "passphrase", "password",
        "passwd", "securitycode",
    ])
    /// What a name is, once one of ``before`` and one of ``after`` are taken away, or either.
    private static let words = names([
        "cav", "cav2", "cc", "ccno", "ccnum", "ccnumber", "cardno", "cardnum", "cid", "csc", "cvn", "cvn2", "dpan",
        "fpan",
        "pan", "pin", "pinblock",
    ])
    private static let before = names(["creditcard", "debitcard", "card", "payment", "payer", "customer"])
    private static let after = names(["number", "num", "no", "code", "value", "data", "digits"])
    private static let track = Array("track".utf8)
    /// The object of replies: `response.cardSecurityCode`.
    private static let result = Array("cardsecuritycode".utf8)
    /// Names that are longer are of no software's.
    private static let byteCountMax = 128

    private static func names(_ names: [String]) -> [[UInt8]] { names.map { Array($0.utf8) } }

    /// What a name tells, if it is one of these.
    static func meaning(of name: UnsafeRawBufferPointer) -> MemberName.Meaning? {
        guard name.count <= byteCountMax else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: byteCountMax) { buffer in
            var count = 0
            for byte in name {
                guard let kept = byte.lowercasedLetterOrDigit else { continue }
                buffer[count] = kept
                count += 1
            }
            return meaning(of: UnsafeBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// - Parameter word: letters in lower case, and digits.
    private static func meaning(of word: UnsafeBufferPointer<UInt8>) -> MemberName.Meaning? {
        guard !word.elementsEqual(result) else { return .secretText }
        return word.starts(with: track) || isWord(word[...]) || parts.contains(where: word.holds) ? .secret : nil
    }

    private static func isWord(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let starts = [0] + before.filter { name.starts(with: $0) }.map(\.count)
        let ends = [0] + after.filter { name.reversed().starts(with: $0.reversed()) }.map(\.count)
        return starts.contains { start in
            ends.contains { end in
                let core = name.dropFirst(start).dropLast(end)
                return words.contains { core.elementsEqual($0) }
            }
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func holds(_ part: [UInt8]) -> Bool {
        guard count >= part.count else { return false }
        return (0...(count - part.count)).contains { start in
            part.indices.allSatisfy { self[start + $0] == part[$0] }
        }
    }
}

extension UInt8 {
    fileprivate var lowercasedLetterOrDigit: UInt8? {
        if self &- UInt8(ascii: "0") < 10 { return self }
        let lowercased = self | 0x20
        return lowercased &- UInt8(ascii: "a") < 26 ? lowercased : nil
    }
}
