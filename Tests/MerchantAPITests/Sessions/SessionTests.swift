import HTTP
import HTTPTypes
import JSON
import TestSupport
import Testing
import Values
import Vault

struct SessionTests {
    private static let card = "sourceOfFunds.provided.card"

    @Test(arguments: [
        "", "{}", #"{"authentication":null}"#, #"{"session":{"authenticationLimit":null}}"#, #"{"session":null}"#,
    ])
    func `a session is created of nothing, in the members' own order`(body: String) async throws {
        let response = await (try TestAPI()).send(.post, TestAPI.base + "/session", body: body)
        #expect(response.status == 201)
        let id = try #require(response.string("session.id"))
        let version = try #require(response.string("session.version"))
        let key = try #require(response.string("session.aes256Key"))
        #expect(
            response.text
                == #"{"merchant":"TESTMERCHANT","result":"SUCCESS","session":{"aes256Key":"\#(key)","#
                + #""authenticationLimit":5,"id":"\#(id)","updateStatus":"NO_UPDATE","version":"\#(version)"}}"#)
        #expect(try /SESSION0002[0-9]{9}[A-N][0-9]{7,8}[A-N][0-9]{1,2}/.wholeMatch(in: id) != nil)
        #expect(try /[0-9a-f]{8}01/.wholeMatch(in: version) != nil)
        #expect(key.utf8.count == 44 && Base64.decoded(key)?.count == 32)
    }

    @Test(arguments: [("50", false), ("51", true), ("100", true), ("1", false)])
    func `the key and the limit are there from version fifty-one on`(version: String, are: Bool) async throws {
        let path = "/api/rest/version/\(version)/merchant/TESTMERCHANT/session"
        let response = await (try TestAPI()).send(.post, path)
        #expect((response.value?.at("session.aes256Key") != nil) == are)
        #expect((response.value?.at("session.authenticationLimit") != nil) == are)
    }

    @Test func `a session has the limit and the reply the correlation that were asked for`() async throws {
        let response = await (try TestAPI()).post(
            "/session", ["correlationId": "c-1", "session": ["authenticationLimit": 25]])
        #expect(response.value?.at("session.authenticationLimit") == 25)
        #expect(response.string("correlationId") == "c-1")
    }

    @Test(
        arguments: [
            (["order": ["id": "1"]], "400 | - | - | Unexpected parameter 'order'"),
            (
                ["apiOperation": "INITIATE_CHECKOUT", "interaction": ["operation": "PURCHASE"]],
                "400 | apiOperation | UNSUPPORTED | Value 'INITIATE_CHECKOUT' is unsupported. This gateway does not simulate it"
            ),
            (
                ["apiOperation": "CREATE_CHECKOUT_SESSION"],
                "400 | apiOperation | UNSUPPORTED | Value 'CREATE_CHECKOUT_SESSION' is unsupported. This gateway does not "
                    + "simulate it"
            ),
            (
                ["apiOperation": "PAY"],
                "400 | apiOperation | INVALID | Value 'PAY' is invalid. Expected CREATE_SESSION, or none"
            ),
            (
                ["session": ["authenticationLimit": 10_000]],
                "400 | session.authenticationLimit | INVALID | Value '10000' is invalid. Expected a whole number from 0 to 9999"
            ),
            (
                ["session": ["authenticationLimit": -1]],
                "400 | session.authenticationLimit | INVALID | Value '-1' is invalid. Expected a whole number from 0 to 9999"
            ),
        ] as [(JSONValue, String)])
    func `a creation that says something else is refused`(body: JSONValue, refusal: String) async throws {
        #expect(await (try TestAPI()).post("/session", body).refusal == refusal)
    }

    @Test func `what was stored is shown with the card masked, by the update and by retrieval`() async throws {
        let api = try TestAPI()
        let id = try await api.createSession()
        let updated = await api.update(
            id,
            [
                "apiOperation": "UPDATE_PAYER_DATA", "correlationId": "c-1", "customer": ["email": "a@example.com"],
                "order": ["amount": "10.00", "currency": "USD", "id": "o-1", "walletProvider": "APPLE_PAY"],
                "sourceOfFunds": [
                    "provided": [
                        "card": [
                            "expiry": ["month": "05", "year": "39"], "nameOnCard": "J 4508750015741019",
                            "number": "345678901234564", "securityCode": "1000", "storedOnFile": "TO_BE_STORED",
                        ]
                    ], "type": "CARD",
                ],
            ])
        #expect(updated.status == 200)
        let version = try #require(updated.string("session.version"))
        #expect(version.hasSuffix("02"))
        let content =
            #""customer":{"email":"a@example.com"},"merchant":"TESTMERCHANT","order":{"amount":"10.00","currency":"USD","#
            + #""id":"o-1","walletProvider":"APPLE_PAY"},"session":{"id":"\#(id)","updateStatus":"SUCCESS","#
            + #""version":"\#(version)"},"sourceOfFunds":{"provided":{"card":{"brand":"AMEX","expiry":{"month":"5","#
            + #""year":"39"},"fundingMethod":"CREDIT","nameOnCard":"J xxxxxxxxxxxx1019","number":"345678xxxxx4564","#
            + #""scheme":"AMEX","securityCode":"xxxx","storedOnFile":"TO_BE_STORED"}},"type":"CARD"},"version":"100"}"#
        #expect(updated.text == #"{"correlationId":"c-1","# + content)
        #expect(await api.retrieve(id).text == "{" + content)
        let other = await api.send(.get, "/api/rest/version/71/merchant/TESTMERCHANT/session/" + id)
        #expect(other.string("version") == "71")
    }

    @Test func `what isn't served is not shown, though nothing was in it`() async throws {
        let api = try TestAPI()
        let fields: JSONValue = [
            "billing": [], "order": ["purchaseType": [:], "reference": "r", "subMerchant": []],
            "sourceOfFunds": ["provided": ["ach": ["accountType": .null], "card": TestAPI.card, "giftCard": []]],
        ]
        let reply = await api.update(try await api.createSession(), fields)
        #expect(reply.status == 200)
        #expect(reply.value?.at("billing") == nil)
        #expect(reply.value?.at("order") == ["reference": "r"])
        #expect(reply.value?.at("sourceOfFunds.provided.card") != nil)
        #expect(reply.value?.at("sourceOfFunds.provided.ach") == nil)
        #expect(reply.value?.at("sourceOfFunds.provided.giftCard") == nil)
    }

    @Test func `a later update overwrites and removes nothing`() async throws {
        let api = try TestAPI()
        let id = try await api.session()
        let response = await api.update(
            id,
            [
                "order": ["reference": "r"],
                "sourceOfFunds": ["provided": ["card": ["expiry": ["month": 6], "securityCode": .null]]],
            ])
        #expect(response.string("session.version")?.hasSuffix("03") == true)
        #expect(
            response.value?.at(Self.card) == [
                "brand": "MASTERCARD", "expiry": ["month": "6", "year": "39"], "fundingMethod": "CREDIT",
                "number": "512345xxxxxx0008", "scheme": "MASTERCARD", "securityCode": "xxx",
            ])
        #expect(response.string("order.reference") == "r")
    }

    @Test func `a wallet's token is stored unopened, and no device's secret is shown`() async throws {
        let merchant = try LocalMerchant()
        let api = try TestAPI(applePay: merchant.opener)
        let id = try await api.createSession()
        // Signed years from the tests' instant, for another amount than any order's.
        let token = try merchant.mint(try merchant.order())
        let response = await api.update(id, TestAPI.source(["devicePayment": ["paymentToken": .string(token)]]))
        #expect(response.status == 200)
        #expect(response.string("session.updateStatus") == "SUCCESS")
        #expect(response.value?.at(Self.card) == [:])
        let decrypted = await api.update(
            id,
            TestAPI.source([
                "devicePayment": [
                    "cryptogramFormat": "3DSECURE", "eciIndicator": "05", "onlinePaymentCryptogram": "SECRET==",
                ], "number": "5123450000000008",
            ]))
        #expect(decrypted.value?.at(Self.card + ".devicePayment") == ["cryptogramFormat": "3DSECURE"])
        #expect(decrypted.string(Self.card + ".fundingMethod") == "UNKNOWN")
        #expect(!decrypted.text.contains("SECRET") && !decrypted.text.contains("eciIndicator"))
    }

    @Test(
        arguments: [
            ("unknown", "1", "400 | - | - | Unexpected parameter 'unknown'"),
            ("session.x", "1", "400 | - | - | Unexpected parameter 'session.x'"),
            (
                card + ".number", "5123450000000009",
                "400 | \(card).number | INVALID | Value is invalid. The check digit is wrong"
            ),
            (
                card + ".number", "123",
                "400 | \(card).number | INVALID | Value is invalid. Length is 3 characters, but must be more than 8"
            ),
            (card + ".expiry.month", "13", "400 | \(card).expiry.month | INVALID | Value is invalid. Expected 1 to 12"),
            (card + ".expiry.month", "0", "400 | \(card).expiry.month | INVALID | Value is invalid. Expected 1 to 12"),
            (
                card + ".expiry.year", "2039",
                "400 | \(card).expiry.year | INVALID | Value is invalid. Expected 2 digits"
            ),
            (card + ".securityCode", "1x3", "400 | \(card).securityCode | INVALID | Value is invalid. Expected digits"),
            (
                card + ".nameOnCard", "",
                "400 | \(card).nameOnCard | INVALID | Value is invalid. Length is 0 characters, but must be more than 0"
            ),
            (
                card + ".maskedFpanExpiry.month", "13",
                "400 | \(card).maskedFpanExpiry.month | INVALID | Value is invalid. Expected 1 to 12"
            ),
            (
                card + ".maskedFpanExpiry.year", "2039",
                "400 | \(card).maskedFpanExpiry.year | INVALID | Value is invalid. Expected 2 digits"
            ),
            // No currency says how many decimals there are, but there is none with five.
            (
                "order.amount", "12,50",
                "400 | order.amount | INVALID | Value '12,50' is invalid. "
                    + "Expected digits, optionally followed by a point and more digits"
            ),
            (
                "transaction.itemAmount", "1.23456",
                "400 | transaction.itemAmount | INVALID | Value '1.23456' is invalid. A currency has at most 4 decimals"
            ),
            (
                "transaction.taxAmount", "1000000000001",
                "400 | transaction.taxAmount | INVALID | Value '1000000000001' is invalid. "
                    + "It must not be more than 1000000000000"
            ),
            ("order.walletProvider", "PEAR_PAY", nil),
            (
                "apiOperation", "PAY",
                "400 | apiOperation | INVALID | Value 'PAY' is invalid. Expected UPDATE_PAYER_DATA, or none"
            ),
        ] as [(String, String, String?)])
    func `an update with a broken field stores nothing`(path: String, value: String, refusal: String?) async throws {
        let api = try TestAPI()
        let id = try await api.session()
        let before = await api.retrieve(id)
        var body: JSONValue = ["order": ["reference": "r"]]
        body.set(path.split(separator: ".").map(String.init)[...], .string(value))
        let response = await api.update(id, body)
        #expect(response.status == 400)
        if let refusal { #expect(response.refusal == refusal) }
        #expect(await api.retrieve(id) == before)
    }

    @Test func `a session of another merchant, an expired one and none get the same reply`() async throws {
        let api = try TestAPI()
        let id = try await api.session()
        let refusal = "400 | - | - | Form Session not found or expired."
        let other = "/api/rest/version/100/merchant/TESTOTHER/session/" + id
        for path in [TestAPI.base + "/session/SESSION0002000000000A00000000A0", TestAPI.base + "/session/x", other] {
            let credentials = [TestAPI.credentials(path == other ? "TESTOTHER" : "TESTMERCHANT")]
            #expect(await api.send(.get, path, authorization: credentials).refusal == refusal)
            #expect(await api.send(.put, path, body: "{}", authorization: credentials).refusal == refusal)
        }
        api.clock.advance(byMilliseconds: 15 * 60 * 1000)
        #expect(await api.retrieve(id).refusal == refusal)
        #expect(await api.update(id, [:]).refusal == refusal)
        for none in [id, "LOLSESSIONTOKEN", "1", String(repeating: "x", count: 35)] {
            #expect(await api.pay("o", ["session.id": .string(none)]).refusal == refusal)
        }
    }

    @Test func `an update that expects another version is refused`() async throws {
        let api = try TestAPI()
        let id = try await api.session()
        let version = try #require(await api.retrieve(id).string("session.version"))
        let refusal = "400 | session.version | INVALID | Value is invalid. The session has another version"
        #expect(await api.update(id, ["session": ["version": "0123456701"]]).refusal == refusal)
        #expect(await api.update(id, ["session": ["version": .string(version)]]).status == 200)
        #expect(await api.update(id, ["session": ["version": .string(version)]]).refusal == refusal)
    }

    @Test func `sessions need credentials, and their content its syntax before them`() async throws {
        let api = try TestAPI()
        let id = try await api.session()
        for (method, path) in [(.post, "/session"), (.put, "/session/" + id), (.get, "/session/" + id)]
            as [(HTTPRequest.Method, String)]
        {
            let path = TestAPI.base + path
            #expect(await api.send(method, path, body: "{}", authorization: []).status == 401)
            #expect(await api.send(method, path, body: "{}", authorization: ["Basic eDp5"]).status == 401)
        }
        #expect(await api.send(.put, TestAPI.base + "/session/" + id, body: "{", authorization: []).status == 400)
        #expect(await api.send(.put, TestAPI.base + "/session/" + id, body: "").status == 400)
    }

    @Test func `a session that would hold too much is refused`() async throws {
        let api = try TestAPI()
        let id = try await api.session()
        let large = String(repeating: "x", count: 40_000)
        let response = await api.update(
            id, ["authentication": ["3ds2": ["sdk": ["encryptedData": .string(large)]]]])
        #expect(response.refusal == "400 | - | - | The session cannot hold that much")
        #expect(await api.retrieve(id).string("session.version")?.hasSuffix("02") == true)
    }

    private struct FailingStore: SealedStore {
        let failure: StoreFailure
        func item(_ name: [UInt8]) async throws(StoreFailure) -> SealedItem? { throw failure }
        func put(_ item: SealedItem, at: Instant, in group: SealedGroup?) async throws(StoreFailure) -> SealedOutcome {
            throw failure
        }
        func remove(_ name: [UInt8]) async throws(StoreFailure) -> Bool { throw failure }
        func removeExpired(at: Instant, countMax: Int) async throws(StoreFailure) -> Int { throw failure }
    }

    @Test(arguments: [
        (StoreFailure.unavailable(detail: "disk I/O error in /srv/secret"), 503, "SERVER_BUSY"),
        (.damaged(detail: "/srv/secret"), 500, "SERVER_FAILED"),
    ])
    func `a store that fails is no fault of the client's`(failure: StoreFailure, status: Int, cause: String)
        async throws
    {
        let api = try TestAPI(sealedStore: FailingStore(failure: failure))
        let id = "SESSION0002000000000A00000000A0"
        let responses = [
            await api.post("/session", [:]), await api.update(id, [:]), await api.retrieve(id),
            await api.post("/token", TestAPI.source(TestAPI.card)),
            await api.send(.delete, TestAPI.base + "/token/9751187013099186"),
            await api.pay("o", ["session.id": .string(id)]), await api.pay("o", ["sourceOfFunds.token": "9"]),
        ]
        for response in responses {
            #expect(response.status == status)
            #expect(response.string("error.cause") == cause)
            #expect(!response.text.contains("secret"))
        }
    }
}
