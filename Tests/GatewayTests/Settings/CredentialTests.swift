import JSON
import Testing

/// One credential, opened by the gateway and sent decrypted.
struct CredentialTests {
    @Test(arguments: ["AUTHORIZE", "PAY"], ["5656.00", "5757.00", "6161.00", "12.34"])
    func `a token and what it holds get the same reply but for identifiers and times`(
        operation: String, amount: String
    ) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        // Of the same cryptogram the second one would be a replay.
        let (cryptogram, another) = ("IA/8pdiWftSsxpFT6wABoDABhgA=", "IB/8pdiWftSsxpFT6wABoDABhgA=")

        for (scheme, pan) in [("mastercard", "5123450000000008"), ("visa", "4111111111111111")] {
            let token = try folder.mint(
                amount, "--pan", pan, "--expiry", "390131", "--cryptogram", cryptogram, "--eci", "7", "--name",
                "Ada Lovelace")
            let opened = try gateway.put(
                TransactionPath(order: "opened-\(scheme)"),
                PaymentRequest.token(token, amount: amount, operation: operation))
            let decrypted = try gateway.put(
                TransactionPath(order: "decrypted-\(scheme)"),
                PaymentRequest.body(
                    amount: amount, operation: operation,
                    card: [
                        "number": .string(pan), "expiry": ["month": "01", "year": "39"], "nameOnCard": "Ada Lovelace",
                        "devicePayment": [
                            "cryptogramFormat": "3DSECURE", "onlinePaymentCryptogram": .string(another),
                            "eciIndicator": "7",
                        ],
                    ]))

            #expect(opened.status == 201)
            #expect(decrypted.status == 201)
            #expect(opened["sourceOfFunds.provided.card.encryption"] == "DEVICE")
            #expect(
                try opened.json.withoutIdentifiersAndTimes().serialized()
                    == decrypted.json.withoutIdentifiersAndTimes().serialized())
            #expect(opened["sourceOfFunds.provided.card.nameOnCard"] == "Ada Lovelace")
            for secret in [cryptogram, another, pan] {
                #expect(!opened.text.contains(secret))
                #expect(!decrypted.text.contains(secret))
            }
        }
    }
}

extension JSONValue {
    /// What two transactions alike differ in; the members stay, so that one that only one reply has is seen.
    private static let differing: Set<String> = [
        "authorizationCode", "batch", "creationTime", "date", "lastUpdatedTime", "receipt", "stan", "time",
        "timeOfLastUpdate", "timeOfRecord", "transactionId", "transactionIdentifier",
    ]

    fileprivate func withoutIdentifiersAndTimes(under parent: String = "") -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(
            JSONObject(
                members.map { name, value in
                    let differs = Self.differing.contains(name) || (parent == "order" && name == "id")
                    return (name: name, value: differs ? "…" : value.withoutIdentifiersAndTimes(under: name))
                }))
    }
}
