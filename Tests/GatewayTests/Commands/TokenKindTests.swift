import ApplePay
import ApplePaySandbox
import Foundation
import JSON
import Testing

/// Minted tokens beside lawful ones of `EC_v1` with a cryptogram.
struct TokenKindTests {
    @Test func `an RSA_v1 token with EMV data is inspected and authorized`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let options = ["--version", "RSA_v1", "--type", "EMV", "--emv-data", "nyYIAQID", "--pin-data", "00ff"]
        let token = try folder.mint(
            "5656.00", options[0], options[1], options[2], options[3], options[4], options[5], options[6], options[7],
            "--sub-merchant", "shop=one=5000.00", "--sub-merchant", "other=656.00", "--merchant-token", "token-1")

        let inspected = try InspectedToken(
            folder.run(
                ["token", "inspect", "-", "--json", "--reveal"] + folder.sandboxRSAKey, input: Array(token.utf8)))
        #expect(inspected.status == 0)
        #expect(inspected["version"] == "RSA_v1")
        #expect(inspected["paymentData.paymentDataType"] == "EMV")
        #expect(inspected.json["paymentData"]?["paymentData"] == ["emvData": "nyYIAQID", "encryptedPINData": "00ff"])
        #expect(inspected["paymentData.merchantTokenIdentifier"] == "token-1")
        #expect(inspected["paymentData.merchantTokenMetadata.cardMetadata.fpanSuffix"] == "0008")
        #expect(inspected.json["notes"] == [])
        let submerchants = try InspectedToken(
            folder.run(
                [
                    "token", "inspect", "-", "--json", "--sub-merchant", "shop=one", "--amount", "5000", "--currency",
                    "USD",
                ]
                    + folder.sandboxRSAKey, input: Array(token.utf8)))
        #expect(submerchants.steps(that: "failed") == [])

        let reply = try gateway.put(TransactionPath(), PaymentRequest.token(token, amount: "5656.00"))
        #expect(reply.status == 201)
        #expect(reply.field("tollgate-report") == nil)
    }

    @Test func `a sandbox of an earlier version gets what RSA_v1 needs, and keeps the rest`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        _ = try folder.mint()
        let before = try folder.read("data/sandbox/leaf.pem") + folder.read("data/sandbox/merchant.key.pem")
        try FileManager.default.removeItem(atPath: folder.data + "/sandbox/rsa")

        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        #expect(try folder.read("data/sandbox/leaf.pem") + folder.read("data/sandbox/merchant.key.pem") == before)
        #expect(try folder.mode("data/sandbox/rsa") == 0o700)
        let key = try folder.read("data/sandbox/rsa/merchant.key.pem")
        #expect(try folder.mode("data/sandbox/rsa/merchant.key.pem") == 0o600)
        for (number, version) in ["RSA_v1", "EC_v1"].enumerated() {
            let request = try folder.mintRequest("5656.00", operation: "PAY", "--version", version)
            #expect(try gateway.put(TransactionPath(order: "order-\(number)"), request).status == 201)
        }
        #expect(try folder.read("data/sandbox/rsa/merchant.key.pem") == key)
    }

    @Test func `every defect that any token can have is minted and refused at its step`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let list = try folder.run("token", "mint", "--list-defects").text.split(separator: "\n")
        #expect(list.count == MintDefect.allCases.count)
        for (line, defect) in zip(list, MintDefect.allCases) {
            let words = line.split(separator: " ").map(String.init)
            #expect(Array(words.prefix(2)) == [defect.rawValue, defect.refusingStep.rawValue])
            guard defect.requirement == nil else { continue }
            let token = try folder.mint(
                "56.56", "--application-data", "order 1", "--defect", defect.rawValue, "--at", "2031-01-01T00:00:00Z")
            let inspected = try folder.inspect(
                Array(token.utf8), "--at", "2031-01-01T00:00:00Z", "--amount", "56.56", "--currency", "USD",
                "--application-data", "order 1")
            // The command accepts the names of Apple's sandbox; a gateway's merchant need not.
            let expected = defect == .sandboxSigner ? [] : [defect.refusingStep.rawValue]
            #expect(inspected.steps(that: "failed").first == expected.first, "\(defect)")
        }
    }

    @Test func `a report names what to do under a failed step, without colour where nobody looks`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let token = try folder.mint("56.56", "--application-data", "order 1", "--defect", "application-data-removed")
        let result = try folder.run(
            ["token", "inspect", "-", "--application-data", "order 1"] + folder.sandboxKey, input: Array(token.utf8))
        #expect(result.status == 1)
        #expect(!result.text.contains("\u{1B}"))
        let lines = result.text.split(separator: "\n").map(String.init)
        let failed = try #require(lines.firstIndex { $0.hasPrefix("signature ") })
        #expect(lines[failed].contains("failed   The token's content is not what was signed"))
        #expect(lines[failed + 1].hasPrefix("                             A member was altered after signing"))
        #expect(
            lines.contains { $0.hasPrefix("note  ") && $0.hasSuffix("header.applicationData was lost on the way.") })
    }

    @Test(arguments: [
        (["--no-application-data"], false), (["--application-data", "order 1"], true),
        (["--application-data", "order 2"], false),
        (["--application-data-hash", "1ffb13d0bc1b0b0f4a2f0a4e6a6d0d9d7d9f3a5b2d6e5c3a1b0f9e8d7c6b5a49"], false),
    ])
    func `application data is asked for in one of three ways`(options: [String], isLawful: Bool) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let token = try folder.mint("1.00", "--application-data", "order 1")
        let inspected = try InspectedToken(
            folder.run(["token", "inspect", "-", "--json"] + options + folder.sandboxKey, input: Array(token.utf8)))
        #expect(inspected.steps(that: "failed") == (isLawful ? [] : ["transactionDetails"]))
    }

    @Test(arguments: [
        (["mint", "--defect", "no-such"], "no-such"),
        (["mint", "--defect", "pin-malformed"], "EMV with an encrypted PIN"),
        (["mint", "--defect", "wrapped-key-altered"], "RSA_v1"), (["mint", "--version", "EC_v2"], "EC_v2"),
        (["mint", "--type", "PIN"], "PIN"), (["mint", "--emv-data", "AAAA"], "--emv-data"),
        (["mint", "--type", "EMV", "--emv-data", "*"], "--emv-data"),
        (["mint", "--type", "EMV", "--eci", "7"], "--eci"),
        (["mint", "--type", "EMV", "--pin-data", "00"], "RSA_v1"),
        (["mint", "--version", "RSA_v1", "--type", "EMV", "--pin-data", "0"], "--pin-data"),
        (["mint", "--sub-merchant", "a"], "--sub-merchant"), (["mint", "--sub-merchant", "=1"], "--sub-merchant"),
        (["mint", "--sub-merchant", "a=1.001"], "a=1.001"),
        (["inspect", "-", "--application-data-hash", "00"], "--application-data-hash"),
        (["inspect", "-", "--application-data", "a", "--no-application-data"], "exclude"),
    ])
    func `the error for a wrong argument names it`(arguments: [String], name: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let isMint = arguments[0] == "mint"
        if isMint { try folder.makeKeys() }
        let common = isMint ? ["--data", folder.data, "--amount", "1.00", "--currency", "USD"] : []
        let result = try folder.run(["token"] + arguments + common, input: Array("{}".utf8))
        #expect(result.status != 0)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(name))
    }
}
