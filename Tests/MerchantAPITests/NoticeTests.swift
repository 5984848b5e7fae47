import ApplePay
import ApplePaySandbox
import HTTP
import HTTPTypes
import JSON
import TestSupport
import Testing

/// `Tollgate-Notice`: what a reply says beside its content.
struct NoticeTests {
    private static func notices(_ response: Response) throws -> [String] {
        response.head.headerFields[values: try #require(HTTPField.Name("Tollgate-Notice"))]
    }

    private struct Shop {
        let merchant: LocalMerchant
        let api: TestAPI

        init(_ opener: (LocalMerchant) -> TokenOpener = { $0.opener }) throws {
            merchant = try LocalMerchant()
            api = try TestAPI(applePay: opener(merchant), at: LocalMerchant.instant)
        }

        func pay(_ token: String, _ path: String = TestAPI.path) async throws -> Response {
            await api.put(try Example.token(.string(token), ["order.amount": "56.56"]), path)
        }
    }

    static let wrappings: [(name: String, wrap: @Sendable (String) -> String)] = [
        ("paymentData", { #"{"paymentData":\#($0),"paymentMethod":{},"transactionIdentifier":"1"}"# }),
        ("token", { #"{"token":{"paymentData":\#($0)}}"# }), ("token alone", { #"{"token":\#($0)}"# }),
        ("stringified twice", { String(decoding: JSONValue.string($0).serialized(), as: UTF8.self) }),
        (
            "stringified inside",
            { #"{"paymentData":\#(String(decoding: JSONValue.string($0).serialized(), as: UTF8.self))}"# }
        ),
    ]

    @Test(arguments: wrappings.indices)
    func `a wrapped token is accepted, and said to be wrapped`(index: Int) async throws {
        let shop = try Shop()
        let token = try shop.merchant.mint(try shop.merchant.order())
        let wrapped = Self.wrappings[index].wrap(token)
        let response = try await shop.pay(wrapped)
        #expect(response.status == 201, "\(response.text)")
        let notices = try Self.notices(response)
        #expect(notices.count == 1)
        #expect(notices.first?.contains("JSON.stringify(event.payment.token.paymentData)") == true)
        #expect(!response.text.contains("JSON.stringify"))
    }

    @Test func `a token as it should be, and every other reply, has no notice`() async throws {
        let shop = try Shop()
        let token = try shop.merchant.mint(try shop.merchant.order())
        #expect(try Self.notices(try await shop.pay(token)) == [])
        #expect(try Self.notices(await shop.api.send(.get)) == [])
        #expect(try Self.notices(await shop.api.put(try Example.plain(), TestAPI.path + "-2")) == [])
        #expect(try Self.notices(await shop.api.send(.get, "/nothing")) == [])
    }

    @Test func `application data that nobody compares is said to be so`() async throws {
        let shop = try Shop()
        var order = try shop.merchant.order()
        order.applicationData = Array("cart-7".utf8)
        let response = try await shop.pay(try shop.merchant.mint(order))
        #expect(response.status == 201, "\(response.text)")
        #expect(
            try Self.notices(response) == [
                "The token has applicationData, which was not compared, because the merchant's setting applicationData is any."
            ])
    }

    @Test func `parts of a payment for several that don't come to its total are said to be so`() async throws {
        let shop = try Shop()
        var order = try shop.merchant.order()
        order.submerchants = ["one", "two"].map { name in
            MintOrder.Submerchant(merchantIdentifier: name, amountMinorUnits: 1)
        }
        let response = try await shop.pay(try shop.merchant.mint(order))
        #expect(response.status == 201, "\(response.text)")
        let notice = try #require(try Self.notices(response).first)
        #expect(notice.contains("authenticationResponses") && notice.contains("transactionAmount"))
    }

    @Test func `a notice is ASCII without what a peer may have put into it`() async throws {
        let api = try TestAPI()
        #expect(await api.put(try Example.plain()).status == 201)
        let void = await api.put(
            ["apiOperation": "VOID", "transaction": ["targetTransactionId": "Ä 4508750015741019"]],
            TestAPI.path + "-2")
        #expect(void.status == 400)
        let notice = try #require(try Self.notices(void).first)
        #expect(notice == "The order has no transaction '? xxxxxxxxxxxx1019' that can be voided.")
        #expect(
            void.string("error.explanation")
                == "Value 'VOID' is invalid. There is no transaction to void. targetTransactionId is 'Ä xxxxxxxxxxxx1019'."
        )
    }

    @Test(arguments: [
        (
            "Basic bWVyY2hhbnQuTk9CT0RZOndvcmQ=", TestAPI.path.replacing("TESTMERCHANT", with: "NOBODY"),
            "There is no merchant NOBODY, or it is disabled."
        ),
        (TestAPI.credentials("TESTOTHER"), TestAPI.path, "The user must be merchant.TESTMERCHANT, as in the path."),
        ("Basic VEVTVE1FUkNIQU5UOndvcmQ=", TestAPI.path, "Authorization must be Basic, with the user merchant.ID."),
        ("Basic bWVyY2hhbnQuVEVTVE1FUkNIQU5UOndvcmQ=", TestAPI.path, "The password differs from the merchant's."),
        (nil, TestAPI.path, "There is no Authorization; it must be Basic, with the user merchant.ID."),
    ])
    func `a 401 has its reason as a notice where it may be told, and none elsewhere`(
        authorization: String?, path: String, reason: String
    ) async throws {
        let fields = authorization.map { [$0] } ?? []
        let explained = await (try TestAPI(explainsUnauthorized: true)).send(.get, path, authorization: fields)
        let bare = await (try TestAPI()).send(.get, path, authorization: fields)
        #expect(explained.status == 401 && bare.status == 401)
        #expect(try Self.notices(explained) == [reason])
        #expect(try Self.notices(bare) == [])
        #expect(explained.body == bare.body)
    }

    @Test func `an object in a token's place is told how to become a string`() async throws {
        let reply = await (try TestAPI()).put(try Example.token(["version": "EC_v1"]))
        #expect(
            reply.string("error.explanation")?.contains("JSON.stringify(event.payment.token.paymentData)") == true)
    }
}
