import ApplePay
import ApplePaySandbox
import HTTP
import HTTPTypes
import JSON
import OpenSSL
import Payments
import TestSupport
import Testing

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
}
