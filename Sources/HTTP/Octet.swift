/// The octet classes of HTTP's grammar, looked up in one table.
enum Octet {
    /// RFC 9110 §5.6.2: `tchar`.
    static func isToken(_ byte: UInt8) -> Bool { classes[Int(byte)] & token != 0 }
    /// RFC 9110 §5.5: `field-vchar`, space and tab; obs-text is opaque data.
    static func isFieldValue(_ byte: UInt8) -> Bool { classes[Int(byte)] & fieldValue != 0 }
    /// RFC 3986 §2 with `%`, without `#`, `[` and `]`: what path and query consist of.
    static func isPathOrQuery(_ byte: UInt8) -> Bool { classes[Int(byte)] & pathOrQuery != 0 }
    /// RFC 3986 §3.2.2: what `reg-name` consists of, `%` included.
    static func isRegisteredName(_ byte: UInt8) -> Bool { classes[Int(byte)] & registeredName != 0 }

    /// The value of a hexadecimal digit.
    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// ASCII letters in lower case, everything else as it is.
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    private static let token: UInt8 = 1
    private static let fieldValue: UInt8 = 2
    private static let pathOrQuery: UInt8 = 4
    private static let registeredName: UInt8 = 8

    private static let classes: [UInt8] = {
        var classes = [UInt8](repeating: 0, count: 256)
        func mark(_ bytes: some Sequence<UInt8>, _ flags: UInt8) {
            for byte in bytes { classes[Int(byte)] |= flags }
        }
        let alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        mark(alphanumeric.utf8, token | pathOrQuery | registeredName)
        mark("!#$%&'*+-.^_`|~".utf8, token)
        mark("-._~!$&'()*+,;=%".utf8, pathOrQuery | registeredName)
        mark(":@/?".utf8, pathOrQuery)
        mark(0x20...0x7E, fieldValue)
        mark(0x80...0xFF, fieldValue)
        mark([0x09], fieldValue)
        return classes
    }()
}
