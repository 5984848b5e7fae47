import JSON
import OpenSSL
import TestSupport
import Testing
import Values

/// Tokens that Apple signed, judged by the program.
@Suite(.enabled(if: AppleVector.areAvailable, "TOLLGATE_VECTORS names no folder"))
struct RecordedTokenTests {
    static let opened = [("gala-2021", "production"), ("sepuka-sandbox-2019", "sandbox")]

    private func inspect(_ vector: AppleVector, _ further: [String], in folder: TestFolder) throws -> InspectedToken {
        let key = ["--key", vector.path("private_key.pem"), "--certificate", vector.path("certificate.pem")]
        return try InspectedToken(
            try folder.run(["token", "inspect", vector.path("token.json"), "--json"] + key + further))
    }

    @Test(arguments: opened)
    func `at its signing time a token opens to exactly what its publisher says`(
        name: String, environment: String
    ) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let vector = AppleVector(name)

        let token = try inspect(vector, ["--at", "signing", "--reveal"], in: folder)
        #expect(token.status == 0)
        #expect(token["verdict"] == "accepted")
        #expect(token["version"] == "EC_v1")
        #expect(token["signer.environment"] == environment)
        #expect(token.json["paymentData"] == (try vector.expected))
        #expect(token.steps.map(\.name) == InspectedToken.order)
        #expect(token.steps(that: "skipped") == ["transactionDetails", "replay"])
        #expect(token.steps(that: "failed").isEmpty)
    }

    @Test(arguments: opened)
    func `today its signing time is all that is wrong with it`(name: String, environment: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }

        let token = try inspect(AppleVector(name), [], in: folder)
        #expect(token.status == 1)
        #expect(token["verdict"] == "rejected")
        #expect(token.steps(that: "failed") == ["signingTime"])
        #expect(token.steps(that: "skipped") == ["transactionDetails", "replay"])
    }

    @Test func `what is decrypted is masked unless it is to be revealed`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let vector = AppleVector("gala-2021")
        let arguments = [
            "token", "inspect", vector.path("token.json"), "--at", "signing", "--key", vector.path("private_key.pem"),
            "--certificate", vector.path("certificate.pem"),
        ]

        for further in [[], ["--json"]] {
            let masked = try folder.run(arguments + further)
            #expect(masked.status == 0)
            #expect(masked.text.contains("535375xxxxxx1169"))
            #expect(!masked.text.contains("5353756319181169"))
            #expect(!masked.text.contains("AMwBRjPWDnAgAA7Rls7mAoABFA=="))
            let clear = try folder.run(arguments + further + ["--reveal"])
            #expect(clear.text.contains("5353756319181169"))
            #expect(clear.text.contains("AMwBRjPWDnAgAA7Rls7mAoABFA=="))
        }
    }

    @Test func `without its key a token is judged as far as that goes`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let result = try folder.run(
            "token", "inspect", AppleVector("radial-2015").path("token.json"), "--at", "signing", "--json")

        let token = try InspectedToken(result)
        #expect(token.status == 0)
        #expect(token.steps(that: "passed") == ["parse", "certificates", "chain", "signature", "signingTime"])
        #expect(
            token.steps(that: "skipped")
                == ["publicKeyHash", "symmetricKey", "decrypt", "paymentData", "transactionDetails", "replay"])
        #expect(token.json["paymentData"] == nil)
        #expect(token["signer.signingTime"] == "2015-12-10T17:44:10Z")
    }

    /// A folder that configures the merchant of the token gala-2021.
    private func configuration(of vector: AppleVector, in folder: TestFolder) throws -> String {
        try folder.write("config/merchants/password", Array("the-merchants-password\n".utf8))
        // The vector's own file may be readable by others, which a gateway refuses.
        let key = try vector.privateKey.pem().withUnsafeBytes { Array($0) }
        try folder.writeSecret("config/merchants/private_key.pem", key)
        let merchant = """
            passwords:
              - file: password
            applePay:
              trust: [apple]
              keys:
                - privateKey: private_key.pem
                  certificate: \(vector.path("certificate.pem"))
            """
        try folder.write("config/merchants/GALA.yaml", Array(merchant.utf8))
        return folder.path + "/config"
    }

    @Test func `a gateway at the token's own time authorizes it, repeats its answer, and refuses a replay`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let vector = AppleVector("gala-2021")
        let gateway = try RunningGateway(
            in: folder, "--config", try configuration(of: vector, in: folder), "--clock", "2021-09-01T19:03:06Z",
            credentials: .init(merchant: "GALA", password: "the-merchants-password"))
        defer { gateway.kill() }
        let request = PaymentRequest.token(try vector.token, amount: "1.00")
        let path = TransactionPath(merchant: "GALA")

        let reply = try gateway.put(path, request)
        #expect(reply.status == 201)
        #expect(reply["response.gatewayCode"] == "APPROVED")
        #expect(reply["sourceOfFunds.provided.card.deviceSpecificNumber"] == "535375xxxxxx1169")
        #expect(reply["sourceOfFunds.provided.card.deviceSpecificExpiry.month"] == "9")
        #expect(reply["sourceOfFunds.provided.card.deviceSpecificExpiry.year"] == "24")
        #expect(reply["timeOfRecord"]?.hasPrefix("2021-09-01T19:") == true)
        let repeated = try gateway.put(path, request)
        #expect(repeated.status == 201)
        #expect(repeated.body == reply.body)

        let replay = try gateway.put(TransactionPath(order: "order-2", merchant: "GALA"), request)
        #expect(replay.status == 400)
        #expect(replay["error.explanation"]?.contains("refused at step 'replay'") == true)
        let otherAmount = try gateway.put(
            TransactionPath(order: "order-3", merchant: "GALA"), PaymentRequest.token(try vector.token, amount: "1.01"))
        #expect(otherAmount.status == 400)
        #expect(otherAmount["error.explanation"]?.contains("refused at step 'transactionDetails'") == true)
    }

    @Test(arguments: ["2021-09-01T18:55:00Z", "2021-09-01T19:10:00Z", "2026-01-01T00:00:00Z"])
    func `a gateway at another time refuses the token as too old or too new`(instant: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let vector = AppleVector("gala-2021")
        let gateway = try RunningGateway(
            in: folder, "--config", try configuration(of: vector, in: folder), "--clock", instant,
            credentials: .init(merchant: "GALA", password: "the-merchants-password"))
        defer { gateway.kill() }

        let reply = try gateway.put(
            TransactionPath(merchant: "GALA"), PaymentRequest.token(try vector.token, amount: "1.00"))
        #expect(reply.status == 400)
        #expect(reply["error.explanation"]?.contains("refused at step 'signingTime'") == true)
    }
}
