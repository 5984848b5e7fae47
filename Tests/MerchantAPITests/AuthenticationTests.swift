import HTTP
import HTTPTypes
import Testing
import Values

struct AuthenticationTests {
    private static let order = "/api/rest/version/71/merchant/TESTMERCHANT/order/1"
    private static let body =
        #"{"error":{"cause":"INVALID_REQUEST","explanation":"Invalid credentials."},"result":"ERROR"}"#

    private static func basic(_ user: String, _ password: String, scheme: String = "Basic ") -> String {
        scheme + Base64.encoded(Array("\(user):\(password)".utf8))
    }

    private static let right = "TESTMERCHANT" + TestAPI.password

    @Test(arguments: [
        basic("merchant.TESTMERCHANT", right),
        basic("merchant.TESTMERCHANT", "TESTMERCHANT" + TestAPI.otherPassword),
        basic("merchant.TESTMERCHANT", right, scheme: "basic "),
        basic("merchant.TESTMERCHANT", right, scheme: "BASIC  "),
        basic("merchant.TESTMERCHANT", right, scheme: ""),
    ])
    func `each valid password opens, with or without the scheme's name`(authorization: String) async throws {
        let response = await (try TestAPI()).send(.get, Self.order, authorization: [authorization])
        #expect(response.refusal == "400 | - | - | Unable to find order 1 for merchant TESTMERCHANT")
    }

    @Test(arguments: [
        [basic("merchant.TESTMERCHANT", "wrong")],
        [basic("merchant.TESTMERCHANT", "")],
        [basic("merchant.TESTMERCHANT", right + " ")],
        [basic("merchant.TESTMERCHANT", right.lowercased())],
        [basic("TESTMERCHANT", right)],
        [basic("", right)],
        [basic("merchant.testmerchant", right)],
        [basic("merchant.TESTMERCHANT ", right)],
        [basic("merchant.UNKNOWN", right)],
        [basic("merchant.TESTOTHER", "TESTOTHER" + TestAPI.password)],
        [basic("merchant.TESTMERCHANT", right, scheme: "Bearer ")],
        [basic("merchant.TESTMERCHANT", right, scheme: "Basic")],
        [basic("merchant.TESTMERCHANT", right), basic("merchant.TESTMERCHANT", right)],
        ["Basic " + Base64.encoded(Array("merchant.TESTMERCHANT".utf8))],
        ["Basic ????"], ["Basic"], ["Basic "], [""], ["Digest username=\"merchant.TESTMERCHANT\""],
        ["Basic " + Base64.encoded([0xFF, 0xFE, 0x3A, 0x61])],
    ])
    func `other credentials are all refused alike and without a challenge`(authorization: [String]) async throws {
        let response = await (try TestAPI()).send(.get, Self.order, authorization: authorization)
        #expect(response.status == 401)
        #expect(response.text == Self.body)
        #expect(response.head.headerFields[.wwwAuthenticate] == nil)
    }

    @Test func `a merchant that doesn't exist is refused like a wrong password`() async throws {
        for path in ["UNKNOWN", "", "%00", "a%2Fb", String(repeating: "m", count: 41)] {
            let response = await (try TestAPI()).send(
                .get, "/api/rest/version/71/merchant/\(path)/order/1",
                authorization: [Self.basic("merchant.\(path)", Self.right)])
            #expect(path == "%00" ? response.status == 400 : response.text == Self.body)
        }
    }

    @Test func `no credentials get the challenge that some clients wait for`() async throws {
        for method in [HTTPRequest.Method.get, .put] {
            let response = await (try TestAPI()).send(method, body: Example.text, authorization: [])
            #expect(response.status == 401)
            #expect(response.text == Self.body)
            #expect(response.head.headerFields[.wwwAuthenticate] == #"Basic realm="Tollgate""#)
        }
    }

    @Test func `a merchant's orders are another one's only under the other's own path`() async throws {
        let api = try TestAPI()
        #expect(await api.send(.put, body: Example.text).status == 201)
        let others = TestAPI.path.replacing("TESTMERCHANT", with: "TESTOTHER")
        let credentials = [TestAPI.credentials("TESTOTHER")]
        #expect(await api.send(.get, TestAPI.path, authorization: credentials).status == 401)
        #expect(
            await api.send(.get, others, authorization: credentials).refusal
                == "400 | - | - | Unable to find order 844205983 for merchant TESTOTHER")
        let order = others.replacing("/transaction/950596203", with: "")
        #expect(
            await api.send(.get, order, authorization: credentials).refusal
                == "400 | - | - | Unable to find order 844205983 for merchant TESTOTHER")
        // The same identifiers are free for the other merchant.
        let response = await api.send(.put, others, body: Example.text, authorization: credentials)
        #expect(response.status == 201)
        #expect(response.string("merchant") == "TESTOTHER")
    }
}
