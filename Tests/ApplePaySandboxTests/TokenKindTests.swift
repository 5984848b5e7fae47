import ApplePay
import ApplePaySandbox
import OpenSSL
import TestSupport
import Testing
import Values

/// The forms of tokens beside `EC_v1` with a 3-D Secure cryptogram.
struct TokenKindTests {
    private static func opened(_ version: TokenVersion, _ change: (inout MintOrder) -> Void) throws -> PaymentData {
        let merchant = try LocalMerchant()
        var order = try merchant.order()
        change(&order)
        let report = merchant.opener.open(text: try merchant.mint(order, version), at: .signing)
        #expect(report.version == version.rawValue)
        #expect(report.signer?.commonName == (version == .rsa ? "rsa" : "ecc") + "-smp-broker-sign_UC4-LOCAL")
        #expect(report.notes == [])
        return try #require(report.opened).paymentData
    }

    @Test(arguments: TokenVersion.allCases)
    func `EMV data and an encrypted PIN are read as they were written`(version: TokenVersion) throws {
        let data = try Self.opened(version) {
            $0.emvPayment = .init(emvData: SecretText("nyYIAQID"), encryptedPINData: SecretText("00ff"))
        }
        guard case .emv(let emvData, let encryptedPINData) = data.detail else {
            Issue.record("a token of another type")
            return
        }
        #expect(emvData == SecretText("nyYIAQID"))
        #expect(encryptedPINData == SecretText("00ff"))
    }

    @Test(arguments: TokenVersion.allCases)
    func `submerchants have their amounts, and a merchant token its metadata`(version: TokenVersion) throws {
        let data = try Self.opened(version) { order in
            order.submerchants = [
                .init(merchantIdentifier: "one", amountMinorUnits: 656),
                .init(merchantIdentifier: "two", amountMinorUnits: 5000),
            ]
            order.merchantToken = .init(identifier: SecretText("token-1"), fpanSuffix: "4242", expirationDate: "12/39")
        }
        #expect(data.authenticationResponses.map(\.merchantIdentifier) == ["one", "two"])
        #expect(data.authenticationResponses.map(\.transactionAmountMinorUnits) == [656, 5000])
        #expect(data.authenticationResponses.allSatisfy { $0.authenticationData.utf8Count == 28 })
        #expect(data.merchantTokenIdentifier == SecretText("token-1"))
        #expect(data.merchantTokenMetadata?.fpanSuffix == "4242")
        #expect(data.merchantTokenMetadata?.expirationDate == "12/39")
        #expect(data.merchantTokenMetadata?.cardArt.map(\.type) == ["image/png"])
    }

    @Test func `the RSA signer's certificate is issued by the intermediate of the other`() throws {
        let authority = try LocalMerchant().authority
        #expect(authority.rsaSigner.key.isRSA && authority.rsaSigner.key.publicKey.bitCount == 2048)
        #expect(authority.rsaSigner.certificate.issuer == authority.intermediate.subject)
        #expect(authority.rsaSigner.certificate.issuer == authority.signer.certificate.issuer)
        #expect(authority.rsaSigner.certificate.extensionValue("1.2.840.113635.100.6.29") != nil)
    }

    @Test func `the signed attributes protect the very algorithm of the signature`() throws {
        let merchant = try LocalMerchant()
        let signature = try TokenParts(try merchant.mint(try merchant.order(), .rsa)).signature
        // sha256WithRSAEncryption with NULL; no certificate is signed with it.
        let content: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B, 0x05, 0x00]
        let tags = signature.indices.dropFirst(4).filter { signature[$0...].starts(with: content) }
            .map { Array(signature[($0 - 4)..<$0]) }
        #expect(tags == [[0xA1, 0x0D, 0x06, 0x09], [0x30, 0x0D, 0x06, 0x09]])
    }

    @Test(arguments: TokenVersion.allCases)
    func `a merchant whose keys are all of the other version gets that finding`(version: TokenVersion) throws {
        let merchant = try LocalMerchant()
        let token = try merchant.mint(try merchant.order(), version)
        let other = TokenOpener(
            keys: [merchant.key(of: version == .rsa ? .ellipticCurve : .rsa)], trust: merchant.trust)
        let report = other.open(text: token, at: .signing)
        #expect(report.refusal == .noKeyOfVersion(version))
        #expect(report.failedSteps == [.publicKeyHash])
    }
}
