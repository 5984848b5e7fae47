import OpenSSL
import Testing

struct TrustStoreTests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    private func verify(
        leaf: Certificate? = nil, intermediates: [Certificate]? = nil, roots: [Certificate]? = nil,
        at instant: Int64 = TestAuthority.instant
    ) throws -> [[UInt8]] {
        try TrustStore(roots: roots ?? [authority.root]).verify(
            leaf: leaf ?? authority.leaf, intermediates: intermediates ?? [authority.intermediate],
            atSecondsSinceEpoch: instant)
    }

    /// The refusal of a chain, by OpenSSL's name for it.
    private func refusal(_ body: () throws -> [[UInt8]]) throws -> String {
        let refusal = try #require(throws: TrustStore.Refusal.self, performing: body)
        return "\(refusal.depth): \(refusal.description)"
    }

    @Test func `a chain is given leaf first, root last`() throws {
        #expect(try verify() == [authority.leaf.der, authority.intermediate.der, authority.root.der])
    }

    @Test(arguments: [TestAuthority.notBefore, TestAuthority.notAfter - 1])
    func `a chain is valid from its first second to the one before its last`(instant: Int64) throws {
        #expect(try verify(at: instant).count == 3)
    }

    @Test(arguments: [
        (TestAuthority.notBefore - 1, "certificate is not yet valid"),
        // RFC 5280 §4.1.2.5 counts the last second in; OpenSSL doesn't.
        (TestAuthority.notAfter, "certificate has expired"), (TestAuthority.notAfter + 1, "certificate has expired"),
        (-1, "certificate is not yet valid"),
        (253_402_300_799, "certificate has expired"),
    ])
    func `a chain is refused outside its certificates' validity`(instant: Int64, words: String) throws {
        let refusal = try #require(throws: TrustStore.Refusal.self) { try verify(at: instant) }
        #expect(refusal.description == words)
        #expect(refusal.isValidityPeriod)
    }

    @Test func `every certificate must be valid, whichever it is`() throws {
        let ended = TestAuthority.instant - 1
        let leaf = try TestAuthority.certificate(
            "leaf", .leaf, of: authority.leafKey, issuer: authority.intermediate, issuerKey: authority.intermediateKey,
            notAfter: ended)
        #expect(try refusal { try verify(leaf: leaf) } == "0: certificate has expired")
        let intermediate = try TestAuthority.certificate(
            "intermediate", .authority, of: authority.intermediateKey, issuer: authority.root,
            issuerKey: authority.rootKey, notAfter: ended)
        #expect(try refusal { try verify(intermediates: [intermediate]) } == "1: certificate has expired")
        let root = try TestAuthority.certificate(
            "root", .authority, of: authority.rootKey, issuer: nil, issuerKey: authority.rootKey, notAfter: ended)
        #expect(try refusal { try verify(roots: [root]) } == "2: certificate has expired")
    }

    @Test func `an unknown root is refused, and one of the same name`() throws {
        let other = try TestAuthority()
        #expect(other.root.subject == authority.root.subject)
        #expect(throws: TrustStore.Refusal.self) { try verify(roots: [other.root]) }
        #expect(throws: TrustStore.Refusal.self) { try verify(roots: []) }
        #expect(throws: TrustStore.Refusal.self) {
            try verify(intermediates: [authority.intermediate, authority.root], roots: [other.root])
        }
    }

    @Test func `the right root is found beside one of the same name`() throws {
        let other = try TestAuthority()
        #expect(try verify(roots: [other.root, authority.root]).last == authority.root.der)
        #expect(try verify(roots: [authority.root, other.root]).last == authority.root.der)
    }

    @Test func `a root of the same name and key identifier that signed nothing is refused`() throws {
        let key = try PrivateKey.generate(.p256)
        let forged = try TestAuthority.certificate(
            "root", .authority, of: key, issuer: nil, issuerKey: key, without: ["subjectKeyIdentifier"],
            adding: [.init("2.5.29.14", value: try #require(authority.root.extensionValue("2.5.29.14")))])
        #expect(throws: TrustStore.Refusal.self) { try verify(roots: [forged]) }
    }

    @Test func `an intermediate is needed, and none of another authority will do`() throws {
        let other = try TestAuthority()
        #expect(
            try refusal { try verify(intermediates: []) } == "0: unable to get local issuer certificate")
        #expect(throws: TrustStore.Refusal.self) { try verify(intermediates: [other.intermediate]) }
    }

    @Test func `an intermediate that vouches for itself is refused`() throws {
        let key = authority.intermediateKey
        let selfSigned = try TestAuthority.certificate("intermediate", .authority, of: key, issuer: nil, issuerKey: key)
        #expect(
            try refusal { try verify(intermediates: [selfSigned]) } == "1: self-signed certificate in certificate chain"
        )
    }

    @Test func `a leaf issues nothing`() throws {
        let key = try PrivateKey.generate(.p256)
        let issued = try TestAuthority.certificate(
            "issued", .leaf, of: key, issuer: authority.leaf, issuerKey: authority.leafKey)
        #expect(
            try refusal { try verify(leaf: issued, intermediates: [authority.leaf, authority.intermediate]) }
                == "1: invalid CA certificate")
    }

    @Test(arguments: [
        ("basicConstraints", "1: invalid CA certificate"),
        ("keyUsage", "1: CA cert does not include key usage extension"),
        ("subjectKeyIdentifier", "1: Missing Subject Key Identifier"),
        ("authorityKeyIdentifier", "1: Missing Authority Key Identifier"),
    ])
    func `an intermediate without what RFC 5280 demands is refused`(missing: String, words: String) throws {
        let intermediate = try TestAuthority.certificate(
            "intermediate", .authority, of: authority.intermediateKey, issuer: authority.root,
            issuerKey: authority.rootKey, without: [missing])
        #expect(try refusal { try verify(intermediates: [intermediate]) } == words)
    }

    @Test func `an unknown critical extension is refused`() throws {
        let leaf = try TestAuthority.certificate(
            "leaf", .leaf, of: authority.leafKey, issuer: authority.intermediate, issuerKey: authority.intermediateKey,
            adding: [.init("1.2.3.4", isCritical: true, value: hex("0500"))])
        #expect(try refusal { try verify(leaf: leaf) } == "0: unhandled critical extension")
    }

    @Test func `a path longer than an authority allows is refused`() throws {
        let root = try TestAuthority.certificate(
            "root", .authority, of: authority.rootKey, issuer: nil, issuerKey: authority.rootKey,
            without: ["basicConstraints"],
            adding: [.init("2.5.29.19", isCritical: true, value: hex("30060101ff020100"))])
        #expect(try refusal { try verify(roots: [root]) } == "2: path length constraint exceeded")
    }

    @Test func `an altered signature in a certificate is refused`() throws {
        var der = authority.leaf.der
        der[der.count - 1] ^= 0x01
        let leaf = try Certificate(der: der)
        #expect(try refusal { try verify(leaf: leaf) } == "0: certificate signature failure")
    }
}
