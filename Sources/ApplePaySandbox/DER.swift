/// Encodes elements in DER, and in BER with indefinite lengths. Apple mixes both in a token's signature.
enum DER {
    /// One element with a definite length in minimal form (X.690 §8.1.3).
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            switch count {
            case 0..<0x80: [UInt8(count)]
            case 0x80..<0x100: [0x81, UInt8(count)]
            default: [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
            }
        precondition(count < 0x10000, "no element of a token is longer")
        return [tag] + length + content
    }

    /// One constructed element of indefinite length, with the end-of-contents octets.
    static func indefinite(_ tag: UInt8, _ content: [UInt8]...) -> [UInt8] {
        [tag, 0x80] + content.flatMap { $0 } + [0, 0]
    }

    static func sequence(_ content: [UInt8]...) -> [UInt8] { element(0x30, content.flatMap { $0 }) }

    /// A SET OF, with its elements sorted by their encoding (X.690 §11.6).
    static func set(of elements: [[UInt8]]) -> [UInt8] {
        element(0x31, elements.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 })
    }

    static func octetString(_ content: [UInt8]) -> [UInt8] { element(0x04, content) }

    static func utf8String(_ text: String) -> [UInt8] { element(0x0C, Array(text.utf8)) }

    static func smallInteger(_ value: UInt8) -> [UInt8] {
        precondition(value < 0x80, "a positive integer of one byte")
        return [0x02, 1, value]
    }

    static let null: [UInt8] = [0x05, 0]

    static func context(_ number: UInt8, _ content: [UInt8]) -> [UInt8] { element(0xA0 | number, content) }

    /// An object identifier from its arcs.
    static func objectIdentifier(_ arcs: [UInt32]) -> [UInt8] {
        precondition(arcs.count >= 2 && arcs[0] <= 2 && (arcs[0] == 2 || arcs[1] < 40), "X.660")
        var content: [UInt8] = []
        for arc in [arcs[0] * 40 + arcs[1]] + arcs[2...] {
            var septets = [UInt8(arc & 0x7F)]
            var rest = arc >> 7
            while rest > 0 {
                septets.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            content += septets.reversed()
        }
        return element(0x06, content)
    }
}

/// The object identifiers in a token's signature, in DER.
enum SignatureIdentifier {
    static let data = DER.objectIdentifier([1, 2, 840, 113_549, 1, 7, 1])
    static let signedData = DER.objectIdentifier([1, 2, 840, 113_549, 1, 7, 2])
    static let contentType = DER.objectIdentifier([1, 2, 840, 113_549, 1, 9, 3])
    static let messageDigest = DER.objectIdentifier([1, 2, 840, 113_549, 1, 9, 4])
    static let signingTime = DER.objectIdentifier([1, 2, 840, 113_549, 1, 9, 5])
    /// RFC 6211.
    static let algorithmProtection = DER.objectIdentifier([1, 2, 840, 113_549, 1, 9, 52])
    static let sha256 = DER.objectIdentifier([2, 16, 840, 1, 101, 3, 4, 2, 1])
    static let ecdsaWithSHA256 = DER.objectIdentifier([1, 2, 840, 10045, 4, 3, 2])
    static let sha256WithRSAEncryption = DER.objectIdentifier([1, 2, 840, 113_549, 1, 1, 11])
}
