import HTTP
import HTTPTypes
import JSON
import TestSupport
import Testing

struct PaymentOptionsTests {
    private static let path = "/paymentOptionsInquiry"

    @Test(arguments: ["GET", "POST", "{}"])
    func `a merchant is told what it can be paid with, asked either way`(way: String) async throws {
        let api = try TestAPI()
        let response = await api.send(
            way == "GET" ? .get : .post, "/api/rest/version/100/merchant/TESTOTHER" + Self.path,
            body: way == "{}" ? way : "", authorization: [TestAPI.credentials("TESTOTHER")])
        #expect(response.status == 200)
        #expect(
            response.text
                == #"{"merchant":"TESTOTHER","paymentTypes":{"card":{"cardTypes":[{"cardType":"AMEX"},"#
                + #"{"cardType":"DINERS_CLUB"},{"cardType":"DISCOVER"},{"cardType":"JCB"},{"cardType":"MAESTRO"},"#
                + #"{"cardType":"MASTERCARD"},{"cardType":"UATP"},{"cardType":"UNIONPAY"},{"cardType":"VISA"}],"#
                + #""currencies":[{"currency":"USD"}]}},"result":"SUCCESS","supportedPaymentOperations":"#
                + #"[{"supportedPaymentOperation":"AUTHORIZE"},{"supportedPaymentOperation":"PURCHASE"}]}"#)
    }

    @Test(arguments: [("51", true), ("52", false), ("22", true)])
    func `until version fifty-one one word names the operations`(version: String, isOneWord: Bool) async throws {
        let response = await (try TestAPI()).send(
            .get, "/api/rest/version/\(version)/merchant/TESTMERCHANT" + Self.path)
        #expect(response.string("transactionMode") == (isOneWord ? "AUTHORIZE_CAPTURE" : nil))
        #expect((response.value?["supportedPaymentOperations"] == nil) == isOneWord)
    }

    @Test func `a merchant with keys for Apple Pay has that wallet`() async throws {
        let with = await (try TestAPI(applePay: LocalMerchant().opener)).post(Self.path, [:])
        #expect(with.value?.at("paymentTypes.card.walletProviders") == [["walletProvider": "APPLE_PAY"]])
        #expect(await (try TestAPI()).post(Self.path, [:]).value?.at("paymentTypes.card.walletProviders") == nil)
    }

    @Test func `a merchant of every currency has them all, or the one that is asked for`() async throws {
        let api = try TestAPI()
        let all = await api.post(Self.path, ["apiOperation": "PAYMENT_OPTIONS_INQUIRY"])
        guard case .array(let currencies) = all.value?.at("paymentTypes.card.currencies") else {
            Issue.record("no currencies")
            return
        }
        #expect(currencies.count > 150)
        let one = await api.post(Self.path, ["order": ["currency": "EUR", "amount": "1"]])
        #expect(one.value?.at("paymentTypes.card.currencies") == [["currency": "EUR"]])
    }

    @Test(
        arguments: [
            (
                ["order": ["currency": "EUR"]],
                "400 | order.currency | INVALID | Value 'EUR' is invalid. No valid Merchant Acquirer Relationship available"
            ),
            (["x": 1], "400 | - | - | Unexpected parameter 'x'"),
            (
                ["order": ["taxAmount": "a lot"]],
                "400 | order.taxAmount | INVALID | Value 'a lot' is invalid. "
                    + "Expected digits, optionally followed by a point and more digits"
            ),
            (
                ["sourceOfFunds": ["provided": ["card": ["number": "123"]]]],
                "400 | sourceOfFunds.provided.card.number | INVALID | Value is invalid. "
                    + "Length is 3 characters, but must be more than 8"
            ),
            (
                ["apiOperation": "PAY"],
                "400 | apiOperation | INVALID | Value 'PAY' is invalid. Expected PAYMENT_OPTIONS_INQUIRY, or none"
            ),
        ] as [(JSONValue, String)])
    func `what can't be asked is refused`(body: JSONValue, refusal: String) async throws {
        let response = await (try TestAPI()).send(
            .post, "/api/rest/version/100/merchant/TESTOTHER" + Self.path, bytes: body.serialized(),
            authorization: [TestAPI.credentials("TESTOTHER")])
        #expect(response.refusal == refusal)
    }

    @Test func `nobody is told without credentials`() async throws {
        let response = await (try TestAPI()).send(.get, TestAPI.base + Self.path, authorization: [])
        #expect(response.status == 401)
    }
}
