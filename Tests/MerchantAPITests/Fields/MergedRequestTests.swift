import HTTP
import HTTPTypes
import JSON
import Payments
import Synchronization
import TestSupport
import Testing
import Values
import Vault

/// Operations on transactions whose card comes from a session or token.
struct MergedRequestTests {
    private static let card = "sourceOfFunds.provided.card"

    @Test func `a session pays with the card and the code that it holds, once with the code`() async throws {
        let api = try TestAPI()
        let session = try await api.session()
        let first = await api.pay("o-1", ["session.id": .string(session), "sourceOfFunds.type": "CARD"])
        #expect(first.status == 201, "\(first.text)")
        #expect(first.string(Self.card + ".number") == "512345xxxxxx0008")
        #expect(first.value?["session"] == nil)
        #expect(await api.retrieve(session).value?.at(Self.card + ".securityCode") == nil)
        let second = await api.pay("o-2", ["session.id": .string(session)])
        #expect(second.status == 201)
        #expect(api.acquirer.commands.count == 2)
        #expect(api.acquirer.commands.map { $0.card?.securityCode?.revealed() } == ["100", nil])
        #expect(api.acquirer.commands.allSatisfy { $0.card?.accountNumber.revealed() == "5123450000000008" })
    }

    @Test func `a token pays, is echoed and is marked as used`() async throws {
        let api = try TestAPI()
        let token = try await api.token()
        api.clock.advance(byMilliseconds: 1000)
        let response = await api.pay(
            "o-1", ["sourceOfFunds.token": .string(token), "sourceOfFunds.type": "CARD"])
        #expect(response.status == 201)
        #expect(
            response.value?["sourceOfFunds"] == [
                "provided": [
                    "card": [
                        "brand": "MASTERCARD", "expiry": ["month": "5", "year": "39"], "fundingMethod": "CREDIT",
                        "number": "512345xxxxxx0008", "scheme": "MASTERCARD", "storedOnFile": "NOT_STORED",
                    ]
                ], "token": .string(token), "type": "CARD",
            ])
        let kept = await api.send(.get, TestAPI.base + "/token/" + token)
        #expect(kept.string("usage.lastUsed") == api.clock.now.description)
        #expect(kept.string("usage.lastUpdated") == TestPayment.instant.description)
        let order = await api.send(.get, TestAPI.base + "/order/o-1")
        #expect(order.string("sourceOfFunds.token") == token)
    }

    @Test func `the request wins over the session, and the session over the token`() async throws {
        let api = try TestAPI()
        let token = try await api.token([
            "expiry": ["month": "1", "year": "31"], "nameOnCard": "TOKEN", "number": "4508750015741019",
        ])
        let session = try await api.session([
            "order": ["reference": "session", "description": "session"],
            "sourceOfFunds": [
                "provided": ["card": ["expiry": ["month": "2", "year": "32"], "securityCode": "222"]],
                "token": .string(token),
            ],
        ])
        let response = await api.pay(
            "o-1",
            [
                "session.id": .string(session), "order.reference": "request",
                "sourceOfFunds.provided.card.expiry.month": "3",
            ])
        #expect(response.status == 201, "\(response.text)")
        let card = try #require(api.acquirer.commands.first?.card)
        #expect(card.accountNumber.revealed() == "4508750015741019")
        #expect(card.expiry == CardExpiry(month: 3, year: 32))
        #expect(card.nameOnCard?.revealed() == "TOKEN")
        #expect(card.securityCode?.revealed() == "222")
        #expect(response.string("order.reference") == "request")
        #expect(response.string("order.description") == "session")
        #expect(response.string("sourceOfFunds.token") == token)
    }

    @Test func `an amount may come from the session, and what an operation doesn't have is passed over`() async throws {
        let api = try TestAPI()
        var fields = TestAPI.source(TestAPI.card)
        fields.set(["order"], ["amount": "77.00", "currency": "USD", "id": "o-1"])
        fields.set(["authentication"], ["channel": "PAYER_BROWSER"])
        fields.set(["transaction"], ["amount": "5.00", "currency": "USD"])
        let session = try await api.session(fields)
        let request: JSONValue = ["apiOperation": "AUTHORIZE", "session": ["id": .string(session)]]
        let response = await api.put(request, TestAPI.base + "/order/o-1/transaction/1")
        #expect(response.status == 201, "\(response.text)")
        #expect(response.value?.at("order.amount") == JSONNumber("77.00").map(JSONValue.number))
        let verify: JSONValue = ["apiOperation": "VERIFY", "session": ["id": .string(session)]]
        #expect(await api.put(verify, TestAPI.base + "/order/o-2/transaction/1").status == 201)
    }

    @Test func `a wallet's token in a session is opened when it pays, and is gone then`() async throws {
        let merchant = try LocalMerchant()
        let api = try TestAPI(applePay: merchant.opener, at: LocalMerchant.instant)
        let order = try merchant.order(pan: "5353756319181169", amountMinorUnits: 1000)
        let token = try merchant.mint(order)
        var fields = TestAPI.source(["devicePayment": ["paymentToken": .string(token)]])
        fields.set(["order"], ["walletProvider": "APPLE_PAY"])
        let session = try await api.session(fields)
        let response = await api.pay("o-1", ["session.id": .string(session)])
        #expect(response.status == 201, "\(response.text)")
        #expect(response.string(Self.card + ".encryption") == "DEVICE")
        #expect(response.string("order.walletProvider") == "APPLE_PAY")
        let again = await api.pay("o-2", ["session.id": .string(session)])
        #expect(again.refusal == "400 | \(Self.card).number | MISSING | Missing parameter")
    }

    /// Gives way to something else before it reads.
    private final class InterruptedStore: SealedStore {
        private let store = InMemoryStore()
        private let interruption = Mutex<(@Sendable () async -> Void)?>(nil)

        func interrupt(by interruption: @escaping @Sendable () async -> Void) {
            self.interruption.withLock { $0 = interruption }
        }

        func item(_ name: [UInt8]) async throws(StoreFailure) -> SealedItem? {
            let interruption = interruption.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            await interruption?()
            return try await store.item(name)
        }
        func put(
            _ item: SealedItem, at instant: Instant, in group: SealedGroup?
        ) async throws(StoreFailure) -> SealedOutcome {
            try await store.put(item, at: instant, in: group)
        }
        func remove(_ name: [UInt8]) async throws(StoreFailure) -> Bool { try await store.remove(name) }
        func removeExpired(at instant: Instant, countMax: Int) async throws(StoreFailure) -> Int {
            try await store.removeExpired(at: instant, countMax: countMax)
        }
    }

    @Test func `a request whose twin has just used the session up has the twin's answer`() async throws {
        let merchant = try LocalMerchant()
        let store = InterruptedStore()
        let api = try TestAPI(applePay: merchant.opener, sealedStore: store, at: LocalMerchant.instant)
        let token = try merchant.mint(try merchant.order(pan: "5353756319181169", amountMinorUnits: 1000))
        var fields = TestAPI.source(["devicePayment": ["paymentToken": .string(token)]])
        fields.set(["order"], ["walletProvider": "APPLE_PAY"])
        let session = try await api.session(fields)
        let answers = Mutex<[Response]>([])
        store.interrupt {
            let twin = await api.pay("o-1", ["session.id": .string(session)])
            answers.withLock { $0.append(twin) }
        }
        let response = await api.pay("o-1", ["session.id": .string(session)])
        #expect(response.status == 201, "\(response.text)")
        #expect(answers.withLock { $0.map(\.text) } == [response.text])
        #expect(api.acquirer.commands.count == 1)
        store.interrupt { _ = await api.pay("o-2", ["session.id": .string(session), "order.amount": "1.00"]) }
        let other = await api.pay("o-2", ["session.id": .string(session)])
        #expect(other.refusal == "400 | \(Self.card).number | MISSING | Missing parameter")
    }

    @Test func `a card of the request takes the place of a wallet's token in the session`() async throws {
        let merchant = try LocalMerchant()
        let api = try TestAPI(applePay: merchant.opener)
        let token = JSONValue.string(try merchant.mint(try merchant.order()))
        let session = try await api.session(TestAPI.source(["devicePayment": ["paymentToken": token]]))
        let response = await api.pay(
            "o-1", ["session.id": .string(session), "sourceOfFunds.provided.card": TestAPI.card])
        #expect(response.status == 201, "\(response.text)")
        #expect(api.acquirer.commands.first?.card?.devicePayment == nil)
    }

    @Test func `a repeated request has its answer, though the session has forgotten the code or is gone`() async throws
    {
        let api = try TestAPI()
        let session = try await api.session()
        let first = await api.pay("o-1", ["session.id": .string(session)])
        #expect(first.status == 201)
        #expect(await api.pay("o-1", ["session.id": .string(session)]) == first)
        api.clock.advance(byMilliseconds: 60 * 60 * 1000)
        #expect(await api.pay("o-1", ["session.id": .string(session)]) == first)
        #expect(api.acquirer.commands.count == 1)
        let differs = await api.pay("o-1", ["session.id": .string(session), "order.amount": "11.00"])
        #expect(
            differs.string("error.explanation")?.hasPrefix("Transaction or Order ID supplied already exists") == true)
    }

    @Test func `a session that was never updated, or has another version, pays nothing`() async throws {
        let api = try TestAPI()
        let empty = try await api.createSession()
        #expect(
            await api.pay("o-1", ["session.id": .string(empty)]).refusal
                == "400 | session.id | INVALID | Value is invalid. Its updateStatus is NO_UPDATE, and must be SUCCESS")
        let session = try await api.session()
        #expect(
            await api.pay("o-1", ["session.id": .string(session), "session.version": "0123456701"]).refusal
                == "400 | session.version | INVALID | Value is invalid. The session has another version")
        let version = try #require(await api.retrieve(session).string("session.version"))
        let response = await api.pay(
            "o-1", ["session.id": .string(session), "session.version": .string(version)])
        #expect(response.status == 201)
        #expect(api.acquirer.commands.count == 1)
    }

    @Test func `a refused operation has not used the session`() async throws {
        let api = try TestAPI()
        let session = try await api.session()
        let refused = await api.pay("o-1", ["session.id": .string(session), "order.amount": "0"])
        #expect(refused.status == 400)
        let unknown = await api.pay("o-1", ["session.id": .string(session), "x": "1"])
        #expect(unknown.refusal == "400 | - | - | Unexpected parameter 'x'")
        #expect(await api.retrieve(session).string(Self.card + ".securityCode") == "xxx")
        let declined = await api.pay("o-1", ["session.id": .string(session), "order.amount": "5757"])
        #expect(declined.status == 201)
        #expect(await api.retrieve(session).value?.at(Self.card + ".securityCode") == nil)
    }

    @Test func `another merchant's session and token pay nothing`() async throws {
        let api = try TestAPI()
        let session = try await api.session()
        let token = try await api.token()
        for (name, value, refusal) in [
            (["session"], ["id": .string(session)], "Form Session not found or expired."),
            (["sourceOfFunds"], ["token": .string(token)], "Token not found"),
        ] as [([String], JSONValue, String)] {
            var request: JSONValue = ["apiOperation": "PAY", "order": ["amount": "10.00", "currency": "USD"]]
            request.set(name[...], value)
            let response = await api.send(
                .put, "/api/rest/version/100/merchant/TESTOTHER/order/o/transaction/1", bytes: request.serialized(),
                authorization: [TestAPI.credentials("TESTOTHER")])
            #expect(response.refusal == "400 | - | - | \(refusal)")
        }
    }

    @Test func `no refusal of a merged request repeats what the session holds`() async throws {
        let api = try TestAPI()
        let session = try await api.session(
            TestAPI.source([
                "devicePayment": ["eciIndicator": "05", "onlinePaymentCryptogram": "AgAAAAAABk4DWZ4C28yUQAAAAAA="],
                "nameOnCard": "JOHN Q. CARDHOLDER", "number": "5123450000000008", "securityCode": "9172",
            ]))
        let response = await api.pay("o-1", ["session.id": .string(session)])
        #expect(response.status == 400)
        for secret in ["5123450000000008", "9172", "AgAAAAAABk4DWZ4C28yUQAAAAAA=", "CARDHOLDER"] {
            #expect(!response.text.contains(secret))
        }
    }
}
