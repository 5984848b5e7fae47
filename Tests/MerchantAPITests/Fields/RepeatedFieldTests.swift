import HTTP
import HTTPTypes
import JSON
import Payments
import TestSupport
import Testing
import Values

/// Fields that the real gateway takes and shows again.
struct RepeatedFieldTests {
    private static let token = "AAABBEg0VhI0VniQEjRWAAAAAAA="

    @Test(arguments: ["3DSecure.authenticationToken", "authentication.3ds.authenticationToken"])
    func `a token of another provider's authentication is shown again, and not kept in clear`(path: String) async throws
    {
        let store = InMemoryStore()
        let api = try TestAPI(store: store)
        let request = try Example.plain([path: .string(Self.token)])
        let first = await api.put(request)
        #expect(first.string(path) == Self.token)
        #expect(await api.put(request) == first)
        #expect(await api.send(.get).string(path) == Self.token)
        let order = await api.send(.get, "/api/rest/version/71/merchant/TESTMERCHANT/order/844205983")
        #expect(order.string(path) == Self.token)
        let capture = await api.put(
            ["apiOperation": "CAPTURE", "transaction": ["amount": "30.10", "currency": "USD"]], TestAPI.path + "-2")
        #expect(capture.status == 201 && !capture.text.contains(Self.token))
        let key = OrderKey(merchant: try MerchantID("TESTMERCHANT"), order: try OrderID("844205983"))
        for record in try #require(try await store.history(of: key)).transactions.map(\.record) {
            for coding in Codings.all(of: Self.token) { #expect(!record.contains(coding)) }
        }
    }

    private static let further: JSONValue = [
        "constraints": [
            "paymentPlans": ["numberOfDeferrals": 1, "numberOfPayments": 3, "supported": "BANAMEX_PLAN_N"]
        ],
        "locale": "de_DE", "merchantNote": "call first",
        "risk": ["bypassMerchantRiskRules": "ALL", "custom": ["channel": "web"]],
        "transactionFiltering": ["avsResponseCodeRules": [["action": "REJECT", "avsResponseCode": "NO_MATCH"]]],
    ]

    @Test(arguments: ["AUTHORIZE", "PAY", "VERIFY"])
    func `fields of every payment are taken and shown again`(operation: String) async throws {
        var request = try Example.plain([
            "apiOperation": .string(operation),
            "agreement.recurring": [
                "amountVariability": "FIXED", "daysBetweenPayments": 30, "expiryDate": "2030-01-31",
                "numberOfPayments": 12,
            ],
        ])
        guard case .object(let further) = Self.further else { return }
        for (name, value) in further { request.set([name], value) }
        let reply = await (try TestAPI()).put(request)
        #expect(reply.status == 201, "\(reply.text)")
        for name in ["constraints", "locale", "merchantNote", "transactionFiltering"] {
            #expect(reply.value?[name] == further[name], "\(name)")
        }
        #expect(reply.string("risk.bypassMerchantRiskRules") == "ALL")
        #expect(reply.value?.at("risk.custom") == ["channel": "web"])
        #expect(reply.string("risk.response.gatewayCode") == "ACCEPTED")
        #expect(reply.value?.at("agreement.recurring.daysBetweenPayments") == 30)
    }

    @Test(
        arguments: [
            ("merchantNote", .string(String(repeating: "a", count: 251))), ("locale", "d"),
            ("risk.bypassMerchantRiskRules", "SOME"), ("risk.custom", "x"),
            ("constraints.paymentPlans.numberOfPayments", "many"),
            ("transactionFiltering.avsResponseCodeRules", ["action": "REJECT"]),
            ("agreement.recurring.daysBetweenPayments", 0),
        ] as [(String, JSONValue)])
    func `a field that is not of its form is refused by its name`(path: String, value: JSONValue) async throws {
        #expect(await (try TestAPI()).put(try Example.plain([path: value])).string("error.field") == path)
    }

    private static let device = "sourceOfFunds.provided.card.devicePayment"

    @Test(arguments: ["SAMSUNG_PAY", "APPLE_PAY"])
    func `what a device generated may stand under 3DSecure`(wallet: String) async throws {
        let nested: JSONValue = [
            "3DSecure": ["eciIndicator": "5", "onlinePaymentCryptogram": "IA/8pdiWftSsxpFT6wABoDABhgA="],
            "cryptogramFormat": "3DSECURE",
        ]
        let api = try TestAPI()
        let reply = await api.put(try Example.changed([Self.device: nested, "order.walletProvider": .string(wallet)]))
        #expect(reply.status == 201, "\(reply.text)")
        #expect(!reply.text.contains("IA/8"))
        #expect(reply.value?.at(Self.device) == ["cryptogramFormat": "3DSECURE"])
        let card = try #require(api.acquirer.commands.first?.card)
        #expect(card.cryptogram?.revealed() == "IA/8pdiWftSsxpFT6wABoDABhgA=" && card.eciIndicator == "5")
    }

    @Test func `what a device generated stands in one place`() async throws {
        let path = Self.device + ".3DSecure.onlinePaymentCryptogram"
        let twice = await (try TestAPI()).put(try Example.changed([path: "IA/8pdiWftSsxpFT6wABoDABhgA="]))
        #expect(
            twice.refusal
                == "400 | \(path) | INVALID | Value is invalid. It must not be given together with \(Self.device).onlinePaymentCryptogram"
        )
        let broken = await (try TestAPI()).put(
            try Example.changed([
                Self.device: ["3DSecure": ["onlinePaymentCryptogram": "!"], "cryptogramFormat": "3DSECURE"]
            ]))
        #expect(broken.refusal == "400 | \(path) | INVALID | Value is invalid. Expected base64")
        let beside = await (try TestAPI()).put(
            try Example.token("{}", [Self.device + ".3DSecure.eciIndicator": "5"]))
        #expect(beside.string("error.field") == Self.device + ".3DSecure")
    }

    @Test func `a session forgets what a device generated, wherever it stood`() async throws {
        let api = try TestAPI()
        let id = try await api.createSession()
        let stored = await api.update(
            id,
            [
                "order": ["walletProvider": "SAMSUNG_PAY"],
                "sourceOfFunds": [
                    "provided": [
                        "card": [
                            "devicePayment": [
                                "3DSecure": [
                                    "eciIndicator": "5", "onlinePaymentCryptogram": "IA/8pdiWftSsxpFT6wABoDABhgA=",
                                ], "cryptogramFormat": "3DSECURE",
                            ], "expiry": ["month": "1", "year": "39"], "number": "5123450000000008",
                        ]
                    ]
                ],
            ])
        #expect(stored.status == 200, "\(stored.text)")
        #expect(stored.value?.at(Self.device) == ["cryptogramFormat": "3DSECURE"])
        #expect(await api.pay("o", ["session.id": .string(id)]).status == 201)
        #expect(
            await api.pay("p", ["session.id": .string(id)]).refusal
                == "400 | \(Self.device).onlinePaymentCryptogram | MISSING | Missing parameter")
    }
}
