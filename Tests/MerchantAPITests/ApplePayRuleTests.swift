import ApplePaySandbox
import HTTP
import HTTPTypes
import JSON
import OpenSSL
import Payments
import TestSupport
import Testing
import Values
import Vault

/// The rules of Mastercard's page on Apple Pay, sentence by sentence.
struct ApplePayRuleTests {
    private static let card = "sourceOfFunds.provided.card"
    private static let device = card + ".devicePayment"
    private static let certificate = SHA256.hash(Array("a certificate".utf8))

    @Test(
        arguments: [
            ("5656", true), ("5757", false), ("5858", false), ("5959", false), ("6161", true), ("6262", false),
            ("6363", false), ("30.10", true),
        ], ["AUTHORIZE", "PAY"])
    func `the funding account comes with an approval only`(row: (amount: String, isApproved: Bool), operation: String)
        async throws
    {
        let gate = try Gate([
            Merchant(
                id: try MerchantID("M"), passwords: [APIPassword(digesting: SecretText("random"))], applePay: nil,
                privileges: Set(Privilege.allCases), certificateFingerprints: [Self.certificate])
        ])
        var request = try Example.changed([
            "apiOperation": .string(operation), "order.amount": .string(row.amount),
        ])
        for isUnmasked in [false, true] {
            if isUnmasked { request.set(["responseControls", "sensitiveData"], "UNMASK") }
            let reply = try await gate.put(request, order: isUnmasked ? "2" : "1") { $0.certificate = Self.certificate }
            #expect(reply.status == 201)
            #expect((reply.value?.at(Self.card + ".number") != nil) == row.isApproved)
            #expect((reply.value?.at(Self.card + ".expiry") != nil) == row.isApproved)
            #expect(reply.value?.at(Self.card + ".deviceSpecificNumber") != nil)
        }
    }

    @Test func `American Express has funding accounts`() async throws {
        let reply = await (try TestAPI()).put(try Example.changed([Self.card + ".number": "345678901234564"]))
        #expect(reply.string(Self.card + ".brand") == "AMEX")
        #expect(reply.string(Self.card + ".number")?.count == 15)
    }

    @Test func `a device's payment shows the name on its card`() async throws {
        let reply = await (try TestAPI()).put(try Example.changed([Self.card + ".nameOnCard": "Ada Lovelace"]))
        #expect(reply.string(Self.card + ".nameOnCard") == "Ada Lovelace")
        let merchant = try LocalMerchant()
        let api = try TestAPI(applePay: merchant.opener, at: LocalMerchant.instant)
        var order = try merchant.order()
        order.cardholderName = "Ada Lovelace"
        let opened = await api.put(
            try Example.token(.string(try merchant.mint(order)), ["order.amount": "56.56"]))
        #expect(opened.string(Self.card + ".nameOnCard") == "Ada Lovelace")
    }

    @Test(arguments: ["AUTHORIZE", "PAY", "VERIFY"])
    func `what a merchant decrypts itself must be whole`(operation: String) async throws {
        func refusal(_ changes: KeyValuePairs<String, JSONValue?>) async throws -> String {
            var request = try Example.changed(changes)
            request.set(["apiOperation"], .string(operation))
            if operation == "VERIFY" { request.set(["order", "amount"], .none) }
            return await (try TestAPI()).put(request).refusal
        }
        #expect(
            try await refusal(["order.walletProvider": .none])
                == "400 | order.walletProvider | MISSING | Missing parameter")
        for lacking: JSONValue? in [.none, [:], .null, ["cryptogramFormat": .null]] {
            #expect(
                try await refusal([Self.device: lacking])
                    == "400 | \(Self.device).cryptogramFormat | MISSING | Missing parameter")
        }
        #expect(
            try await refusal([Self.device: ["cryptogramFormat": "3DSECURE"]])
                == "400 | \(Self.device).onlinePaymentCryptogram | MISSING | Missing parameter")
    }

    @Test(arguments: ["MOTO", "MERCHANT", "CARD_PRESENT", "PAYER_PRESENT"])
    func `Apple Pay is paid on the internet`(source: String) async throws {
        #expect(
            await (try TestAPI()).put(try Example.changed(["transaction.source": .string(source)])).refusal
                == "400 | transaction.source | INVALID | Value '\(source)' is invalid. A payment with APPLE_PAY has INTERNET"
        )
        #expect(await (try TestAPI()).put(try Example.plain(["transaction.source": .string(source)])).status == 201)
    }

    @Test(arguments: ["AUTHORIZE", "PAY"])
    func `a payer's terminal is off premises unless it is said to be on them`(operation: String) async throws {
        let request = try Example.changed(["apiOperation": .string(operation)])
        #expect(
            await (try TestAPI()).put(request).string("posTerminal.location") == "PAYER_TERMINAL_OFF_PREMISES")
        var on = request
        on.set(["posTerminal", "location"], "PAYER_TERMINAL_ON_PREMISES")
        #expect(await (try TestAPI()).put(on).string("posTerminal.location") == "PAYER_TERMINAL_ON_PREMISES")
        on.set(["posTerminal", "location"], "MERCHANT_TERMINAL_ON_PREMISES")
        #expect(
            await (try TestAPI()).put(on).refusal
                == "400 | posTerminal.location | INVALID | Value is invalid. A payment with APPLE_PAY has "
                + "PAYER_TERMINAL_OFF_PREMISES or PAYER_TERMINAL_ON_PREMISES")
        #expect(await (try TestAPI()).put(try Example.plain()).value?.at("posTerminal") == nil)
    }

    private static func session(
        _ privileges: Set<Privilege>, isConfigured: Bool = true
    ) async throws -> (gate: Gate, path: String) {
        let gate = try Gate([
            Merchant(
                id: try MerchantID("M"), passwords: [APIPassword(digesting: SecretText("random"))],
                applePay: isConfigured ? try LocalMerchant().opener : nil, privileges: privileges)
        ])
        let session = try await gate.sessions.create(
            for: try MerchantID("M"), authenticationLimit: nil, at: TestPayment.instant)
        return (gate, "/session/\(session.id)")
    }

    private static func refusal(_ token: JSONValue, _ shop: (gate: Gate, path: String)) async throws -> String {
        let body = TestAPI.source(["devicePayment": ["paymentToken": token]])
        return try await shop.gate.ask(
            Gate.Question(method: .put, path: shop.path, body: body.serialized())
        ).refusal
    }

    @Test(arguments: [
        ("garbage", "The token is not JSON"), ("{}", "The token is empty."),
        (#"{"version":"EC_v1"}"#, "The member data is missing or empty."), ("7", "holds no payment token"),
    ])
    func `a session refuses what is no token`(token: String, finding: String) async throws {
        let refusal = try await Self.refusal(.string(token), try await Self.session(.usual))
        #expect(
            refusal.hasPrefix(
                "400 | \(Self.device).paymentToken | INVALID | Value is invalid. Apple Pay token refused at step 'parse': "
            ))
        #expect(refusal.contains(finding), "\(refusal)")
    }

    @Test func `a session refuses a token that its merchant may not use`() async throws {
        let merchant = try LocalMerchant()
        let token = JSONValue.string(try merchant.mint(try merchant.order()))
        let path = Self.device + ".paymentToken"
        #expect(try await Self.refusal(token, try await Self.session(.usual)).hasPrefix("200"))
        #expect(
            try await Self.refusal(token, try await Self.session(Privilege.usual(without: .devicePayments)))
                == "400 | \(path) | INVALID | Value is invalid. Missing merchant privilege 'Device Payments'")
        let decryption = "Enable Decryption of Apple Pay Device Payments"
        #expect(
            try await Self.refusal(token, try await Self.session(Privilege.usual(without: .applePayDecryption)))
                == "400 | \(path) | INVALID | Value is invalid. Missing merchant privilege '\(decryption)'")
        #expect(
            try await Self.refusal(token, try await Self.session(.usual, isConfigured: false))
                == "400 | \(path) | INVALID | Value is invalid. Missing merchant privilege '\(decryption)'")
        let other: JSONValue = [
            "order": ["walletProvider": "GOOGLE_PAY"],
            "sourceOfFunds": ["provided": ["card": ["devicePayment": ["paymentToken": token]]]],
        ]
        let shop = try await Self.session(.usual)
        #expect(
            try await shop.gate.ask(Gate.Question(method: .put, path: shop.path, body: other.serialized()))
                .string("error.field") == "order.walletProvider")
    }
}

extension Privilege {
    fileprivate static func usual(without privilege: Privilege) -> Set<Privilege> {
        Set<Privilege>.usual.subtracting([privilege])
    }
}
