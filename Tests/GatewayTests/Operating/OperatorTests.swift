import OpenSSL
import Testing
import Values

/// What the people who run a gateway are told, and what they can look into.
struct OperatorTests {
    @Test func `a file with a key twice is refused without a word of its content`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try folder.write(
            "config/merchants/SHOP.yaml", Array("currencies: [USD]\n# secret-word\ncurrencies: [EUR]\n".utf8))
        let result = try folder.run([
            "serve", "--port", "0", "--data", folder.data, "--config", folder.path + "/config",
        ])
        #expect(result.status != 0)
        #expect(result.errors.contains("SHOP.yaml: in line 1: twice the same key: currencies"))
        #expect(!result.errors.contains("secret-word"))
    }

    @Test func `a gateway without its installation key does not start on what it kept`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        #expect(try gateway.put(TransactionPath(), try folder.mintRequest()).status == 201)
        #expect(try gateway.stop() == .exited(0))
        try folder.delete("data/installation.key")
        let result = try folder.run(["serve", "--port", "0", "--data", folder.data])
        #expect(result.status != 0)
        #expect(result.errors.contains("installation.key is missing"))
    }

    @Test func `a gateway that nobody could use does not start`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let result = try folder.run(["serve", "--port", "0", "--data", folder.data, "--sandbox", "false"])
        #expect(result.status != 0)
        #expect(result.errors.contains("no merchant is configured"))
    }

    @Test func `a token is minted for a merchant without its passwords, and inspected with the data directory`() throws
    {
        let folder = try TestFolder()
        defer { folder.remove() }
        let fixture = try MerchantKeyFixture()
        try folder.writeSecret("config/merchants/key.pem", try fixture.key.pem().withUnsafeBytes { Array($0) })
        let merchant = """
            passwords: [{environment: NO_SUCH_VARIABLE}]
            applePay:
              merchantIdentifier: \(MerchantKeyFixture.merchantIdentifier)
              keys: [{privateKey: key.pem}]
              trust: [local]
            """
        try folder.write("config/merchants/SHOP.yaml", Array(merchant.utf8))
        try folder.makeKeys()
        let minted = try folder.run([
            "token", "mint", "--data", folder.data, "--config", folder.path + "/config", "--merchant", "SHOP",
            "--amount",
            "1.00", "--currency", "USD",
        ])
        #expect(minted.status == 0, "\(minted.errors)")

        let request = try folder.mintRequest("1.00")
        try folder.write("request.json", request)
        let inspected = try folder.run([
            "token", "inspect", folder.path + "/request.json", "--data", folder.data, "--amount", "1.00", "--currency",
            "USD",
        ])
        #expect(inspected.status == 0, "\(inspected.text)")
        #expect(inspected.text.contains("verdict    accepted"))
    }
}
