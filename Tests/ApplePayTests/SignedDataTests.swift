import OpenSSL
import TestSupport
import Testing
import Values

@testable import ApplePay
@testable import ApplePaySandbox

/// What the reader takes for a token's signature.
struct SignedDataTests {
    private let signer: TokenSigner
    private let attributes: SignerAttributes

    init() throws {
        signer = TokenSigner(try LocalMerchant().authority, of: .ellipticCurve, at: LocalMerchant.instant)
        attributes = SignerAttributes(
            messageDigest: [UInt8](repeating: 0x5A, count: 32), signingTime: LocalMerchant.instant,
            signatureAlgorithm: signer.signatureAlgorithm)
    }

    @Test func `a signature is read into what it says`() throws {
        let draft = try SignatureDraft(attributes, by: signer)
        let signedData = try SignedData(ber: draft.ber)
        #expect(signedData.certificates == signer.certificates.map(\.der))
        #expect(signedData.signerIssuer == signer.certificate.issuer)
        #expect(signedData.signerSerialNumber == signer.certificate.serialNumber)
        #expect(signedData.messageDigest == attributes.messageDigest)
        #expect(signedData.signingTime == attributes.signingTime)
        #expect(signedData.signedAttributes == attributes.der)
        #expect(signedData.signatureAlgorithm == .ecdsaWithSHA256)
        #expect(signedData.signature == draft.signers[0].signature)
    }

    @Test func `one larger than 16 KiB is not read`() {
        let bytes = DER.element(0x30, [UInt8](repeating: 0, count: 16_381))
        #expect(bytes.count == 16_385)
        #expect(throws: CMSFault.tooLarge) { try SignedData(ber: bytes) }
    }

    @Test func `four certificates are too many`() throws {
        var draft = try SignatureDraft(attributes, by: signer)
        draft.certificates += draft.certificates
        #expect(throws: CMSFault.tooManyCertificates) { try SignedData(ber: draft.ber) }
    }

    @Test func `two signers are one too many, and none too few`() throws {
        var draft = try SignatureDraft(attributes, by: signer)
        draft.signers.append(draft.signers[0])
        #expect(throws: CMSFault.severalSigners) { try SignedData(ber: draft.ber) }
        draft.signers = []
        #expect(throws: CMSFault.encoding(.truncated)) { try SignedData(ber: draft.ber) }
    }

    @Test func `attributes must be signed, and only signed ones may be there`() throws {
        var unsigned = try SignatureDraft(attributes, by: signer)
        unsigned.signers[0].unsignedAttributes = SignerAttributes.attribute(SignatureIdentifier.data, DER.null)
        #expect(throws: CMSFault.unsignedAttributes) { try SignedData(ber: unsigned.ber) }
        var without = try SignatureDraft(attributes, by: signer)
        without.signers[0].signedAttributes = nil
        #expect(throws: CMSFault.noSignedAttributes) { try SignedData(ber: without.ber) }
    }

    @Test(arguments: [UInt8(0x00), 0x80, 0xFF])
    func `bytes behind the signature are refused`(byte: UInt8) throws {
        let ber = try SignatureDraft(attributes, by: signer).ber
        #expect(throws: CMSFault.encoding(.trailingBytes)) { try SignedData(ber: ber + [byte]) }
    }

    /// A change to the encoding that keeps it well formed, and the fault that it must meet.
    static let changes: [(String, [UInt8], [UInt8], CMSFault)] = [
        ("enveloped data", SignatureIdentifier.signedData, objectIdentifier(7, 3), .notSignedData),
        ("version 3", [0x02, 0x01, 0x01, 0x31], [0x02, 0x01, 0x03, 0x31], .version),
        ("version of two bytes", [0x02, 0x01, 0x01, 0x31], [0x02, 0x02, 0x00, 0x01, 0x31], .version),
        ("the signer's version 3", [0x02, 0x01, 0x01, 0x30], [0x02, 0x01, 0x03, 0x30], .version),
        ("SHA-512", sha256, [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03], .digestAlgorithm),
        ("no digest", [0x31, 0x0D] + DER.sequence(sha256), [0x31, 0x00], .encoding(.truncated)),
        (
            "two digests", [0x31, 0x0D] + DER.sequence(sha256),
            [0x31, 0x1A] + DER.sequence(sha256) + DER.sequence(sha256), .encoding(.trailingBytes)
        ),
        (
            "digest parameters that are not NULL", [0x31, 0x0D, 0x30, 0x0B] + sha256,
            [0x31, 0x0F, 0x30, 0x0D] + sha256 + [0x30, 0x00],
            .encoding(.unexpectedTag(expected: 0x05, found: 0x30))
        ),
        (
            "digest parameters of NULL with content", [0x31, 0x0D, 0x30, 0x0B] + sha256,
            [0x31, 0x10, 0x30, 0x0E] + sha256 + [0x05, 0x01, 0x00], .digestAlgorithm
        ),
        ("content of another type", [0x30, 0x80] + data, [0x30, 0x80] + objectIdentifier(7, 3), .contentType),
        (
            "content of its own", [0x30, 0x80] + data,
            [0x30, 0x80] + data + DER.context(0, DER.octetString([0x5A])), .contentNotDetached
        ),
        ("no certificates", [0xA0, 0x80, 0x30, 0x82], [0xA1, 0x80, 0x30, 0x82], unexpected(0xA0, 0xA1)),
        (
            "a certificate of indefinite length", [0xA0, 0x80, 0x30, 0x82],
            [0xA0, 0x80, 0x30, 0x80, 0x00, 0x00, 0x30, 0x82], .encoding(.length)
        ),
        (
            "another signature algorithm", DER.sequence(SignatureIdentifier.ecdsaWithSHA256) + [0x04],
            DER.sequence([0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03]) + [0x04], .signatureAlgorithm
        ),
    ]

    private static let sha256 = SignatureIdentifier.sha256
    private static let data = SignatureIdentifier.data

    /// 1.2.840.113549.1 and two more arcs, as long as the ones that a signature has.
    private static func objectIdentifier(_ arcs: UInt32...) -> [UInt8] {
        DER.objectIdentifier([1, 2, 840, 113_549, 1] + arcs)
    }

    private static func unexpected(_ expected: UInt8, _ found: UInt8) -> CMSFault {
        .encoding(.unexpectedTag(expected: expected, found: found))
    }

    @Test(arguments: changes)
    func `another structure than Apple's is refused`(
        name: String, lawful: [UInt8], changed: [UInt8], fault: CMSFault
    ) throws {
        let ber = try SignatureDraft(attributes, by: signer).ber
        let altered = ber.replacing(lawful, with: changed, maxReplacements: 1)
        #expect(altered != ber)
        #expect(throws: fault) { try SignedData(ber: altered) }
    }

    @Test func `signed attributes of indefinite length are refused`() throws {
        var draft = try SignatureDraft(attributes, by: signer)
        draft.signers[0].signedAttributes = DER.indefinite(0x31, Array(attributes.der.dropFirst(3)))
        #expect(attributes.der[1] == 0x81)
        #expect(throws: CMSFault.encoding(.length)) { try SignedData(ber: draft.ber) }
    }

    @Test func `RSA's algorithm is read, with parameters of NULL`() throws {
        var draft = try SignatureDraft(attributes, by: signer)
        draft.signers[0].algorithm = DER.sequence(DER.objectIdentifier([1, 2, 840, 113_549, 1, 1, 11]), DER.null)
        #expect(try SignedData(ber: draft.ber).signatureAlgorithm == .sha256WithRSA)
        draft.signers[0].algorithm = DER.sequence(DER.objectIdentifier([1, 2, 840, 113_549, 1, 1, 11]))
        #expect(throws: CMSFault.encoding(.truncated)) { try SignedData(ber: draft.ber) }
        draft.signers[0].algorithm = DER.sequence(SignatureIdentifier.ecdsaWithSHA256, DER.null)
        #expect(throws: CMSFault.encoding(.trailingBytes)) { try SignedData(ber: draft.ber) }
    }

    @Test func `revocation lists are refused`() throws {
        let draft = try SignatureDraft(attributes, by: signer)
        let certificates = DER.indefinite(0xA0, draft.certificates.flatMap { $0 })
        let altered = draft.ber.replacing(certificates, with: certificates + [0xA1, 0x00])
        #expect(throws: CMSFault.revocationLists) { try SignedData(ber: altered) }
    }

    @Test func `SHA-256 may be named with parameters of NULL, as Apple did up to 2021`() throws {
        let ber = try SignatureDraft(attributes, by: signer).ber
        let altered = ber.replacing(
            [0x31, 0x0D, 0x30, 0x0B] + Self.sha256, with: [0x31, 0x0F, 0x30, 0x0D] + Self.sha256 + [0x05, 0x00])
        #expect(altered != ber)
        _ = try SignedData(ber: altered)
    }

    /// Attributes, each with the fault that a set of them alone must meet.
    static let sets: [([[UInt8]], CMSFault)] = {
        let type = SignerAttributes.attribute(SignatureIdentifier.contentType, SignatureIdentifier.data)
        let digest = SignerAttributes.attribute(
            SignatureIdentifier.messageDigest, DER.octetString([UInt8](repeating: 0, count: 32)))
        func time(_ values: [UInt8]...) -> [UInt8] {
            DER.sequence(SignatureIdentifier.signingTime, DER.set(of: values))
        }
        func time(_ tag: UInt8, _ text: String) -> [UInt8] { time(DER.element(tag, Array(text.utf8))) }
        let now = DER.utcTime(LocalMerchant.instant)
        return [
            ([], .attributeMissing), ([type, digest], .attributeMissing), ([type, time(now)], .attributeMissing),
            ([digest, time(now)], .attributeMissing), ([type, digest, time(now), digest], .attributeRepeated),
            ([type, digest, time(now), time(now)], .attributeRepeated),
            (
                [type, digest, time(now)]
                    + repeatElement(SignerAttributes.attribute(DER.objectIdentifier([1, 2, 3]), DER.null), count: 2),
                .attributeRepeated
            ),
            ([type, digest, time(now, now)], .attributeWithSeveralValues),
            ([type, digest, time()], .encoding(.truncated)),
            ([type, digest, time(DER.null)], .signingTime), ([type, digest, time(0x17, "")], .signingTime),
            ([type, digest, time(0x17, "2109011903Z")], .signingTime),
            ([type, digest, time(0x17, "21090119030aZ")], .signingTime),
            ([type, digest, time(0x17, "210901190306+0000")], .signingTime),
            ([type, digest, time(0x17, "210901190306")], .signingTime),
            ([type, digest, time(0x17, "210231190306Z")], .signingTime),
            ([type, digest, time(0x17, "210901240000Z")], .signingTime),
            ([type, digest, time(0x17, "210901190360Z")], .signingTime),
            ([type, digest, time(0x17, "20210901190306Z")], .signingTime),
            ([type, digest, time(0x18, "210901190306Z")], .signingTime),
            ([type, digest, time(0x18, "20500101000000.5Z")], .signingTime),
            (
                [
                    SignerAttributes.attribute(SignatureIdentifier.contentType, SignatureIdentifier.signedData), digest,
                    time(now),
                ], .contentType
            ),
            (
                [
                    type, time(now),
                    SignerAttributes.attribute(
                        SignatureIdentifier.messageDigest, DER.octetString([UInt8](repeating: 0, count: 20))),
                ], .attribute
            ),
            ([type, digest, time(now), DER.null], .encoding(.unexpectedTag(expected: 0x30, found: 0x05))),
            ([type, digest, time(now), DER.sequence(SignatureIdentifier.data)], .encoding(.truncated)),
        ]
    }()

    @Test(arguments: sets)
    func `signed attributes must be there once, with one value, in their form`(
        attributes: [[UInt8]], fault: CMSFault
    ) throws {
        var draft = try SignatureDraft(self.attributes, by: signer)
        draft.signers[0].signedAttributes = DER.element(0x31, attributes.flatMap { $0 })
        #expect(throws: fault) { try SignedData(ber: draft.ber) }
    }

    @Test func `more than sixteen attributes are not read`() throws {
        var attributes = attributes
        attributes.others = (0..<12).map { SignerAttributes.attribute(DER.objectIdentifier([1, 2, $0]), DER.null) }
        _ = try SignedData(ber: try SignatureDraft(attributes, by: signer).ber)
        attributes.others.append(SignerAttributes.attribute(DER.objectIdentifier([1, 2, 99]), DER.null))
        #expect(throws: CMSFault.attribute) { try SignedData(ber: try SignatureDraft(attributes, by: signer).ber) }
    }

    @Test(arguments: [
        ("20500101000000Z", "2050-01-01T00:00:00Z"), ("19491231235959Z", "1949-12-31T23:59:59Z"),
        ("99991231235959Z", "9999-12-31T23:59:59Z"),
    ])
    func `a time outside 1950…2049 is written with four digits of the year`(text: String, instant: String) {
        #expect(
            Instant(asn1: Array(text.utf8)[...], tag: BERTag.generalizedTime) == Instant(rfc3339: instant))
    }

    @Test(arguments: ["20210901190306Z", "19500101000000Z", "20491231235959Z"])
    func `a time within 1950…2049 may not be written with four digits of the year`(text: String) {
        #expect(Instant(asn1: Array(text.utf8)[...], tag: BERTag.generalizedTime) == nil)
    }

    @Test(arguments: [
        ("500101000000Z", "1950-01-01T00:00:00Z"), ("991231235959Z", "1999-12-31T23:59:59Z"),
        ("000101000000Z", "2000-01-01T00:00:00Z"), ("491231235959Z", "2049-12-31T23:59:59Z"),
    ])
    func `two digits of the year mean 1950…2049`(text: String, instant: String) {
        #expect(Instant(asn1: Array(text.utf8)[...], tag: BERTag.utcTime) == Instant(rfc3339: instant))
    }
}
