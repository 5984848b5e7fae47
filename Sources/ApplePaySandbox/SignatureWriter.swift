internal import ApplePay
internal import OpenSSL

/// Writes the detached CMS signature of a token (RFC 5652 §5) in the form that Apple has: indefinite lengths down to
/// the certificates, definite ones from there on, no content, leaf before intermediate.
struct SignatureWriter {
    private let authority: LocalAuthority

    init(_ authority: LocalAuthority) { self.authority = authority }

    func signature(over content: [UInt8], at signingTime: Instant) throws(OpenSSLError) -> [UInt8] {
        let attributes = DER.set(
            of: attribute(SignatureIdentifier.contentType, SignatureIdentifier.data),
            attribute(SignatureIdentifier.signingTime, DER.utcTime(signingTime)),
            attribute(
                SignatureIdentifier.algorithmProtection,
                DER.sequence(digestAlgorithm, DER.context(1, SignatureIdentifier.ecdsaWithSHA256))),
            attribute(SignatureIdentifier.messageDigest, DER.octetString(SHA256.hash(content))))
        let signature = try authority.leafKey.sign(attributes)
        // Signed with the tag of a SET, sent with that of [0] (RFC 5652 §5.4).
        let signedAttributes = [0xA0] + attributes.dropFirst()

        let signerInfo = DER.sequence(
            DER.smallInteger(1), DER.sequence(authority.leaf.issuer, authority.leaf.serialNumber), digestAlgorithm,
            signedAttributes, DER.sequence(SignatureIdentifier.ecdsaWithSHA256), DER.octetString(signature))
        let signedData = DER.indefinite(
            0x30, DER.smallInteger(1), DER.set(of: digestAlgorithm),
            DER.indefinite(0x30, SignatureIdentifier.data),
            DER.indefinite(0xA0, authority.leaf.der, authority.intermediate.der), DER.set(of: signerInfo))
        return DER.indefinite(0x30, SignatureIdentifier.signedData, DER.indefinite(0xA0, signedData))
    }

    private var digestAlgorithm: [UInt8] { DER.sequence(SignatureIdentifier.sha256) }

    private func attribute(_ identifier: [UInt8], _ value: [UInt8]) -> [UInt8] {
        DER.sequence(identifier, DER.set(of: value))
    }
}

extension DER {
    /// `YYMMDDhhmmssZ`, for instants from 1950 to 2049.
    static func utcTime(_ instant: Instant) -> [UInt8] {
        let fields = instant.fields
        precondition((1950...2049).contains(fields.year), "a GeneralizedTime would be needed (RFC 5652 §11.3)")
        var text: [UInt8] = []
        for number in [fields.year % 100, fields.month, fields.day, fields.hour, fields.minute, fields.second] {
            text += [UInt8(ascii: "0") + UInt8(number / 10), UInt8(ascii: "0") + UInt8(number % 10)]
        }
        return element(0x17, text + [UInt8(ascii: "Z")])
    }
}
