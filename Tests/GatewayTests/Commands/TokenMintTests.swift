import Foundation
import JSON
import Testing

/// `tollgate token mint`.
struct TokenMintTests {
    @Test func `a minted token holds what was asked for`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let token = try folder.mint(
            "12.30", "--pan", "4111111111111111", "--expiry", "310430", "--cryptogram", "AAECAwQFBgcICQoLDA0ODxAREhM=",
            "--eci", "05", "--name", "Ada Lovelace", "--merchant", "TESTMERCHANT")

        let expected: JSONValue = [
            "applicationPrimaryAccountNumber": "4111111111111111", "applicationExpirationDate": "310430",
            "currencyCode": "840", "transactionAmount": 1230, "cardholderName": "Ada Lovelace",
            "deviceManufacturerIdentifier": "040010030273", "paymentDataType": "3DSecure",
            "paymentData": ["onlinePaymentCryptogram": "AAECAwQFBgcICQoLDA0ODxAREhM=", "eciIndicator": "05"],
        ]
        let inspected = try folder.inspect(Array(token.utf8), "--reveal")
        #expect(inspected.status == 0)
        #expect(inspected.json["paymentData"] == expected)
        #expect(inspected["signer.environment"] == "local")
    }

    @Test func `no two tokens are alike`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let tokens = try (0..<3).map { _ in try JSONValue(parsing: try folder.mint()) }
        for member in ["data", "signature"] {
            #expect(Set(tokens.compactMap { $0[member]?.serialized() }).count == tokens.count)
        }
        for member in ["ephemeralPublicKey", "transactionId"] {
            #expect(Set(tokens.compactMap { $0["header"]?[member]?.serialized() }).count == tokens.count)
        }
        #expect(Set(tokens.compactMap { $0["header"]?["publicKeyHash"]?.serialized() }).count == 1)
    }

    @Test func `a token is minted at the time of the gateway that last ran on the data directory`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder, "--clock", "2031-05-05T05:05:05Z")
        defer { gateway.kill() }
        #expect(try gateway.process.output(until: "merchants").contains("2031-05-05T05:05:05"))

        let reply = try gateway.put(TransactionPath(), try folder.mintRequest())
        #expect(reply.status == 201)
        #expect(reply["timeOfRecord"]?.hasPrefix("2031-05-05T05:") == true)
        // Minted at the machine's time it is years away from the gateway's.
        let now = try gateway.put(
            TransactionPath(order: "order-2"),
            try folder.mintRequest("5656", operation: "PAY", "--at", "2020-01-01T00:00:00Z"))
        #expect(now.status == 400)
        #expect(now["error.explanation"]?.contains("refused at step 'signingTime'") == true)
    }

    @Test func `several commands at once on a new data directory make one authority`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let program = try BuiltProgram.path()
        let makers = try (0..<6).map {
            try ChildProcess(program, ["key", "create", folder.data], errors: "\(folder.path)/errors-\($0)")
        }
        for maker in makers { #expect(try maker.wait() == .exited(0)) }

        #expect(try folder.inspect(Array(try folder.mint().utf8))["verdict"] == "accepted")
        let left = try TestFolder.files(below: folder.data).filter { $0.contains("draft") }
        #expect(left == [])
        // What is added to an earlier version's sandbox makes no other authority of it.
        let token = try folder.mint()
        try folder.delete("data/sandbox/rsa")
        _ = try folder.mint()
        #expect(try folder.inspect(Array(token.utf8))["verdict"] == "accepted")
    }

    @Test func `where no gateway has its data nothing is minted, and nothing made`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let result = try folder.run("token", "mint", "--data", folder.data, "--amount", "1.00", "--currency", "USD")
        #expect(result.status != 0)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("\(folder.data): no gateway's data"))
        #expect(result.errors.contains("--data"))
        #expect(!FileManager.default.fileExists(atPath: folder.data))
    }

    @Test func `a token of another installation is worth nothing here`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let other = try TestFolder()
        defer { other.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }

        let reply = try gateway.put(TransactionPath(), try other.mintRequest())
        #expect(reply.status == 400)
        #expect(reply["error.explanation"]?.contains("refused at step 'chain'") == true)
    }

    @Test(arguments: [
        (["--currency", "USD"], "--amount"), (["--amount", "1.00"], "--currency"),
        (["--amount", "1.005", "--currency", "USD"], "1.005"), (["--amount=-1", "--currency", "USD"], "-1"),
        (["--amount", "1,00", "--currency", "USD"], "1,00"), (["--amount", "1", "--currency", "XXY"], "XXY"),
        (["--amount", "1", "--currency", "usd"], "usd"),
        (["--amount", "1", "--currency", "USD", "--pan", "5123450000000009"], "--pan"),
        (["--amount", "1", "--currency", "USD", "--pan", "51234500000000x8"], "--pan"),
        (["--amount", "1", "--currency", "USD", "--expiry", "391331"], "--expiry"),
        (["--amount", "1", "--currency", "USD", "--expiry", "12/39"], "--expiry"),
        (["--amount", "1", "--currency", "USD", "--cryptogram", "%"], "--cryptogram"),
        (["--amount", "1", "--currency", "USD", "--cryptogram", ""], "--cryptogram"),
        (["--amount", "1", "--currency", "USD", "--eci", "x"], "--eci"),
        (["--amount", "1", "--currency", "USD", "--eci", "123"], "--eci"),
        (["--amount", "1", "--currency", "USD", "--at", "2013-12-31T23:59:59Z"], "--at"),
        (["--amount", "1", "--currency", "USD", "--at", "2050-01-01T00:00:00Z"], "--at"),
        (["--amount", "1", "--currency", "USD", "--at", "today"], "today"),
        (["--amount", "1", "--currency", "USD", "--merchant", "NOBODY"], "NOBODY"),
        (["--amount", "1", "--currency", "USD", "--request", "VOID"], "VOID"),
        (["--amount", "1", "--currency", "USD", "--crytogram", "AAAA"], "--crytogram"),
        (["--amount", "1", "--currency", "USD", "--config", "/no/such/folder"], "/no/such/folder"),
    ])
    func `the error for a wrong argument names it, and repeats no card data`(
        arguments: [String], name: String
    ) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try folder.makeKeys()
        let result = try folder.run(["token", "mint", "--data", folder.data] + arguments)
        #expect(result.status != 0)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(name))
        #expect(!result.errors.contains("5123450000000009"))
        #expect(!result.errors.contains("51234500000000x8"))
    }
}
