internal import Values

/// The detached CMS signature of a payment token (RFC 5652 §5), parsed strictly in the form that Apple writes.
///
/// Apple uses BER with indefinite lengths for the outer elements and DER for the inner ones. The signature must have
/// one signer, SHA-256, no content and two certificates (a root may be the third). Other CMS options are refused,
/// because each would allow another encoding of the same signature.
package struct SignedData {
    /// The signature as received. The other members are ranges of it, because copies would cost more than parsing.
    let bytes: [UInt8]
    /// The range of the DER certificates, in the order received. Apple's leaf is first, but nothing relies on that.
    let certificatesRange: Range<Int>
    /// The range of the signer's issuer (a `Name`) and serial number (an `INTEGER`), both in DER with tag and length.
    let signerIssuerRange: Range<Int>
    let signerSerialNumberRange: Range<Int>
    /// The range of the signed messageDigest attribute: SHA-256 of the content, 32 bytes.
    let messageDigestRange: Range<Int>
    /// The signing time that the signer claims.
    let signingTime: Instant
    /// The signature's input: the signed attributes, re-tagged as a SET (RFC 5652 §5.4).
    let signedAttributes: [UInt8]
    let signatureAlgorithm: SignatureAlgorithm
    let signatureRange: Range<Int>

    var signerIssuer: [UInt8] { Array(bytes[signerIssuerRange]) }
    var signerSerialNumber: [UInt8] { Array(bytes[signerSerialNumberRange]) }
    var messageDigest: [UInt8] { Array(bytes[messageDigestRange]) }
    var signature: [UInt8] { Array(bytes[signatureRange]) }

    /// Each certificate in DER.
    var certificates: [[UInt8]] {
        var reader = BERReader(bytes, certificatesRange)
        var certificates: [[UInt8]] = []
        while let certificate = try? reader.next(BERTag.sequence) {
            certificates.append(reader.copy(certificate.encoded))
        }
        return certificates
    }

    /// The two algorithms that Apple names for its tokens.
    enum SignatureAlgorithm: Equatable, Sendable {
        /// `EC_v1`: ECDSA with SHA-256 (RFC 5758 §3.2), without parameters.
        case ecdsaWithSHA256
        /// `RSA_v1`: PKCS#1 v1.5 with SHA-256 (RFC 4055 §5), parameters NULL.
        case sha256WithRSA
    }

    /// The maximum size of a signature in bytes; real ones have about 2,200.
    static let byteCountMax = 16_384

    /// Parses a signature, which must fill `bytes` completely.
    package init(ber bytes: [UInt8]) throws(CMSFault) {
        guard bytes.count <= Self.byteCountMax else { throw .tooLarge }
        self.bytes = bytes
        var outer = BERReader(bytes)
        var contentInfo = try outer.inside(BERTag.sequence)
        try outer.finish()
        try contentInfo.expect(ObjectIdentifier.signedData, else: .notSignedData)
        var explicit = try contentInfo.inside(BERTag.context0)
        try contentInfo.finish()
        var signedData = try explicit.inside(BERTag.sequence)
        try explicit.finish()

        try signedData.expectVersion1()
        var digestAlgorithms = try signedData.inside(BERTag.set)
        try digestAlgorithms.expectSHA256()
        try digestAlgorithms.finish()
        var encapsulated = try signedData.inside(BERTag.sequence)
        try encapsulated.expect(ObjectIdentifier.data, else: .contentType)
        guard encapsulated.isAtEnd else { throw .contentNotDetached }

        var certificateSet = try signedData.inside(BERTag.context0)
        certificatesRange = certificateSet.position..<certificateSet.end
        var certificateCount = 0
        while !certificateSet.isAtEnd {
            guard !(try certificateSet.next(BERTag.sequence)).isIndefinite else { throw .encoding(.length) }
            guard certificateCount < 3 else { throw .tooManyCertificates }
            certificateCount += 1
        }
        guard signedData.nextTag != BERTag.context1 else { throw .revocationLists }

        var signerInfos = try signedData.inside(BERTag.set)
        try signedData.finish()
        var signer = try signerInfos.inside(BERTag.sequence)
        guard signerInfos.isAtEnd else { throw .severalSigners }

        try signer.expectVersion1()
        var identifier = try signer.inside(BERTag.sequence)
        signerIssuerRange = try identifier.next(BERTag.sequence).encoded
        signerSerialNumberRange = try identifier.next(BERTag.integer).encoded
        try identifier.finish()
        try signer.expectSHA256()

        guard signer.nextTag == BERTag.context0 else { throw .noSignedAttributes }
        let attributes = try signer.next()
        // Attributes in BER would have to be re-encoded before verification. Apple writes DER here.
        guard !attributes.isIndefinite else { throw .encoding(.length) }
        let read = try SignedAttributes(BERReader(signer.bytes, attributes.content))
        messageDigestRange = read.messageDigestRange
        signingTime = read.signingTime
        var toVerify = signer.copy(attributes.encoded)
        toVerify[0] = BERTag.set
        signedAttributes = toVerify

        signatureAlgorithm = try signer.signatureAlgorithm()
        signatureRange = try signer.next(BERTag.octetString).content
        guard signer.nextTag != BERTag.context1 else { throw .unsignedAttributes }
        try signer.finish()
    }
}

extension BERReader {
    func copy(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

    fileprivate mutating func expect(_ identifier: [UInt8], else fault: CMSFault) throws(CMSFault) {
        guard bytes[try next(BERTag.objectIdentifier).content].elementsEqual(identifier) else { throw fault }
    }

    fileprivate mutating func expectVersion1() throws(CMSFault) {
        guard bytes[try next(BERTag.integer).content].elementsEqual([1]) else { throw .version }
    }

    /// Reads the `AlgorithmIdentifier` of SHA-256. Its parameters are NULL in Apple's signatures up to 2021 and absent
    /// since (RFC 5754 §2 requires that readers accept both).
    fileprivate mutating func expectSHA256() throws(CMSFault) {
        var algorithm = try inside(BERTag.sequence)
        try algorithm.expect(ObjectIdentifier.sha256, else: .digestAlgorithm)
        if !algorithm.isAtEnd { try algorithm.expectNull() }
        try algorithm.finish()
    }

    private mutating func expectNull() throws(CMSFault) {
        guard try next(BERTag.null).content.isEmpty else { throw .digestAlgorithm }
    }

    fileprivate mutating func signatureAlgorithm() throws(CMSFault) -> SignedData.SignatureAlgorithm {
        var algorithm = try inside(BERTag.sequence)
        let identifier = Array(bytes[try algorithm.next(BERTag.objectIdentifier).content])
        switch identifier {
        case ObjectIdentifier.ecdsaWithSHA256:
            try algorithm.finish()
            return .ecdsaWithSHA256
        case ObjectIdentifier.sha256WithRSAEncryption:
            try algorithm.expectNull()
            try algorithm.finish()
            return .sha256WithRSA
        default:
            throw .signatureAlgorithm
        }
    }
}
