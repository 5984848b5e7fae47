import Foundation

/// A private key as bare base64 or hexadecimal digits in a text, told by the first bytes of its DER.
enum EncodedPrivateKey {
    /// The words of a text that begin such a key: the first line of it, if it is wrapped.
    static func words(in text: String) -> [String] {
        text.utf8.split { !isDigit($0) }
            .filter { $0.count >= 32 && (begins(fromBase64($0)[...]) || begins(fromHex($0)[...])) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a character is a digit of base64 in either alphabet of RFC 4648; those of hexadecimal are among them.
    private static func isDigit(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "+/-_".utf8.contains(character)
        }
    }

    /// Whether DER begins with an unencrypted `PrivateKeyInfo` (RFC 5958 §2), `RSAPrivateKey` (RFC 8017 §A.1.2) or
    /// `ECPrivateKey` (RFC 5915 §3): a sequence of a version and then an algorithm, the modulus or the scalar.
    private static func begins(_ der: ArraySlice<UInt8>) -> Bool {
        guard der.first == 0x30, let fields = content(der),
            fields.starts(with: [0x02, 0x01, 0x00]) || fields.starts(with: [0x02, 0x01, 0x01])
        else { return false }
        let field = fields.dropFirst(3)
        return switch field.first {
        case 0x30: content(field).map { $0.first == 0x06 && !$0.starts(with: fieldType) } ?? false
        // A modulus has more than 127 bytes; the second number of a signature whose first is 0 or 1 has less.
        case 0x02: field.dropFirst().first.map { $0 > 0x80 } ?? false
        case 0x04: true
        default: false
        }
    }

    /// How `ECParameters` (RFC 3279 §2.3.5) begin after their version instead: id-fieldType, 1.2.840.10045.1.
    private static let fieldType: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x01]

    /// What follows the tag and the length of a DER value, as far as there is any.
    private static func content(_ der: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let rest = der.dropFirst()
        guard let length = rest.first else { return nil }
        return rest.dropFirst(length < 0x80 ? 1 : 1 + Int(length - 0x80))
    }

    /// The bytes that the first digits stand for.
    private static func fromBase64(_ word: Substring.UTF8View) -> [UInt8] {
        let digits = String(decoding: word.prefix(min(word.count, 32) / 4 * 4), as: UTF8.self)
            .replacing("-", with: "+").replacing("_", with: "/")
        return Array(Data(base64Encoded: digits) ?? Data())
    }

    /// The bytes that the first digits stand for, up to one that is no hexadecimal digit.
    private static func fromHex(_ word: Substring.UTF8View) -> [UInt8] {
        let digits = Array(word.prefix(48)).map { Character(UnicodeScalar($0)).hexDigitValue }.prefix { $0 != nil }
            .compactMap { $0 }
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
