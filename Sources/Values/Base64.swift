internal import Glibc

/// Base64 (RFC 4648 §4) as used in payment tokens: the standard alphabet, line breaks anywhere, padding complete or
/// absent.
///
/// Other alphabets, spaces, padding in the middle, and set bits after the last byte (RFC 4648 §3.5) are refused, so
/// each value has only one encoding, except for line breaks and padding.
public enum Base64 {
    /// Decodes base64; nil if `text` is not in this form.
    public static func decoded(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        var wellFormed = true
        let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { output, count in
            let position = decodeQuartets(text, &output, &count)
            wellFormed = decodeRest(UnsafeRawBufferPointer(rebasing: text[position...]), &output, &count)
        }
        return wellFormed ? bytes : nil
    }

    /// The number of bytes in a base64 secret; nil if `text` is not in this form. The decoded bytes are wiped.
    public static func byteCount(ofSecret text: UnsafeRawBufferPointer) -> Int? { withDecoded(secret: text, \.count) }

    /// Decodes a base64 secret; nil if `text` is not in this form.
    public static func decodedSecret(_ text: UnsafeRawBufferPointer) -> SecretBytes? {
        withDecoded(secret: text) { SecretBytes(copying: $0) }
    }

    /// Calls the body with the decoded bytes, and wipes them after the call.
    private static func withDecoded<Result>(
        secret text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count / 4 * 3 + 3) { output in
            defer { if let start = output.baseAddress { explicit_bzero(start, output.count) } }
            var (output, count) = (output, 0)
            let position = decodeQuartets(text, &output, &count)
            let rest = UnsafeRawBufferPointer(rebasing: text[position...])
            guard decodeRest(rest, &output, &count) else { return nil }
            return body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<count]))
        }
    }

    /// Decodes groups of four characters up to the first group with any other character.
    ///
    /// - Returns: the number of characters read.
    private static func decodeQuartets(
        _ text: UnsafeRawBufferPointer, _ output: inout UnsafeMutableBufferPointer<UInt8>, _ count: inout Int
    ) -> Int {
        guard let first = text.baseAddress, let start = output.baseAddress else { return 0 }
        return quartetTable.withUnsafeBufferPointer { table in
            let groups = text.count / 4
            var group = 0
            while group < groups {
                let characters = first.loadUnaligned(fromByteOffset: group * 4, as: UInt32.self).littleEndian
                let three =
                    table[Int(characters & 0xFF)] | table[256 + Int(characters >> 8 & 0xFF)]
                    | table[512 + Int(characters >> 16 & 0xFF)] | table[768 + Int(characters >> 24)]
                guard three & foreignQuartet == 0 else { break }
                // The fourth byte is overwritten by the next group, or lies in the room reserved for an incomplete
                // group.
                UnsafeMutableRawPointer(start + group * 3).storeBytes(of: three.littleEndian, as: UInt32.self)
                group += 1
            }
            count = group * 3
            return group * 4
        }
    }

    /// Decodes the rest, which contains line breaks, padding or an incomplete group. Returns false if it is malformed.
    private static func decodeRest(
        _ text: UnsafeRawBufferPointer, _ output: inout UnsafeMutableBufferPointer<UInt8>, _ count: inout Int
    ) -> Bool {
        var sextets: UInt32 = 0
        var sextetCount = 0
        var paddingCount = 0
        for byte in text {
            let value = decodingTable[Int(byte)]
            if value < 64 {
                guard paddingCount == 0 else { return false }
                sextets = sextets << 6 | UInt32(value)
                sextetCount += 1
                if sextetCount & 3 == 0 {
                    output[count] = UInt8(truncatingIfNeeded: sextets >> 16)
                    output[count + 1] = UInt8(truncatingIfNeeded: sextets >> 8)
                    output[count + 2] = UInt8(truncatingIfNeeded: sextets)
                    count += 3
                    sextets = 0
                }
            } else if value == paddingMark {
                paddingCount += 1
            } else if value != lineBreakMark {
                return false
            }
        }
        return finish(sextets, sextetCount & 3, paddingCount, &output, &count)
    }

    /// Decodes base64; nil if `text` is not in this form.
    public static func decoded(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { decoded(UnsafeRawBufferPointer($0)) }
    }

    /// Decodes the last one to three sextets. Returns false if they are not a valid end.
    private static func finish(
        _ sextets: UInt32, _ sextetCount: Int, _ paddingCount: Int, _ output: inout UnsafeMutableBufferPointer<UInt8>,
        _ count: inout Int
    ) -> Bool {
        switch (sextetCount, paddingCount) {
        case (0, 0):
            return true
        case (2, 0), (2, 2):
            guard sextets & 0xF == 0 else { return false }
            output[count] = UInt8(truncatingIfNeeded: sextets >> 4)
            count += 1
            return true
        case (3, 0), (3, 1):
            guard sextets & 0x3 == 0 else { return false }
            output[count] = UInt8(truncatingIfNeeded: sextets >> 10)
            output[count + 1] = UInt8(truncatingIfNeeded: sextets >> 2)
            count += 2
            return true
        default:
            return false
        }
    }

    /// Encodes base64 with padding and without line breaks.
    public static func encoded(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(encodedCount(bytes.count))
        encode(bytes) { text.append($0) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Encodes a secret. The encoded characters are wiped with the last reference.
    public static func encodedSecret(_ bytes: UnsafeRawBufferPointer) -> SecretBytes {
        SecretBytes(count: encodedCount(bytes.count)) { text in
            var count = 0
            encode(bytes) { character in
                text[count] = character
                count += 1
            }
        }
    }

    private static func encodedCount(_ byteCount: Int) -> Int { (byteCount + 2) / 3 * 4 }

    private static func encode(_ bytes: some Collection<UInt8>, _ append: (UInt8) -> Void) {
        var group: UInt32 = 0
        var byteCount = 0
        for byte in bytes {
            group = group << 8 | UInt32(byte)
            byteCount += 1
            if byteCount == 3 {
                encode(group, sextetCount: 4, append)
                group = 0
                byteCount = 0
            }
        }
        if byteCount > 0 { encode(group << (8 * (3 - UInt32(byteCount))), sextetCount: byteCount + 1, append) }
    }

    private static func encode(_ group: UInt32, sextetCount: Int, _ append: (UInt8) -> Void) {
        for position in 0..<4 {
            let sextet = Int(group >> (18 - 6 * UInt32(position)) & 63)
            append(position < sextetCount ? alphabet[sextet] : UInt8(ascii: "="))
        }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let paddingMark: UInt8 = 64
    private static let lineBreakMark: UInt8 = 128
    private static let foreignMark: UInt8 = 192
    /// The mark in a group's value that a character is not in the alphabet.
    private static let foreignQuartet: UInt32 = 1 << 24
    /// The contribution of each of a group's four characters to the group's three bytes, with the first byte in the
    /// lowest bits.
    private static let quartetTable: [UInt32] = (0..<4).flatMap { position in
        (0..<256).map { character in
            guard decodingTable[character] < 64 else { return foreignQuartet }
            return (UInt32(decodingTable[character]) << (18 - 6 * UInt32(position))).byteSwapped >> 8
        }
    }
    private static let decodingTable: [UInt8] = {
        var table = [UInt8](repeating: foreignMark, count: 256)
        for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(value) }
        table[Int(UInt8(ascii: "="))] = paddingMark
        table[Int(UInt8(ascii: "\r"))] = lineBreakMark
        table[Int(UInt8(ascii: "\n"))] = lineBreakMark
        return table
    }()
}
