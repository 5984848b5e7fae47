import JSON
import OpenSSL
import TestSupport
import Testing
import Values

@testable import ApplePay
@testable import ApplePaySandbox

/// Each refusal, from a token that is lawful but for one thing.
struct TokenRefusalTests {
    /// A change to a token and the refusal that it must meet.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let refusal: TokenRefusal
        let alteration: TokenAlteration

        init(_ name: String, _ refusal: TokenRefusal, _ alteration: TokenAlteration) {
            testDescription = name
            self.refusal = refusal
            self.alteration = alteration
        }

        init(_ name: String, _ refusal: TokenRefusal, _ token: @escaping @Sendable (inout TokenDraft) -> Void) {
            self.init(name, refusal, TokenAlteration(token: token))
        }
    }

    private static let hash = String(repeating: "00", count: 32)

    static let malformed: [Case] = [
        Case("no version", .memberMissing("version")) { $0.members["version"] = nil },
        Case("version null", .memberMissing("version")) { $0.members["version"] = .null },
        Case("version a number", .memberNotA("string", "version")) { $0.members["version"] = 1 },
        Case("RSA_v1", .memberOfOtherVersion("header.ephemeralPublicKey", version: "RSA_v1")) {
            $0.members["version"] = "RSA_v1"
        },
        Case("version in lower case", .versionUnknown(Printable("ec_v1"))) { $0.members["version"] = "ec_v1" },
        Case("no data", .memberMissing("data")) { $0.members["data"] = nil },
        Case("empty data", .memberMissing("data")) { $0.members["data"] = "" },
        Case("data an array", .memberNotA("string", "data")) { $0.members["data"] = [] },
        Case("data not base64", .notBase64("data", .urlAlphabet)) { $0.members["data"] = "AA-_" },
        Case("no signature", .memberMissing("signature")) { $0.members["signature"] = nil },
        Case("signature not base64", .notBase64("signature", .cut)) { $0.members["signature"] = "A" },
        Case("no ephemeral key", .memberMissing("header.ephemeralPublicKey")) {
            $0.header["ephemeralPublicKey"] = nil
        },
        Case("ephemeral key not base64", .notBase64("header.ephemeralPublicKey", .foreignByte)) {
            $0.header["ephemeralPublicKey"] = "!"
        },
        Case("ephemeral key of a byte", .ephemeralPublicKeyMalformed) { $0.header["ephemeralPublicKey"] = "AA==" },
        Case("wrapped key", .memberOfOtherVersion("header.wrappedKey", version: "EC_v1")) {
            $0.header["wrappedKey"] = "AAAA"
        },
        Case("wrapped key null", .memberOfOtherVersion("header.wrappedKey", version: "EC_v1")) {
            $0.header["wrappedKey"] = .null
        },
        Case("no key hash", .memberMissing("header.publicKeyHash")) { $0.header["publicKeyHash"] = nil },
        Case("key hash of 3 bytes", .notSHA256("header.publicKeyHash")) { $0.header["publicKeyHash"] = "AAAA" },
        Case("no transaction id", .memberMissing("header.transactionId")) { $0.header["transactionId"] = nil },
        Case("transaction id empty", .transactionIdLength) { $0.header["transactionId"] = "" },
        Case("transaction id odd", .notHexadecimal("header.transactionId")) { $0.header["transactionId"] = "abc" },
        Case("transaction id not hexadecimal", .notHexadecimal("header.transactionId")) {
            $0.header["transactionId"] = "0g"
        },
        Case("transaction id of 31 bytes", .transactionIdLength) {
            $0.header["transactionId"] = .string(String(repeating: "ab", count: 31))
        },
        Case("transaction id of 64 bytes", .transactionIdLength) {
            $0.header["transactionId"] = .string(String(repeating: "ab", count: 64))
        },
        Case("application data a number", .memberNotA("string", "header.applicationData")) {
            $0.header["applicationData"] = 1
        },
        Case("application data in base64", .notHexadecimal("header.applicationData")) {
            $0.header["applicationData"] = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        },
        Case("application data of 31 bytes", .notSHA256("header.applicationData")) {
            $0.header["applicationData"] = .string(String(hash.dropLast(2)))
        },
        Case("application data empty", .notSHA256("header.applicationData")) { $0.header["applicationData"] = "" },
    ]

    static let judged: [Case] = [
        Case("no certificates", .signerCertificateMissing, .init(signature: { $0.certificates = [] })),
        Case(
            "malformed certificate", .certificateMalformed(position: 0),
            .init(signature: { $0.certificates[0] = DER.sequence(DER.null) })),
        Case(
            "signer's certificate left out", .signerCertificateMissing,
            .init(signature: { $0.certificates.removeFirst() })),
        Case(
            "another serial number", .signerCertificateMissing,
            .init(signature: { $0.signers[0].identifier[$0.signers[0].identifier.count - 1] ^= 1 })),
        Case("intermediate left out", .intermediateMissing, .init(signature: { $0.certificates.removeLast() })),
        Case(
            "no leaf marker", .leafMarkerMissing(commonName: Printable("nobody")),
            .init(signer: { (signer) throws(OpenSSLError) in try signer.takeCertificate(.signer("nobody", marker: nil))
            })),
        Case(
            "the intermediate's marker in the leaf", .leafMarkerMissing(commonName: Printable("nobody")),
            .init(signer: { (signer) throws(OpenSSLError) in
                try signer.takeCertificate(.signer("nobody", marker: CertificateForm.intermediateMarker))
            })),
        Case(
            "no intermediate marker",
            .intermediateMarkerMissing(commonName: Printable("Tollgate Local Application Integration CA")),
            .init(signer: { (signer) throws(OpenSSLError) in try signer.replaceIntermediate(.intermediate(marker: nil))
            })
        ),
        Case(
            "the leaf's marker in the intermediate",
            .intermediateMarkerMissing(commonName: Printable("Tollgate Local Application Integration CA")),
            .init(signer: { (signer) throws(OpenSSLError) in
                try signer.replaceIntermediate(.intermediate(marker: CertificateForm.leafMarker))
            })),
        Case(
            "leaf for key agreement", .signerMayNotSign,
            .init(signer: { (signer) throws(OpenSSLError) in
                try signer.takeCertificate(.signer(signer.commonName(), keyUsage: 0b0000_1000))
            })),
        Case(
            "Apple's sandbox by name", .sandboxNotAccepted(commonName: Printable("x-SANDBOX")),
            .init(signer: { (signer) throws(OpenSSLError) in try signer.takeCertificate(.signer("x-SANDBOX")) })),
        Case(
            "stray certificate", .chainShape,
            .init(signer: { (signer) throws(OpenSSLError) in try signer.carryStray() })),
        Case("leaf twice", .chainShape, .init(signature: { $0.certificates.append($0.certificates[0]) })),
        Case("intermediate twice", .chainShape, .init(signature: { $0.certificates.append($0.certificates[1]) })),
        Case("digest of other content", .digestDiffers, .init(attributes: { $0.messageDigest[31] ^= 0x80 })),
        Case(
            "content altered after signing", .digestDiffers,
            .init(token: { $0.header["transactionId"] = .string(String(repeating: "00", count: 32)) })),
        Case("signature of nothing", .signatureInvalid, .init(signature: { $0.signers[0].signature = [] })),
        Case(
            "signature with a byte behind", .signatureInvalid, .init(signature: { $0.signers[0].signature.append(0) })),
        Case("off-curve key", .ephemeralPublicKeyOffCurve, .init(content: { $0.keyMaterial[90] ^= 1 })),
        Case(
            "key at zero", .ephemeralPublicKeyOffCurve,
            .init(content: { $0.keyMaterial.replaceSubrange(27..., with: repeatElement(0, count: 64)) })),
        Case("tag altered", .notAuthentic, .init(content: { $0.data[$0.data.count - 16] ^= 1 })),
        Case("data shorter than a tag", .notAuthentic, .init(content: { $0.data = Array($0.data.prefix(15)) })),
        Case("data without ciphertext", .notAuthentic, .init(content: { $0.data = Array($0.data.suffix(16)) })),
        Case(
            "another merchant identifier", .notAuthentic, .init(recipient: { $0.merchantIdentifierHash[31] ^= 0x80 })),
        Case("plaintext cut", .plaintextNotJSON, .init(plaintext: { $0.removeLast() })),
        Case("plaintext empty", .plaintextNotJSON, .init(plaintext: { $0 = [] })),
    ]

    @Test(arguments: malformed + judged)
    func `a token is refused for its one fault`(fault: Case) throws {
        let merchant = try LocalMerchant()
        let report = try merchant.report(altered: fault.alteration)
        #expect(report.refusal == fault.refusal)
        #expect(report.failedSteps == [fault.refusal.step])
        #expect(report.opened == nil)
    }

    @Test func `a key that no merchant key has the hash of is named in base64`() throws {
        let merchant = try LocalMerchant()
        let report = try merchant.report(
            altered: .init(recipient: { $0.publicKeyHash = Array(repeating: 0, count: 32) }))
        #expect(
            report.refusal
                == .publicKeyUnknown(
                    hash: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                    own: [Base64.encoded(merchant.key.publicKeyHash)], .ellipticCurve))
        #expect(report.failedSteps == [.publicKeyHash])
    }

    @Test func `a chain of two is not Apple's`() throws {
        // The root bears the intermediate's marker and issues the signer's certificate itself.
        let rootKey = try PrivateKey.generate(.p384)
        let root = try CertificateForm.intermediate().certificate(for: rootKey, issuer: nil, issuerKey: rootKey)
        let leafKey = try PrivateKey.generate(.p256)
        let leaf = try CertificateForm.signer("leaf").certificate(for: leafKey, issuer: root, issuerKey: rootKey)
        let signer = LocalAuthority.Signer(certificate: leaf, key: leafKey)
        let authority = LocalAuthority(
            root: root, rootKey: rootKey, intermediate: root, intermediateKey: rootKey, signer: signer,
            rsaSigner: signer)
        let merchant = try LocalMerchant(authority)
        let report = try merchant.report(altered: .init())
        #expect(report.refusal == .chainShape)
        #expect(report.failedSteps == [.chain])
    }

    @Test func `a leaf with another kind of key is not for EC_v1`() throws {
        let report = try LocalMerchant().report(
            altered: .init(signer: { $0.becomeSignerOfOtherVersion() }))
        #expect(report.failedSteps == [.certificates])
        #expect(report.refusal == .signerKeyKind)
        // A stranger's RSA key may be as slow as its maker likes.
        #expect(report[.signature] == .skipped(.needs(.certificates)))
    }

    @Test(arguments: TokenVersion.allCases)
    func `a token that names a key of the other version's kind is refused`(version: TokenVersion) throws {
        let merchant = try LocalMerchant()
        let other = merchant.key(of: version == .rsa ? .ellipticCurve : .rsa)
        let token = try TokenMint(merchant.authority).mint(
            try merchant.order(), for: try merchant.recipient(of: version),
            altered: .init(recipient: { $0.publicKeyHash = other.publicKeyHash }))
        let report = merchant.opener.open(bytes: token, at: .signing)
        #expect(report.refusal == .keyOfOtherVersion)
        #expect(report.failedSteps == [.symmetricKey])
        #expect(report[.decrypt] == .skipped(.needs(.symmetricKey)))
        #expect(report.paymentData == nil)
    }

    /// The private key 0 beside the public key of 1, which OpenSSL reads: every point times it is infinity, which has no x.
    private static let keyOfNothing: [UInt8] = {
        let generator: [UInt8] = [
            0x04, 0x6B, 0x17, 0xD1, 0xF2, 0xE1, 0x2C, 0x42, 0x47, 0xF8, 0xBC, 0xE6, 0xE5, 0x63, 0xA4, 0x40, 0xF2, 0x77,
            0x03, 0x7D, 0x81, 0x2D, 0xEB, 0x33, 0xA0, 0xF4, 0xA1, 0x39, 0x45, 0xD8, 0x98, 0xC2, 0x96, 0x4F, 0xE3, 0x42,
            0xE2, 0xFE, 0x1A, 0x7F, 0x9B, 0x8E, 0xE7, 0xEB, 0x4A, 0x7C, 0x0F, 0x9E, 0x16, 0x2B, 0xCE, 0x33, 0x57, 0x6B,
            0x31, 0x5E, 0xCE, 0xCB, 0xB6, 0x40, 0x68, 0x37, 0xBF, 0x51, 0xF5,
        ]
        let sec1 = DER.sequence(
            DER.smallInteger(1), DER.octetString([UInt8](repeating: 0, count: 32)),
            DER.context(0, DER.objectIdentifier([1, 2, 840, 10045, 3, 1, 7])),
            DER.context(1, DER.element(0x03, [0] + generator)))
        return Array(
            "-----BEGIN EC PRIVATE KEY-----\n\(Base64.encoded(sec1))\n-----END EC PRIVATE KEY-----\n".utf8)
    }()

    @Test func `a merchant's key that agrees on nothing opens nothing`() throws {
        let privateKey = try Self.keyOfNothing.withUnsafeBytes { try PrivateKey(pem: $0) }
        let key = try PaymentProcessingKey(
            privateKey: privateKey, merchantIdentifier: LocalMerchant.merchantIdentifier)
        let merchant = try LocalMerchant()
        let recipient = try TokenMint.Recipient(
            publicKey: key.publicKey, merchantIdentifierHash: try #require(key.merchantIdentifierHash))
        let token = try TokenMint(merchant.authority).mint(try merchant.order(), for: recipient)
        let report = TokenOpener(keys: [key], trust: merchant.trust).open(bytes: token, at: .signing)
        #expect(report.failedSteps == [.symmetricKey])
        guard case .keyAgreementFailed(.failed("EVP_PKEY_derive", _)) = report.refusal else {
            Issue.record("\(String(describing: report.refusal))")
            return
        }
    }

    @Test func `a certificate without a name is refused like any other`() throws {
        let report = try LocalMerchant().report(
            altered: .init(signer: { (signer) throws(OpenSSLError) in
                let nameless = try CertificateTemplate(
                    subject: [("O", "Tollgate")], serialNumber: [1], notBeforeSecondsSinceEpoch: 0,
                    notAfterSecondsSinceEpoch: 2_000_000_000, extensions: []
                ).certificate(
                    for: signer.key.publicKey, issuer: signer.authority.intermediate,
                    issuerKey: signer.authority.intermediateKey)
                signer.certificate = nameless
                signer.certificates = [nameless, signer.authority.intermediate]
            }))
        #expect(report[.certificates] == .failed(.leafMarkerMissing(commonName: Printable(""))))
        #expect(report.signer?.commonName == "")
    }

    @Test(arguments: [
        "", #""""#, "{}", #"{"paymentData":{}}"#, #"{"token":{"paymentData":{}}}"#, #""{}""#, #"{"paymentData":"{}"}"#,
        #"{"paymentData":"","transactionIdentifier":"Simulated Identifier"}"#, #"{"paymentData":null}"#,
    ])
    func `a token without anything in it is the simulator's`(text: String) throws {
        let report = TokenOpener(keys: [], trust: try LocalMerchant().trust).open(text: text, at: .signing)
        #expect(report.refusal == .empty)
    }

    @Test(arguments: [
        (" ", JSONFault.Reason.unexpectedEnd), ("{", .unexpectedEnd), ("{},", .textAfterEnd),
        (#"{"a":1,"a":1}"#, .duplicateName), (#"{"a":01}"#, .invalidNumber), (#"{"a":1,}"#, .unexpectedCharacter),
        (String(repeating: "[", count: 9), .tooDeep), (String(repeating: " ", count: 65_537), .tooLarge),
    ])
    func `text that is not strict JSON is refused`(text: String, reason: JSONFault.Reason) throws {
        let report = TokenOpener(keys: [], trust: try LocalMerchant().trust).open(text: text, at: .signing)
        guard case .notJSON(let fault)? = report.refusal else {
            Issue.record("\(String(describing: report.refusal))")
            return
        }
        #expect(fault.reason == reason)
    }

    @Test(arguments: ["1", "null", "true", "[]", #"[{"data":""}]"#, #""1""#, #"{"token":null}"#, #"{"paymentData":7}"#])
    func `JSON that holds no token is refused`(text: String) throws {
        let report = TokenOpener(keys: [], trust: try LocalMerchant().trust).open(text: text, at: .signing)
        #expect(report.refusal == .notAToken)
    }

    @Test func `a malformed header is refused`() throws {
        let opener = TokenOpener(keys: [], trust: try LocalMerchant().trust)
        let start = #"{"version":"EC_v1","data":"AAAA","signature":"AAAA""#
        #expect(opener.open(text: start + "}", at: .signing).refusal == .memberMissing("header"))
        #expect(opener.open(text: start + #","header":null}"#, at: .signing).refusal == .memberMissing("header"))
        #expect(
            opener.open(text: start + #","header":[]}"#, at: .signing).refusal == .memberNotA("object", "header"))
    }

    @Test func `every refusal belongs to its step and says what was found and what to do`() throws {
        let fault = try #require(throws: JSONFault.self) { try JSONDocument("{") }
        let refusals: [(TokenRefusal, TokenStep)] = [
            (.notJSON(fault), .parse), (.signatureMalformed(.version), .parse),
            (
                .stale(signingTime: LocalMerchant.instant, transaction: LocalMerchant.instant, windowSeconds: 300),
                .signingTime
            ),
            (
                .fromTheFuture(
                    signingTime: LocalMerchant.instant, transaction: LocalMerchant.instant, windowSeconds: 300),
                .signingTime
            ),
            (.noKeyOfVersion(.rsa), .publicKeyHash), (.noKeyOfVersion(.ellipticCurve), .publicKeyHash),
            (.keyOfOtherVersion, .symmetricKey), (.keyNotUnwrapped, .symmetricKey), (.encodedInBase64, .parse),
            (.notAToken, .parse), (.empty, .parse), (.notBase64("data", .space), .parse),
            (.notBase64("data", .percentEncoding), .parse), (.signerKeyKind, .certificates),
            (.chainInvalid(.notValidWhenSigned(depth: 0)), .chain),
            (.chainInvalid(.notValidWhenSigned(depth: 1)), .chain),
            (.chainInvalid(.notValidWhenSigned(depth: 2)), .chain), (.chainInvalid(.appleNotTrusted), .chain),
            (.chainInvalid(.localNotTrusted), .chain), (.chainInvalid(.otherLocalAuthority), .chain),
            (.chainInvalid(.unknownRoot(commonName: Printable("a"))), .chain), (.chainInvalid(.notAChain), .chain),
            (.publicKeyUnknown(hash: "AA==", own: ["AQ=="], .rsa), .publicKeyHash),
            (.applicationDataUnexpected, .transactionDetails),
            (.authenticationResponseMissing(merchantIdentifier: Printable("a")), .transactionDetails),
            (.authenticationResponseRepeated(merchantIdentifier: Printable("a")), .transactionDetails),
            (.keyAgreementFailed(.wrongKeyType), .symmetricKey), (.paymentDataMemberMissing("a"), .paymentData),
            (.paymentDataMemberMalformed("a"), .paymentData), (.paymentDataTypeUnknown(Printable("a")), .paymentData),
            (
                .currencyDiffers(
                    token: .init(currencyCode: "840", amountMinorUnits: 1),
                    order: .init(currencyCode: "978", amountMinorUnits: nil)), .transactionDetails
            ),
            (.amountDiffers(tokenMinorUnits: 1, orderMinorUnits: 2, currencyCode: "840"), .transactionDetails),
            (.applicationDataDiffers, .transactionDetails), (.applicationDataMissing, .transactionDetails),
            (.alreadyCredited, .replay), (.presentedForAnotherOrder, .replay),
        ]
        for (refusal, step) in refusals + (Self.malformed + Self.judged).map({ ($0.refusal, $0.refusal.step) }) {
            #expect(refusal.step == step)
            #expect(refusal.finding.hasSuffix(".") && refusal.remedy.hasSuffix("."))
            #expect(refusal.description == "\(step.rawValue): \(refusal.finding) \(refusal.remedy)")
        }
    }

    @Test(arguments: [
        ("abc", "abc"), ("a\u{0}b\n", "a?b?"), ("<b>&", "?b>?"), ("é漢", "??"),
        (String(repeating: "x", count: 65), String(repeating: "x", count: 64) + "…"),
    ])
    func `a peer's text is shown without what could be taken for markup or control`(text: String, shown: String) {
        #expect(Printable(text).description == shown)
    }
}

extension LocalMerchant {
    /// A report on a token of 56.56 US dollars that was altered in the making.
    func report(altered alteration: TokenAlteration, at moment: TokenOpener.Moment = .transaction(instant)) throws
        -> TokenReport
    {
        let token = try TokenMint(authority).mint(try order(), for: try recipient(), altered: alteration)
        return opener.open(bytes: token, at: moment)
    }
}
