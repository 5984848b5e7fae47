import ApplePay
import Payments
import TestSupport
import Testing
import Values
import Vault

struct SealingTests {
    private static let text = SecretBytes(Array(#"{"number":"5123450000000008"}"#.utf8))

    private static func owner(
        _ id: String = "SESSION1", purpose: SealingPurpose = .session, merchant: String = "TESTMERCHANT"
    ) throws -> SealedOwner {
        SealedOwner(purpose, merchant: try MerchantID(merchant), id: id)
    }

    @Test(arguments: [0, 1, 31, 33, 63, 65 * 32])
    func `a ring is one to sixty-four keys of thirty-two bytes`(count: Int) {
        #expect(KeyRing(SecretBytes([UInt8](repeating: 1, count: count))) == nil)
    }

    @Test(arguments: [1, 2, 64])
    func `what was sealed is opened for its owner`(count: Int) throws {
        let ring = try KeyRing.test(count: count)
        for text in [Self.text, SecretBytes([])] {
            #expect(try ring.open(ring.seal(text, for: Self.owner()), of: Self.owner()) == text)
        }
    }

    @Test func `a sealed text has the documented length, shows nothing, and never looks alike twice`() throws {
        let ring = try KeyRing.test()
        let sealed = ring.seal(Self.text, for: try Self.owner())
        #expect(sealed.count == 1 + 8 + 12 + Self.text.count + 16)
        #expect(sealed[0] == 1)
        let again = ring.seal(Self.text, for: try Self.owner())
        #expect(sealed.prefix(9) == again.prefix(9))
        #expect(sealed[9..<21] != again[9..<21])
        #expect(sealed[21...] != again[21...])
        #expect(!String(decoding: sealed, as: UTF8.self).contains("5123"))
    }

    @Test func `every altered byte is noticed`() throws {
        let ring = try KeyRing.test()
        let sealed = ring.seal(Self.text, for: try Self.owner())
        for position in sealed.indices {
            var altered = sealed
            altered[position] ^= 1
            let fault: SealingFault =
                switch position {
                case 0: .malformed
                case 1...8: .unknownKey
                default: .notAuthentic
                }
            #expect(throws: fault) { try ring.open(altered, of: Self.owner()) }
        }
    }

    @Test func `every shortened or lengthened text is noticed`() throws {
        let ring = try KeyRing.test()
        let sealed = ring.seal(Self.text, for: try Self.owner())
        for count in sealed.indices {
            #expect(throws: count < 37 ? SealingFault.malformed : .notAuthentic) {
                try ring.open(Array(sealed[..<count]), of: Self.owner())
            }
        }
        #expect(throws: SealingFault.notAuthentic) { try ring.open(sealed + [0], of: Self.owner()) }
    }

    @Test(arguments: [
        ("SESSION2", SealingPurpose.session, "TESTMERCHANT"), ("SESSION1", .cardToken, "TESTMERCHANT"),
        ("SESSION1", .session, "TESTOTHER"), ("", .session, "TESTMERCHANT"), ("SESSION1", .session, "TESTMERCHAN"),
    ])
    func `a text that was moved to another owner is refused`(
        id: String, purpose: SealingPurpose, merchant: String
    ) throws {
        let ring = try KeyRing.test()
        let sealed = ring.seal(Self.text, for: try Self.owner())
        #expect(throws: SealingFault.notAuthentic) {
            try ring.open(sealed, of: Self.owner(id, purpose: purpose, merchant: merchant))
        }
    }

    @Test func `another installation's key opens nothing`() throws {
        let sealed = try KeyRing.test().seal(Self.text, for: try Self.owner())
        let other = try #require(KeyRing(SecretBytes([UInt8](repeating: 1, count: 32))))
        #expect(throws: SealingFault.unknownKey) { try other.open(sealed, of: Self.owner()) }
        // A text that claims this key is none of its either.
        let own = other.seal(Self.text, for: try Self.owner())
        #expect(throws: SealingFault.notAuthentic) { try other.open(Array(own[..<9]) + sealed[9...], of: Self.owner()) }
    }

    @Test func `after a rotation the earlier key still opens, and the new one seals`() throws {
        let before = try KeyRing.test()
        let after = try KeyRing.test(count: 3)
        let sealed = before.seal(Self.text, for: try Self.owner())
        #expect(try after.open(sealed, of: Self.owner()) == Self.text)
        let fresh = after.seal(Self.text, for: try Self.owner())
        #expect(fresh[1..<9] != sealed[1..<9])
        #expect(throws: SealingFault.unknownKey) { try before.open(fresh, of: Self.owner()) }
    }

    @Test func `after a rotation requests and payment tokens are still recognised`() throws {
        let identifier = try #require(TransactionIdentifier(hexadecimal: String(repeating: "c1", count: 32).utf8))
        let recognitions = try [1, 2, 64].map { try KeyRing.test(count: $0).recognition }
        for recognition in recognitions {
            #expect(recognition.digest(of: identifier) == (try InstallationKey.test.digest(of: identifier)))
            let fingerprint = try InstallationKey.test.fingerprint(ofParameters: SecretText("parameters"))
            #expect(recognition.fingerprint(ofParameters: SecretText("parameters")) == fingerprint)
        }
    }

    @Test func `what is sealed is opened by later programs`() throws {
        // Python: HKDFExpand(SHA256, 32, info).derive(bytes(range(32))) for the identifier and the key, and
        // AESGCM(key).encrypt(bytes(12), b"text", head + b"session\0TESTMERCHANT\0SESSION1") with the head in front.
        let sealed = try #require(
            Hexadecimal.decoded(
                Array("01ab272808faed2666000000000000000000000000e07308f600fc5fe06eeb3d00e2babd1ecda0cfc3".utf8)))
        #expect(try KeyRing.test().open(sealed, of: Self.owner()) == SecretBytes(Array("text".utf8)))
    }

    @Test func `neither keys nor their number of bytes are printed`() throws {
        let ring = try KeyRing.test(count: 2)
        var dumped = ""
        dump(ring, to: &dumped)
        #expect("\(ring)" == "2 keys")
        #expect(!dumped.contains("secret") && !dumped.contains("["))
    }
}
