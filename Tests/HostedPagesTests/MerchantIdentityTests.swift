import ApplePaySandbox
import HTTP
import HTTPTypes
import OpenSSL
import TestSupport
import Testing

/// Who may ask for a merchant session over TLS.
struct MerchantIdentityTests {
    private static let paths = ["/paymentservices/paymentSession", "/paymentservices/startSession"]
    private static let content = """
        {"merchantIdentifier":"\(LocalMerchant.merchantIdentifier)","displayName":"Shop","initiative":"web",
        "initiativeContext":"shop.example","domainName":"shop.example"}
        """

    private let pages: TestPages
    private let key: PrivateKey

    init() throws {
        pages = try TestPages()
        key = try PrivateKey.generateRSA(bits: 2048)
    }

    private func ask(_ path: String, with certificate: Certificate?, scheme: String = "https") async throws -> Reply {
        let client = certificate.map { ClientCertificate(verifiedFingerprint: $0.fingerprint, der: $0.der) }
        return try Reply(await pages.send(.post, path, Self.content, scheme: scheme, certificate: client))
    }

    private func identity(
        of identifier: String = LocalMerchant.merchantIdentifier, by authority: LocalAuthority? = nil
    ) throws -> Certificate {
        try (authority ?? pages.local.authority).merchantIdentityCertificate(
            for: key.publicKey, merchantIdentifier: identifier)
    }

    @Test(arguments: paths)
    func `over TLS the merchant's own certificate is wanted`(path: String) async throws {
        #expect(try await ask(path, with: try identity()).status == 200)
        let absent = try await ask(path, with: nil)
        #expect(absent.status == 403)
        #expect(absent.message.hasPrefix("Payment Services Exception Unauthorized merchant -- no merchant identity"))
        #expect(try await ask(path, with: nil, scheme: "http").status == 200)
    }

    @Test(arguments: paths)
    func `no other certificate does`(path: String) async throws {
        let other = try await ask(path, with: try identity(of: "merchant.example.other"))
        #expect(other.status == 403 && other.message.contains("another merchant identifier's"))

        let stranger = try LocalAuthority.make(rsaKey: key)
        let foreign = try await ask(path, with: try identity(by: stranger))
        #expect(foreign.status == 403 && foreign.message.contains("not issued by this sandbox's authority"))

        let processing = try pages.local.authority.paymentProcessingCertificate(
            for: key.publicKey, merchantIdentifier: LocalMerchant.merchantIdentifier)
        for certificate in [processing, pages.local.authority.signer.certificate] {
            let wrong = try await ask(path, with: certificate)
            #expect(wrong.status == 403 && wrong.message.contains("not a merchant identity certificate"))
        }
    }

    @Test func `a certificate has to be valid by the gateway's clock`() async throws {
        pages.clock.advance(byMilliseconds: (2_524_608_001 - 1_630_522_990) * 1000)
        let late = try await ask(Self.paths[0], with: try identity())
        #expect(late.status == 403 && late.message.contains("the gateway's clock"))
    }

    @Test func `bytes that are no certificate are none`() async throws {
        let client = ClientCertificate(verifiedFingerprint: [UInt8](repeating: 0, count: 32), der: [0x30, 0])
        let reply = try Reply(
            await pages.send(.post, Self.paths[0], Self.content, scheme: "https", certificate: client))
        #expect(reply.status == 403)
    }
}
