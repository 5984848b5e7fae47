import HTTP
import HTTPTypes
import JSON
import TestSupport
import Testing
import Values
import Vault

struct CardTokenTests {
    private static let card = "sourceOfFunds.provided.card"

    @Test func `a card is stored under a token, whose reply has the real gateway's members`() async throws {
        let api = try TestAPI()
        let response = await api.post(
            "/token", ["sourceOfFunds": ["provided": ["card": TestAPI.card], "type": "CARD"]])
        #expect(response.status == 201)
        let token = try #require(response.string("token"))
        #expect(token.utf8.count == 16 && token.hasPrefix("9"))
        let time = TestPayment.instant.description
        #expect(
            response.text
                == #"{"repositoryId":"TESTMERCHANT","response":{"gatewayCode":"BASIC_VERIFICATION_SUCCESSFUL"},"#
                + #""result":"SUCCESS","sourceOfFunds":{"provided":{"card":{"brand":"MASTERCARD","expiry":"0539","#
                + #""fundingMethod":"CREDIT","number":"512345xxxxxx0008","scheme":"MASTERCARD"}},"type":"CARD"},"#
                + #""status":"VALID","token":"\#(token)","usage":{"lastUpdated":"\#(time)","#
                + #""lastUpdatedBy":"TESTMERCHANT","lastUsed":"\#(time)"},"verificationStrategy":"BASIC"}"#)
        #expect(await api.send(.get, TestAPI.base + "/token/" + token).text == response.text)
        let again = await api.post("/token", TestAPI.source(TestAPI.card))
        #expect(again.string("token") != token)
    }

    @Test func `a card is stored from a session and from another token`() async throws {
        let api = try TestAPI()
        let session = try await api.session()
        let stored = await api.post("/token", ["session": ["id": .string(session)], "sourceOfFunds": ["type": "CARD"]])
        let token = try #require(stored.string("token"))
        #expect(stored.string(Self.card + ".number") == "512345xxxxxx0008")
        #expect(await api.retrieve(session).string(Self.card + ".securityCode") == "xxx")
        let second = await api.post(
            "/token",
            [
                "sourceOfFunds": [
                    "provided": ["card": ["expiry": ["month": "1"], "nameOnCard": "J"]], "token": .string(token),
                ],
                "verificationStrategy": "NONE",
            ])
        #expect(second.status == 201)
        #expect(second.string(Self.card + ".expiry") == "0139")
        #expect(second.string(Self.card + ".nameOnCard") == "J")
        #expect(second.string("response.gatewayCode") == "NO_VERIFICATION_PERFORMED")
    }

    @Test func `an update replaces the card, and keeps what the token itself gives`() async throws {
        let api = try TestAPI()
        let token = try await api.token()
        let path = TestAPI.base + "/token/" + token
        api.clock.advance(byMilliseconds: 1000)
        let expiry: JSONValue = [
            "sourceOfFunds": [
                "provided": ["card": ["expiry": ["month": "12", "year": "40"]]], "token": .string(token),
            ]
        ]
        let updated = await api.put(expiry, path)
        #expect(updated.status == 200)
        #expect(updated.string(Self.card + ".expiry") == "1240")
        #expect(updated.string(Self.card + ".number") == "512345xxxxxx0008")
        #expect(updated.string("usage.lastUpdated") != updated.string("usage.lastUsed"))
        let other = await api.put(
            TestAPI.source(["expiry": ["month": 1, "year": "41"], "number": "4508750015741019"]), path)
        #expect(other.string("token") == token)
        #expect(await api.send(.get, path).string(Self.card + ".number") == "450875xxxxxx1019")
        let partial = await api.put(TestAPI.source(["expiry": ["month": "12", "year": "40"]]), path)
        #expect(partial.refusal == "400 | \(Self.card).number | MISSING | Missing parameter")
    }

    @Test func `a deleted token is not found, by nobody`() async throws {
        let api = try TestAPI()
        let token = try await api.token()
        let path = TestAPI.base + "/token/" + token
        let other = "/api/rest/version/100/merchant/TESTOTHER/token/" + token
        let refusal = "400 | - | - | Token not found"
        for method in [.get, .delete] as [HTTPRequest.Method] {
            let response = await api.send(method, other, authorization: [TestAPI.credentials("TESTOTHER")])
            #expect(response.refusal == refusal)
        }
        let deleted = await api.send(.delete, path)
        #expect(deleted.status == 200)
        #expect(deleted.text == #"{"result":"SUCCESS"}"#)
        #expect(await api.send(.delete, path).refusal == refusal)
        #expect(await api.send(.get, path).refusal == refusal)
        #expect(await api.put(TestAPI.source(TestAPI.card), path).refusal == refusal)
        #expect(await api.pay("o", ["sourceOfFunds.token": .string(token)]).refusal == refusal)
        #expect(await api.post("/token", ["sourceOfFunds": ["token": .string(token)]]).refusal == refusal)
    }

    @Test(
        arguments: [
            ("sourceOfFunds", nil, "400 | \(card).number | MISSING | Missing parameter"),
            (card + ".number", nil, "400 | \(card).number | MISSING | Missing parameter"),
            (card + ".expiry", nil, "400 | \(card).expiry.month | MISSING | Missing parameter"),
            (
                card + ".number", "5123450000000009",
                "400 | \(card).number | INVALID | Value is invalid. The check digit is wrong"
            ),
            (
                "verificationStrategy", "ACQUIRER",
                "400 | verificationStrategy | UNSUPPORTED | Value 'ACQUIRER' is unsupported. Expected BASIC, NONE"
            ),
            (
                "apiOperation", "PAY",
                "400 | apiOperation | INVALID | Value 'PAY' is invalid. Expected TOKENIZE, or none"
            ),
            ("x", "1", "400 | - | - | Unexpected parameter 'x'"),
            ("session.id", "SESSION0002000000000A00000000A0", "400 | - | - | Form Session not found or expired."),
        ] as [(String, String?, String)])
    func `what is no whole card is refused`(path: String, value: String?, refusal: String) async throws {
        var body = TestAPI.source(TestAPI.card)
        body.set(path.split(separator: ".").map(String.init)[...], value.map(JSONValue.string))
        #expect(await (try TestAPI()).post("/token", body).refusal == refusal)
    }

    @Test func `what a device generated is stored under no token`() async throws {
        let api = try TestAPI()
        for device in [["onlinePaymentCryptogram": "AAAA"], ["eciIndicator": "05"]] as [JSONValue] {
            let session = try await api.session(TestAPI.source(["devicePayment": device]))
            let response = await api.post("/token", ["session": ["id": .string(session)]])
            #expect(response.string("error.field") == Self.card + ".devicePayment")
            #expect(response.string("error.validationType") == "UNSUPPORTED")
        }
    }
}
