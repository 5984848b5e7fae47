internal import OpenSSL
internal import Values

/// The signed attributes of a token's signature (RFC 5652 §11).
struct SignerAttributes {
    /// SHA-256 of the content, 32 bytes.
    var messageDigest: [UInt8]
    /// The signing time that the signer claims.
    var signingTime: Instant
    /// The content of the signature's `AlgorithmIdentifier`, repeated in CMSAlgorithmProtection.
    var signatureAlgorithm: [UInt8]
    /// Additional attributes, each in DER.
    var others: [[UInt8]] = []

    /// The attributes as a SET in DER, over which the signature is computed.
    var der: [UInt8] {
        DER.set(
            of: [
                Self.attribute(SignatureIdentifier.contentType, SignatureIdentifier.data),
                Self.attribute(SignatureIdentifier.signingTime, DER.utcTime(signingTime)),
                Self.attribute(
                    SignatureIdentifier.algorithmProtection,
                    DER.sequence(
                        SignatureDraft.digestAlgorithm, DER.context(1, signatureAlgorithm))),
                Self.attribute(SignatureIdentifier.messageDigest, DER.octetString(messageDigest)),
            ] + others)
    }

    /// One attribute in DER, with its values.
    static func attribute(_ identifier: [UInt8], _ values: [UInt8]...) -> [UInt8] {
        DER.sequence(identifier, DER.set(of: values))
    }
}

/// The parts of a token's signature: detached CMS (RFC 5652 §5).
struct SignatureDraft {
    /// The certificates in DER, leaf before intermediate.
    var certificates: [[UInt8]]
    /// The signers; a valid signature has one.
    var signers: [Signer]

    /// A `SignerInfo`.
    struct Signer {
        /// `issuerAndSerialNumber` in DER.
        var identifier: [UInt8]
        /// The SET over which the signature is computed. If it is nil, the signature would be over the content itself.
        var signedAttributes: [UInt8]?
        /// The `AlgorithmIdentifier` in DER.
        var algorithm: [UInt8]
        /// The signature value: ECDSA in DER, or RSA.
        var signature: [UInt8]
        /// Unsigned attributes in DER.
        var unsignedAttributes: [UInt8] = []
    }

    /// Signs the attributes.
    init(_ attributes: SignerAttributes, by signer: TokenSigner) throws(OpenSSLError) {
        let signedAttributes = attributes.der
        certificates = signer.certificates.map(\.der)
        signers = [
            Signer(
                identifier: DER.sequence(signer.certificate.issuer, signer.certificate.serialNumber),
                signedAttributes: signedAttributes, algorithm: DER.sequence(signer.signatureAlgorithm),
                signature: try signer.key.sign(signedAttributes))
        ]
    }

    /// The encoded signature in Apple's form: indefinite lengths for the elements outside the certificates, definite
    /// lengths inside, and no content.
    var ber: [UInt8] {
        let signedData = DER.indefinite(
            0x30, DER.smallInteger(1), DER.set(of: [Self.digestAlgorithm]),
            DER.indefinite(0x30, SignatureIdentifier.data),
            DER.indefinite(0xA0, certificates.flatMap { $0 }), DER.set(of: signers.map(\.der)))
        return DER.indefinite(0x30, SignatureIdentifier.signedData, DER.indefinite(0xA0, signedData))
    }

    static var digestAlgorithm: [UInt8] { DER.sequence(SignatureIdentifier.sha256) }
}

extension SignatureDraft.Signer {
    fileprivate var der: [UInt8] {
        // Signed with the tag of a SET, but encoded with [0] (RFC 5652 §5.4).
        let attributes = signedAttributes.map { [0xA0] + $0.dropFirst() } ?? []
        return DER.sequence(
            DER.smallInteger(1), identifier, SignatureDraft.digestAlgorithm, attributes,
            algorithm, DER.octetString(signature),
            unsignedAttributes.isEmpty ? [] : DER.context(1, unsignedAttributes))
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
