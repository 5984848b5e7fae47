import ApplePay
import ApplePaySandbox
import JSON
import Payments
import TestSupport
import Testing
import Values

/// What a token can pay for, and how often. It is worth 1.00 US dollar.
@Suite(.serialized)
struct TokenReplayTests {
    static let signed = LocalMerchant.instant
    static let credited = "replay: The token paid for another transaction, or may have."
    static let presented = "replay: The token was presented for another order before."
    let order: MintOrder
    let token: SecretText
    let opener: TokenOpener

    init() throws {
        let merchant = try LocalMerchant()
        order = try merchant.order(amountMinorUnits: 100)
        token = SecretText(try merchant.mint(order))
        opener = merchant.opener
    }

    @Test(arguments: StoreUnderTest.allCases, GatewayCode.allCases)
    func `a token pays again only if no money can have moved, and then for the same order`(
        kind: StoreUnderTest, gatewayCode: GatewayCode
    ) async throws {
        let store = try await kind.opened()
        let first = try await perform(gatewayCode, payment("order-1", "1"), store)
        #expect(first == gatewayCode.rawValue)

        // The same request, whatever became of it, is answered and not refused.
        #expect(try await perform(.approved, payment("order-1", "1"), store) == first)

        let other = try await perform(.approved, payment("order-2", "1"), store)
        let again = try await perform(.approved, payment("order-1", "2"), store)
        switch gatewayCode {
        case .approved, .partiallyApproved:
            #expect(other == Self.credited)
            #expect(again == "orderNotAwaitingAuthorization")
        case .pending, .submitted, .timedOut, .unknown:
            #expect(other == Self.credited)
            #expect(again == Self.credited)
        case .declined, .systemError, .unspecifiedFailure, .aborted, .acquirerSystemError, .blocked, .cancelled,
            .declinedAVS, .declinedAVSCSC, .declinedCSC, .declinedDoNotContact, .declinedInvalidPIN,
            .declinedPINRequired, .exceededRetryLimit, .expiredCard, .insufficientFunds, .invalidCSC, .notSupported,
            .referred:
            #expect(other == Self.presented)
            #expect(again == "APPROVED")
            #expect(try await perform(.approved, payment("order-3", "1"), store) == Self.credited)
        }
        #expect(try await store.history(of: payment("order-2", "1").key) == nil)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a token credited to one merchant is refused for every other`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        #expect(try await perform(.approved, payment("order-1", "1"), store) == "APPROVED")
        var other = payment("order-1", "1")
        other.merchant = "OTHER"
        #expect(try await perform(.approved, other, store) == Self.credited)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of fifty orders one is paid with one token`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let outcomes = try await race(50) { number in
            try await perform(.approved, payment("order-\(number)", "1"), store)
        }
        #expect(outcomes.count { $0 == "APPROVED" } == 1)
        #expect(outcomes.count { $0 == Self.credited } == 49)
        var orders = 0
        for number in 0..<50 where try await store.history(of: payment("order-\(number)", "1").key) != nil {
            orders += 1
        }
        #expect(orders == 1)
    }

    @Test func `a token for another amount or currency is refused and leaves no trace`() async throws {
        let store = InMemoryStore()
        for (amount, currency) in [("1.01", Currency.usd), ("1.00", .eur), ("100", .jpy), ("100.00", .usd)] {
            var other = payment("order-1", "1")
            other.amount = amount
            other.currency = currency
            #expect(try await perform(.approved, other, store) == "tokenRefused")
        }
        #expect(try await perform(.approved, payment("order-2", "1"), store) == "APPROVED")
    }

    @Test(arguments: [("30.10", Currency.usd, 3010), ("500", .jpy, 500), ("1.234", .bhd, 1234), ("1.2", .bhd, 1200)])
    func `a token pays its amount in a currency of any decimals`(
        amount: String, currency: Currency, minorUnits: Int64
    ) async throws {
        let merchant = try LocalMerchant()
        let token = try merchant.mint(
            merchant.order(amountMinorUnits: minorUnits, currencyCode: currency.numericCode))
        var paid = payment("order-1", "1")
        paid.amount = amount
        paid.currency = currency
        paid.sourceOfFunds = .applePayToken(SecretText(token))
        paid.applePay = merchant.opener
        #expect(try await perform(.approved, paid, InMemoryStore()) == "APPROVED")
    }

    @Test(arguments: StoreUnderTest.allCases, [true, false])
    func `a token that was verified, whatever amount the payer saw, pays for the same order`(
        kind: StoreUnderTest, isToken: Bool
    ) async throws {
        let store = try await kind.opened()
        let gateway = try Gateway.test(store: store, acquirer: TestSimulator.acquirer())
        func payment(_ order: String, _ transaction: String) throws -> TestPayment {
            var payment = self.payment(order, transaction)
            if !isToken { payment.sourceOfFunds = .card(try decrypted) }
            return payment
        }
        let verify = try payment("order-1", "1").command(of: .verify)
        let verified = try await gateway.perform(verify, at: Self.signed)
        #expect(verified.order.status == .verified && verified.amount.minorUnits == 0)
        #expect(verified.card.device?.number == "512345xxxxxx0008")
        #expect(try await gateway.perform(verify, at: Self.signed) == verified)
        let again = try payment("order-1", "2").command(of: .verify)
        #expect(try await gateway.perform(again, at: Self.signed).order.status == .verified)
        if isToken {
            #expect(try await perform(.approved, payment("order-2", "1"), store) == Self.presented)
        }
        #expect(try await perform(.approved, payment("order-1", "3"), store) == "APPROVED")
        #expect(try await perform(.approved, self.payment("order-2", "1"), store) == Self.credited)
    }

    /// The payment that the token holds, as a merchant who decrypts would send it.
    private var decrypted: Card {
        get throws {
            Card(
                accountNumber: order.accountNumber, expiry: CardExpiry(order.expirationDate),
                nameOnCard: order.cardholderName.map { SecretText($0) },
                devicePayment: DevicePayment.threeDSecure(
                    onlinePaymentCryptogram: order.onlinePaymentCryptogram, eciIndicator: order.eciIndicator))
        }
    }

    @Test func `a token only pays a stand-alone refund of its amount`() async throws {
        let gateway = try Gateway.test(store: InMemoryStore(), acquirer: TestSimulator.acquirer())
        var refund = payment("order-1", "1")
        refund.privileges = Set(Privilege.allCases)
        let (other, whole) = try (refund.command(of: .refundToCard("1.01")), refund.command(of: .refundToCard("1.00")))
        await #expect { try await gateway.perform(other, at: Self.signed) } throws: {
            "\($0)".hasPrefix("tokenRefused")
        }
        #expect(try await gateway.perform(whole, at: Self.signed).order.status == .excessivelyRefunded)
    }

    @Test(arguments: [Privilege.devicePayments, .applePayDecryption])
    func `a merchant without the privilege is refused before the token is opened`(privilege: Privilege) async throws {
        let gateway = try Gateway.test(store: InMemoryStore(), acquirer: TestSimulator.acquirer())
        var lacking = payment("order-1", "1")
        lacking.privileges.remove(privilege)
        lacking.sourceOfFunds = .applePayToken(SecretText("no token"))
        for step in [TestStep.authorize("1.00"), .pay("1.00"), .verify] {
            let command = try lacking.command(of: step)
            await #expect { try await gateway.perform(command, at: Self.signed) } throws: {
                guard case .missingPrivilege(privilege) = $0 as? Refusal else { return false }
                return true
            }
        }
    }

    @Test func `a token's identifier is one in either letter case`() async throws {
        let store = InMemoryStore()
        #expect(try await perform(.approved, payment("order-1", "1"), store) == "APPROVED")
        var upper = payment("order-2", "1")
        let identifier = Hexadecimal.encoded(order.transactionId)
        let shouted = token.revealed().replacing(identifier, with: identifier.uppercased())
        #expect(shouted != token.revealed())
        upper.sourceOfFunds = .applePayToken(SecretText(shouted))
        #expect(try await perform(.approved, upper, store) == Self.credited)
    }

    @Test func `application data moved into the identifier does not make another token`() async throws {
        // What Apple signs is the parts one after the other: these bytes are the same, and so is the signature.
        let merchant = try LocalMerchant()
        var order = order
        order.applicationData = Array("order 1".utf8)
        let token = try merchant.mint(order)
        let header = try #require(try JSONDocument(token).root["header"])
        let hash = try #require(header["applicationData"]?.string)
        let identifier = Hexadecimal.encoded(order.transactionId)
        let moved =
            token
            .replacing(#""applicationData":"\#(hash)","#, with: "")
            .replacing(identifier, with: identifier + hash)
        #expect(moved.count == token.count - #""applicationData":"","#.count)

        let store = InMemoryStore()
        var paid = payment("order-1", "1")
        paid.applePay = merchant.opener
        paid.sourceOfFunds = .applePayToken(SecretText(token))
        #expect(try await perform(.approved, paid, store) == "APPROVED")
        paid.order = "order-2"
        paid.sourceOfFunds = .applePayToken(SecretText(moved))
        #expect(try await perform(.approved, paid, store) == "tokenRefused")
    }

    @Test func `a refused token's report names the step`() async throws {
        let gateway = try Gateway.test(store: InMemoryStore(), acquirer: TestSimulator.acquirer())
        let command = try payment("order-1", "1").command
        let late = Self.signed.advanced(byMilliseconds: 600_000)
        await #expect { try await gateway.perform(command, at: late) } throws: { error in
            guard case .tokenRefused(let report) = error as? Refusal else { return false }
            return report.refusal?.step == .signingTime
        }
    }

    @Test func `opened by us and sent decrypted, a credential gives the acquirer the same command`() async throws {
        let acquirer = RecordingAcquirer(answering: try TestSimulator.acquirer())
        let gateway = try Gateway.test(store: InMemoryStore(), acquirer: acquirer)
        let opened = try await gateway.perform(payment("order-1", "1").command, at: Self.signed)
        let separately = try TestPayment {
            $0.amount = "1.00"
            $0.sourceOfFunds = .card(try decrypted)
        }
        let separate = try Gateway.test(store: InMemoryStore(), acquirer: acquirer)
        let sent = try await separate.perform(separately.command, at: Self.signed)
        let commands = acquirer.commands
        #expect(commands.count == 2)
        #expect(commands[0].card != nil && commands[0].card == commands[1].card)
        #expect(opened.card == sent.card)
        #expect(opened.card.device?.number == "512345xxxxxx0008")
        #expect(opened.order.totals == sent.order.totals)
        #expect(opened.authorizationResponse == sent.authorizationResponse)
    }

    private func payment(_ order: String, _ transaction: String) -> TestPayment {
        TestPayment {
            $0.order = order
            $0.transaction = transaction
            $0.amount = "1.00"
            $0.sourceOfFunds = .applePayToken(token)
            $0.applePay = opener
        }
    }

    /// What becomes of a payment when the acquirer answers `gatewayCode`: the code, or the refusal's name.
    private func perform(
        _ gatewayCode: GatewayCode, _ payment: TestPayment, _ store: any PaymentStore
    ) async throws -> String {
        let gateway = try Gateway.test(store: store, acquirer: TestSimulator.acquirer(always: gatewayCode))
        let command = try payment.command
        do throws(Refusal) {
            return try await gateway.perform(command, at: Self.signed).gatewayCode.rawValue
        } catch {
            guard case .tokenRefused(let report) = error, report.failedSteps == [.replay], report.paymentData != nil
            else { return "\(error)".prefix { $0 != "(" }.description }
            return report.refusal.map { "replay: \($0.finding)" } ?? ""
        }
    }
}
