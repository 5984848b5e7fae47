import OpenSSL
import Testing

struct SignatureVectorTests {
    /// The order of P-256's points (FIPS 186-4 D.1.2.3).
    private static let order = hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")

    /// RFC 6979 A.2.5: the key, and its signature of "sample" with SHA-256.
    private static let point = hex(
        "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
            + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")
    private static let r = hex("efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716")
    private static let s = hex("f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8")

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, UInt8(content.count)] + content }

    /// An INTEGER in DER (X.690 §8.3): no byte more than it needs, and a zero in front if it would be negative
    /// otherwise.
    private static func integer(_ number: [UInt8]) -> [UInt8] {
        let digits = Array(number.drop { $0 == 0 })
        let needsZero = digits.first.map { $0 >= 0x80 } ?? true
        return element(0x02, (needsZero ? [0] : []) + digits)
    }

    private static func signature(_ r: [UInt8], _ s: [UInt8]) -> [UInt8] {
        element(0x30, integer(r) + integer(s))
    }

    /// The sum of two numbers of 32 bytes, in 33.
    private static func sum(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
        var carry: UInt16 = 0
        var digits: [UInt8] = []
        for (left, right) in zip(one.reversed(), other.reversed()) {
            carry += UInt16(left) + UInt16(right)
            digits.append(UInt8(truncatingIfNeeded: carry))
            carry >>= 8
        }
        return [UInt8(carry)] + digits.reversed()
    }

    private static func verify(_ signature: [UInt8], of message: [UInt8], _ point: [UInt8] = point) throws {
        let key = try PublicKey(p256Point: point)
        try signature.withUnsafeBytes { signature in
            try message.withUnsafeBytes { try key.verify(signature, of: $0) }
        }
    }

    @Test(arguments: SignatureVector.nist + SignatureVector.edge)
    func `a signature is valid or not, as its source says`(vector: SignatureVector) throws {
        let signature = Self.signature(hex(vector.r), hex(vector.s))
        let point = [0x04] + hex(vector.x) + hex(vector.y)
        if vector.isValid {
            try Self.verify(signature, of: hex(vector.message), point)
        } else {
            #expect(throws: OpenSSLError.signatureInvalid) {
                try Self.verify(signature, of: hex(vector.message), point)
            }
        }
    }

    @Test func `no vector is lost, valid or not`() {
        let lists = [SignatureVector.nist, SignatureVector.edge]
        #expect(lists.map { $0.filter(\.isValid).count } == [3, 9])
        #expect(lists.map(\.count) == [15, 12])
    }

    @Test func `RFC 6979's signature is valid`() throws {
        try Self.verify(Self.signature(Self.r, Self.s), of: "sample".bytes)
        #expect(throws: OpenSSLError.signatureInvalid) {
            try Self.verify(Self.signature(Self.r, Self.s), of: "test".bytes)
        }
        #expect(throws: OpenSSLError.signatureInvalid) {
            try Self.verify(Self.signature(Self.s, Self.r), of: "sample".bytes)
        }
    }

    /// RFC 6979 A.2.5: the same key's signatures of "sample" with SHA-1, SHA-224, SHA-384 and SHA-512.
    @Test(arguments: [
        (
            "61340c88c3aaebeb4f6d667f672ca9759a6ccaa9fa8811313039ee4a35471d32",
            "6d7f147dac089441bb2e2fe8f7a3fa264b9c475098fdcf6e00d7c996e1b8b7eb"
        ),
        (
            "53b2fff5d1752b2c689df257c04c40a587fababb3f6fc2702f1343af7ca9aa3f",
            "b9afb64fdc03dc1a131c7d2386d11e349f070aa432a4acc918bea988bf75c74c"
        ),
        (
            "0eafea039b20e9b42309fb1d89e213057cbf973dc0cfc8f129edddc800ef7719",
            "4861f0491e6998b9455193e34e7b0d284ddd7149a74b95b9261f13abde940954"
        ),
        (
            "8496a60b5e9b47c825488827e0495b0e3fa109ec4568fd3f8d1097678eb97f00",
            "2362ab1adbe2b8adf9cb9edab740ea6049c028114f2460f96554f61fae3302fe"
        ),
    ])
    func `a signature over another hash is refused`(r: String, s: String) {
        #expect(throws: OpenSSLError.signatureInvalid) {
            try Self.verify(Self.signature(hex(r), hex(s)), of: "sample".bytes)
        }
    }

    /// Numbers out of 1…n-1 in place of r, of s, or of both (SEC 1 §4.1.4 step 1; CVE-2022-21449 was their acceptance).
    static let outOfRange: [[UInt8]] = [
        [0], order, sum(order, [UInt8](repeating: 0, count: 31) + [1]), sum(order, r), sum(order, s),
        hex("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"), [UInt8](repeating: 0xFF, count: 32),
        [1] + [UInt8](repeating: 0, count: 32), [1] + r, [1] + s, [UInt8](repeating: 0xFF, count: 48),
    ]

    @Test(arguments: outOfRange)
    func `a number out of range is refused, in either place and in both`(number: [UInt8]) {
        for (r, s) in [(number, Self.s), (Self.r, number), (number, number), (number, [1]), ([1], number)] {
            #expect(throws: OpenSSLError.signatureInvalid) {
                try Self.verify(Self.signature(r, s), of: "sample".bytes)
            }
        }
    }

    /// The two numbers of a valid signature in other bytes than DER's, or in another structure.
    static let otherForms: [(String, [UInt8])] = {
        let (one, two) = (integer(r), integer(s))
        let content = one + two
        let long = Array(content.dropFirst(2))
        return [
            ("nothing", []), ("an empty sequence", [0x30, 0]), ("a tag alone", [0x30]),
            ("length in long form", [0x30, 0x81, UInt8(content.count)] + content),
            ("length in two bytes", [0x30, 0x82, 0, UInt8(content.count)] + content),
            ("indefinite length", [0x30, 0x80] + content + [0, 0]),
            ("an integer's length in long form", element(0x30, [0x02, 0x81, one[1]] + one[2...] + two)),
            ("an integer's length in long form, the second", element(0x30, one + [0x02, 0x81, two[1]] + two[2...])),
            ("a zero too many before r", element(0x30, element(0x02, [0] + one[2...]) + two)),
            ("a zero too many before s", element(0x30, one + element(0x02, [0] + two[2...]))),
            ("negative r", element(0x30, element(0x02, r) + two)),
            ("negative s", element(0x30, one + element(0x02, s))),
            ("a byte behind", element(0x30, content) + [0]), ("another behind", element(0x30, content) + [0x05, 0]),
            ("a byte inside, behind", element(0x30, content + [0])),
            ("NULL inside, behind", element(0x30, content + [0x05, 0])),
            ("three numbers", element(0x30, content + two)),
            ("r alone", element(0x30, one)), ("s left empty", element(0x30, one + [0x02, 0])),
            ("r left empty", element(0x30, [0x02, 0] + two)), ("both left empty", element(0x30, [0x02, 0, 0x02, 0])),
            ("a SET", element(0x31, content)), ("primitive", element(0x10, content)),
            ("OCTET STRINGs", element(0x30, element(0x04, r) + element(0x04, s))),
            ("NULLs", element(0x30, [0x05, 0, 0x05, 0])), ("BOOLEANs", element(0x30, [0x01, 1, 0, 0x01, 1, 0])),
            ("REALs", element(0x30, [0x09, 1, 0x40, 0x09, 1, 0x40])), ("no sequence", content), ("half of it", long),
            ("in an OCTET STRING", element(0x04, element(0x30, content))),
            ("in another sequence", element(0x30, element(0x30, content))), ("IEEE P1363", r + s),
            ("length of all the memory there is", [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF] + content),
            ("length above 64 bits", [0x30, 0x89] + [UInt8](repeating: 0xFF, count: 9) + content),
            ("length one too small", [0x30, UInt8(content.count - 1)] + content),
            ("length one too large", [0x30, UInt8(content.count + 1)] + content),
            ("s cut", element(0x30, one + element(0x02, two[2...].dropLast()))),
            ("zeros", [UInt8](repeating: 0, count: 72)),
        ]
    }()

    @Test(arguments: otherForms)
    func `the two numbers have one form`(name: String, signature: [UInt8]) {
        #expect(throws: OpenSSLError.signatureInvalid) { try Self.verify(signature, of: "sample".bytes) }
    }

    @Test func `every bit of a signature counts`() {
        let signature = Self.signature(Self.r, Self.s)
        for index in signature.indices {
            for bit in 0..<8 {
                var altered = signature
                altered[index] ^= 1 << bit
                #expect(throws: OpenSSLError.signatureInvalid, "bit \(bit) of byte \(index)") {
                    try Self.verify(altered, of: "sample".bytes)
                }
            }
        }
    }
}
