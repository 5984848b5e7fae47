import Testing

/// A merchant with several keys, each in another kind of file, is paid by tokens for any of them.
@Suite(.enabled(if: TestFolder.hasOpenSSL))
struct KeyRotationTests {
    @Test func `tokens for the old key and for the new one are both opened`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let old = try MerchantKeyFixture()
        let new = try MerchantKeyFixture()
        try folder.writePKCS12("old.p12", old, try old.certificate(), password: "old word")
        try folder.writeSecret("new.key", try new.pem)
        try folder.writeSecret("new.password", Array("new word\r\n".utf8))
        try folder.writeSecret("typed", Array("new word\n".utf8))
        try folder.openssl("pkcs8 -topk8 -in new.key -passout file:typed -out new.pem")
        try folder.writeSecret("new.pem", try folder.read("new.pem"))

        let oldEntry = "{pkcs12: ../../old.p12, passwordEnvironment: OLD_KEY_PASSWORD}"
        let newEntry = "{privateKey: ../../new.pem, passwordFile: ../../new.password}"
        for (name, keys) in [("before", oldEntry), ("after", "\(oldEntry), \(newEntry)")] {
            let merchant = """
                passwords: [{environment: SHOP_PASSWORD}]
                applePay:
                  merchantIdentifier: \(MerchantKeyFixture.merchantIdentifier)
                  trust: [local]
                  keys: [\(keys)]
                """
            try folder.write("\(name)/merchants/SHOP.yaml", Array(merchant.utf8))
        }
        let environment = ["SHOP_PASSWORD": "shop-word", "OLD_KEY_PASSWORD": "old word"]
        let gateway = try RunningGateway(
            in: folder, "--config", folder.path + "/after", environment: environment,
            credentials: .init(merchant: "SHOP", password: "shop-word"))
        defer { gateway.kill() }
        for name in ["before", "after"] {
            let token = try folder.run(
                "token", "mint", "--data", folder.data, "--config", "\(folder.path)/\(name)", "--merchant", "SHOP",
                "--amount", "10", "--currency", "EUR", "--request", "PAY", environment: environment)
            let hash = try (name == "before" ? old : new).publicKeyHash
            #expect(token.text.replacing("\\/", with: "/").contains(hash))
            let paid = try gateway.put(TransactionPath(order: name, merchant: "SHOP"), token.output)
            #expect(paid.status == 201, "\(name)")
        }
    }
}
