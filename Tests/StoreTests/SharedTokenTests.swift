import ApplePay
import ApplePaySandbox
import JSON
import Payments
import TestSupport
import Testing
import Values

/// How often a payment for several merchants can be used, and one that is known without its token. The whole is worth
/// 3.00 US dollars, and each of the three entries 1.00.
@Suite(.serialized)
struct SharedTokenTests {
    private static let credited = TokenReplayTests.credited
    private static let presented = TokenReplayTests.presented

    private let order: MintOrder
    private let token: SecretText
    private let merchant: LocalMerchant

    init() throws {
        merchant = try LocalMerchant()
        var order = try merchant.order(amountMinorUnits: 300)
        order.submerchants = ["one", "two", "three"].map { .init(merchantIdentifier: $0, amountMinorUnits: 100) }
        self.order = order
        token = SecretText(try merchant.mint(order))
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `each entry pays once, and then the whole nothing`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        #expect(try await pay(.submerchant("one"), "a", store) == "APPROVED")
        #expect(try await pay(.submerchant("two"), "b", store) == "APPROVED")
        #expect(try await pay(.submerchant("one"), "c", store) == Self.credited)
        #expect(try await pay(.coordinator("nobody"), "d", store) == Self.credited)
        #expect(try await pay(.whole, "e", store) == Self.credited)
        #expect(try await pay(.submerchantOfSeveral("three"), "f", store) == "APPROVED")
        #expect(try await pay(.submerchant("two"), "g", store) == Self.credited)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `entries are of any merchant`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        #expect(try await pay(.submerchant("one"), "a", merchant: "ONE", store) == "APPROVED")
        #expect(try await pay(.submerchant("two"), "a", merchant: "TWO", store) == "APPROVED")
        #expect(try await pay(.submerchant("one"), "a", merchant: "THREE", store) == Self.credited)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `the whole pays once, and then no entry`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        #expect(try await pay(.whole, "a", store) == "APPROVED")
        for entry in ["one", "two", "three"] {
            #expect(try await pay(.submerchant(entry), "b-\(entry)", store) == Self.credited)
        }
        #expect(try await pay(.coordinator("nobody"), "c", store) == Self.credited)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an entry that moved no money stays with its order, and the others go their way`(
        kind: StoreUnderTest
    ) async throws {
        let store = try await kind.opened()
        #expect(try await pay(.submerchant("one"), "a", answer: .declined, store) == "DECLINED")
        #expect(try await pay(.submerchant("one"), "b", store) == Self.presented)
        #expect(try await pay(.whole, "b", store) == Self.presented)
        #expect(try await pay(.submerchant("two"), "c", answer: .declined, store) == "DECLINED")
        #expect(try await pay(.submerchant("one"), "a", transaction: "2", store) == "APPROVED")
        #expect(try await pay(.submerchant("two"), "c", transaction: "2", store) == "APPROVED")
        #expect(try await pay(.whole, "d", store) == Self.credited)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `the whole that moved no money keeps its entries for its order`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        #expect(try await pay(.whole, "a", answer: .declined, store) == "DECLINED")
        #expect(try await pay(.submerchant("one"), "b", store) == Self.presented)
        #expect(try await pay(.submerchant("one"), "a", transaction: "2", store) == "APPROVED")
        #expect(try await pay(.whole, "c", store) == Self.credited)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of the whole and its entries at once either the whole pays or each entry`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let payees: [Payee] = [.whole, .submerchant("one"), .submerchant("two"), .submerchant("three")]
        let outcomes = try await race(40) { number in
            (payee: number % 4, outcome: try await pay(payees[number % 4], "order-\(number)", store))
        }
        let approved = outcomes.filter { $0.outcome == "APPROVED" }.map(\.payee).sorted()
        #expect(approved == [0] || approved == [1, 2, 3])
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a token that is presented twice in one batch stays with its order`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        // The second of each pair is often in the batch of the first.
        let outcomes = try await race(64) { number in
            let fixture = CommitFixture {
                $0.order = "order-\(number / 2)"
                $0.transaction = "\(number % 2)"
                $0.versionBefore = Int64(number % 2)
                $0.token = UInt8(number / 2)
                $0.isCredited = false
            }
            let commit = try await fixture.commit
            var outcome = CommitOutcome.orderMoved
            while outcome == .orderMoved { outcome = try await store.commit(commit) }
            return outcome
        }
        #expect(outcomes.allSatisfy { $0 == .committed })
        for number in 0..<32 {
            let elsewhere = CommitFixture {
                $0.order = "elsewhere-\(number)"
                $0.token = UInt8(number)
            }
            #expect(try await store.commit(elsewhere) == .tokenPresentedElsewhere)
        }
    }

    @Test(arguments: StoreUnderTest.allCases, [true, false])
    func `a digest that was kept before there were parts excludes them`(
        kind: StoreUnderTest, isCredited: Bool
    ) async throws {
        let store = try await kind.opened()
        func commit(_ order: String, _ digests: [UInt8], sharing shared: [UInt8] = []) async throws -> CommitOutcome {
            let made = try await CommitFixture { $0.order = order }.commit
            func whole(_ byte: UInt8) -> [UInt8] { Array(repeating: byte, count: 32) }
            return try await store.commit(
                Commit(
                    transaction: made.transaction, fingerprint: made.fingerprint,
                    token: TokenUse(
                        digests: digests.map(whole),
                        sharedDigests: shared.map { TokenUse.SharedDigest(whole($0), .parts) },
                        isCredited: order == "before" ? isCredited : true)))
        }
        #expect(try await commit("before", [1]) == .committed)
        let refusal = isCredited ? CommitOutcome.tokenCredited : .tokenPresentedElsewhere
        #expect(try await commit("part", [2], sharing: [1]) == refusal)
        #expect(try await commit("whole", [1, 2]) == refusal)
        #expect(try await commit("another", [2], sharing: [3]) == .committed)
        #expect(try await commit("a third", [4], sharing: [3]) == .committed)
        #expect(try await commit("its whole", [3, 5]) == .tokenCredited)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a payment that the merchant opened and its token are one`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let (first, second) = (try single(), try single())
        #expect(try await pay(first.card, "a", store) == "APPROVED")
        #expect(try await pay(first.token, "b", store) == Self.credited)
        #expect(try await pay(second.token, "c", store) == "APPROVED")
        #expect(try await pay(second.card, "d", store).hasPrefix("cryptogramUsed"))
        // The repeated request is answered.
        #expect(try await pay(first.card, "a", store) == "APPROVED")
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `what moved no money can be tried again on its order, in either form`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let (first, second) = (try single(), try single())
        #expect(try await pay(first.card, "a", answer: .declined, store) == "DECLINED")
        #expect(try await pay(first.token, "a", transaction: "2", store) == "APPROVED")
        #expect(try await pay(first.card, "b", store).hasPrefix("cryptogramUsed"))
        #expect(try await pay(second.token, "c", answer: .declined, store) == "DECLINED")
        #expect(try await pay(second.card, "c", transaction: "2", store) == "APPROVED")
        #expect(try await pay(second.token, "e", store) == Self.credited)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an entry's cryptogram is the entry`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let cryptograms = order.submerchants.map(\.authenticationData)
        #expect(try await pay(.card(card(cryptograms[0])), "a", store) == "APPROVED")
        #expect(try await pay(.submerchant("one"), "b", store) == Self.credited)
        #expect(try await pay(.submerchant("two"), "c", store) == "APPROVED")
        #expect(try await pay(.card(card(cryptograms[1])), "d", store).hasPrefix("cryptogramUsed"))
        #expect(try await pay(.card(card(order.onlinePaymentCryptogram)), "e", store).hasPrefix("cryptogramUsed"))
        #expect(try await pay(.whole, "f", store) == Self.credited)
        #expect(try await pay(.card(card(cryptograms[2])), "g", store) == "APPROVED")
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a cryptogram is one however its base 64 is written`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let payment = try single()
        #expect(try await pay(payment.token, "a", store) == "APPROVED")
        let text = payment.cryptogram.revealed()
        for other in [text.replacing("=", with: ""), "\(text.prefix(4))\r\n\(text.dropFirst(4))"] {
            #expect(try await pay(.card(card(SecretText(other))), "b", store).hasPrefix("cryptogramUsed"))
        }
        // Another device's payment with the same cryptogram is another one.
        #expect(
            try await pay(.card(card(payment.cryptogram, "5123456789012346")), "c", store) == "APPROVED")
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an example that merchants send for several orders is approved for each`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let payment = try single()
        for order in ["a", "b", "c"] { #expect(try await pay(payment.card, order, store) == "APPROVED") }
        #expect(try await pay(payment.token, "d", store) == Self.credited)
    }

    /// A payment for one merchant, as a token and as what the merchant finds in it.
    private func single() throws -> (token: SourceOfFunds, card: SourceOfFunds, cryptogram: SecretText) {
        let order = try merchant.order(amountMinorUnits: 100)
        return (
            .applePayToken(SecretText(try merchant.mint(order))), .card(try card(order.onlinePaymentCryptogram)),
            order.onlinePaymentCryptogram
        )
    }

    private func card(_ cryptogram: SecretText, _ number: String = "5123450000000008") throws -> Card {
        Card(
            accountNumber: try AccountNumber(number), expiry: CardExpiry(order.expirationDate),
            devicePayment: .threeDSecure(onlinePaymentCryptogram: cryptogram, eciIndicator: nil))
    }

    /// What becomes of the token's payment to a payee.
    private func pay(
        _ payee: Payee, _ order: String, merchant: String = "TESTMERCHANT", transaction: String = "1",
        answer gatewayCode: GatewayCode = .approved, _ store: any PaymentStore
    ) async throws -> String {
        let isWhole =
            switch payee {
            case .whole, .coordinator: true
            case .submerchant, .submerchantOfSeveral: false
            }
        return try await pay(
            .applePayToken(token), order, merchant: merchant, transaction: transaction, answer: gatewayCode, store,
            amount: isWhole ? "3.00" : "1.00", payee: payee)
    }

    /// What becomes of a payment when the acquirer answers `gatewayCode`: the code, or the refusal.
    private func pay(
        _ funds: SourceOfFunds, _ order: String, merchant: String = "TESTMERCHANT", transaction: String = "1",
        answer gatewayCode: GatewayCode = .approved, _ store: any PaymentStore, amount: String = "1.00",
        payee: Payee = .whole
    ) async throws -> String {
        let gateway = try Gateway.test(store: store, acquirer: TestSimulator.acquirer(always: gatewayCode))
        let instruction = Instruction(
            merchant: Merchant(
                id: try MerchantID(merchant), passwords: [], applePay: self.merchant.opener,
                tokenMatching: TokenMatching(payee: payee), privileges: .usual),
            order: try OrderID(order), transaction: try TransactionID(transaction), source: nil,
            parameters: SecretText("the request"), particulars: [:])
        let command = Command.authorize(
            Authorize(
                operation: .pay, instruction: instruction, amount: try Amount(amount, .usd), sourceOfFunds: funds,
                walletProvider: .applePay))
        do throws(Refusal) {
            return try await gateway.perform(command, at: LocalMerchant.instant).gatewayCode.rawValue
        } catch {
            guard case .tokenRefused(let report) = error, report.failedSteps == [.replay] else { return "\(error)" }
            return report.refusal.map { "replay: \($0.finding)" } ?? ""
        }
    }
}
