import JSON
import Payments
import RadialAPI
import Testing
import TestSupport
import Values
import Vault

/// Rows of the simulator's table with their Radial codes.
struct RadialOutcomeTests {
    /// Gives every card the same account token.
    private struct AccountTokenExtension: CommitExtension {
        func items(with card: Card?) async throws(StoreFailure) -> ExtensionItems {
            ExtensionItems([], accountToken: card == nil ? nil : "378282xxxxx0005")
        }
        func renewed() async throws(StoreFailure) -> (any CommitExtension)? { self }
        func failure(ofFull group: [UInt8]) -> StoreFailure { .unavailable(detail: "no group") }
    }

    @Test(arguments: [
        (GatewayCode.approved, SimulatedRadialOutcome(.declined, "ND01")), (.approved, .init(.approved, "ND01")),
        (.approved, .init(.timeout, "TO01")), (.declined, .init(.approved, "AP01")),
        (.declined, .init(.acceptOrderWithException, "AP01")), (.declined, .init(.approved, "ND01")),
        (.declined, .init(.declined, "ND11")), (.declined, .init(.declined, "")),
        (.declined, .init(.csc, "AP01", cvv2ResponseCode: "Q")),
        (.declined, .init(.avs, "AP01", avsResponseCode: "AAA")),
        (.declined, .init(.avs, "AP01", avsResponseCode: "n")),
    ])
    func `codes that contradict the outcome, or that Radial doesn't publish, are refused`(
        gatewayCode: GatewayCode, radial: SimulatedRadialOutcome
    ) {
        #expect(radial.contradicts(gatewayCode))
    }

    @Test(arguments: GatewayCode.allCases.filter { $0 != .partiallyApproved })
    func `every outcome has codes of its own`(gatewayCode: GatewayCode) {
        let radial = SimulatedRadialOutcome(gatewayCode)
        #expect(!radial.contradicts(gatewayCode))
        #expect((radial.responseCode == .approved) == gatewayCode.isApproval)
        #expect(RadialCodes.authorizationResponseCodes.contains(radial.authorizationResponseCode))
    }

    @Test(arguments: [APIName.radial, .mastercard])
    func `codes and the account's token are kept of what came by Radial's API, and survive the record`(
        api: APIName
    ) async throws {
        let store = InMemoryStore()
        let keys = try KeyRing.test()
        let gateway = Gateway(
            store: store, acquirer: try TestSimulator.acquirer(apiCodes: SimulatedRadialChecks()), keys: keys)
        let sample = TestPayment()
        let instruction = Instruction(
            merchant: Merchant(id: try MerchantID("A"), passwords: [], applePay: nil), order: try OrderID("o"),
            transaction: try TransactionID("t"), source: nil, parameters: SecretText("x"),
            particulars: sample.particulars,
            commitExtension: api == .radial ? AccountTokenExtension() : nil, api: api)
        let command = Command.authorize(
            Authorize(
                operation: .authorize, instruction: instruction, amount: try Amount("14.99", .usd),
                sourceOfFunds: .card(try TestPayment.plainCard("378282246310005")), walletProvider: nil))
        let transaction = try await gateway.perform(command, at: TestPayment.instant)
        #expect((transaction.card.accountToken != nil) == (api == .radial))
        #expect((transaction.acquirer.apiCodes?["phone"] != nil) == (api == .radial))
        #expect(try Transaction(record: transaction.record) == transaction)
        // As earlier versions wrote it.
        let member = #""radial":{"authorization":"AP01","avs":"AM","cvv2":"M","email":"Y","name":"Y","phone":"Y","#
        #expect(
            String(decoding: transaction.record, as: UTF8.self).contains(member + #""response":"APPROVED"}"#)
                == (api == .radial))
    }
}
