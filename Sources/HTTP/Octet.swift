/// The octet classes of HTTP's grammar. Sets of ASCII octets are bit masks.
package enum Octet {
    /// RFC 9110 §5.6.2: `tchar`.
    package static func isToken(_ byte: UInt8) -> Bool {
        contains(byte, below64: 0x03FF_6CFA_0000_0000, from64: 0x57FF_FFFF_C7FF_FFFE)
    }
    /// RFC 9110 §5.5: `field-vchar`, space and tab; obs-text is opaque data.
    package static func isFieldValue(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == 0x09 }
    /// The octets of path and query: RFC 3986 §2 with `%`, without `#`, `[` and `]`.
    package static func isPathOrQuery(_ byte: UInt8) -> Bool {
        contains(byte, below64: 0xAFFF_FFF2_0000_0000, from64: 0x47FF_FFFE_87FF_FFFF)
    }
    /// RFC 3986 §3.2.2: the octets of `reg-name`, including `%`.
    package static func isRegisteredName(_ byte: UInt8) -> Bool {
        contains(byte, below64: 0x2BFF_7FF2_0000_0000, from64: 0x47FF_FFFE_87FF_FFFE)
    }

    /// The value of a hexadecimal digit.
    package static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Converts ASCII letters to lower case; returns all other octets unchanged.
    package static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    private static func contains(_ byte: UInt8, below64: UInt64, from64: UInt64) -> Bool {
        byte < 128 && (byte < 64 ? below64 : from64) >> UInt64(byte & 63) & 1 == 1
    }
}
