import Testing

/// `requestsPerSecondMax` of a merchant.
struct RequestRateTests {
    @Test func `a merchant over its rate learns when to retry, and others are not affected`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        for merchant in ["BUSY", "CALM"] {
            let limit = merchant == "BUSY" ? "\nrequestsPerSecondMax: 1" : ""
            try folder.writeSecret(
                "config/merchants/\(merchant).yaml", Array("passwords: [{environment: WORD}]\(limit)".utf8))
        }
        let gateway = try RunningGateway(
            in: folder, "--config", folder.path + "/config", environment: ["WORD": "a-long-enough-password"],
            credentials: .init(merchant: "BUSY", password: "a-long-enough-password"))
        defer { gateway.kill() }
        let path = TransactionPath(merchant: "BUSY").text
        var limited: HTTPReply?
        // On a slow machine a second may pass between two of them.
        for _ in 0..<200 where limited == nil {
            // Who is not let in uses nothing up.
            #expect(try gateway.send("GET", path, as: .init(merchant: "BUSY", password: "wrong")).status == 401)
            let reply = try gateway.send("GET", path)
            if reply.status == 429 { limited = reply } else { #expect(reply.status == 400) }
            let calm = TransactionPath(merchant: "CALM").text
            let other = try gateway.send("GET", calm, as: .init(merchant: "CALM", password: "a-long-enough-password"))
            #expect(other.status == 400)
        }
        let reply = try #require(limited)
        #expect(reply.field("retry-after") == "1")
        #expect(reply["error.cause"] == "SERVER_BUSY")
        #expect(reply["error.explanation"]?.contains("requestsPerSecondMax") == true)
    }

    @Test(arguments: ["0", "-1", "1.5", "many", "1000001"])
    func `a rate is a whole number of requests`(text: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try folder.writeSecret("config/merchants/SHOP.yaml", Array("requestsPerSecondMax: \(text)".utf8))
        let result = try folder.run("serve", "--port", "0", "--data", folder.data, "--config", folder.path + "/config")
        #expect(result.status != 0)
        #expect(result.errors.contains("requestsPerSecondMax: expected a whole number"), "\(result.errors)")
    }
}
